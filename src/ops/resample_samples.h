// Which elements of the input the elements of a resampled dimension are made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/resample.h"

namespace webnn::ops {

// An input coordinate of the specification: floor, ceil, and how far it is from the first to the second.
struct Sample {
  std::size_t lower = 0, upper = 0;
  double fraction = 0;
};

inline Sample makeSample(std::size_t lower, double fraction) { return {lower, fraction > 0 ? lower + 1 : lower, fraction}; }

// (output + 0.5) / (outputSize / inputSize) - 0.5, clamped. Exact but for the fraction's one rounding: an error in the
// quotient could turn a nearest neighbor into the next one. All terms are below 2^63.
inline Sample sampleOfSizes(std::uint64_t output, std::uint64_t outputSize, std::uint64_t inputSize) {
  const std::uint64_t divisor = 2 * outputSize;
  const std::uint64_t product = std::max((2 * output + 1) * inputSize, outputSize) - outputSize;
  const std::uint64_t lower = product / divisor;
  if (lower >= inputSize - 1) return makeSample(inputSize - 1, 0);
  return makeSample(lower, static_cast<double>(product % divisor) / static_cast<double>(divisor));
}

// (output + 0.5) / scale - 0.5, clamped. The scale is the given one, which the rounded output size may not have.
inline Sample sampleOfScale(std::uint64_t output, double scale, std::uint64_t inputSize) {
  const double coordinate =
      std::clamp((static_cast<double>(output) + 0.5) / scale - 0.5, 0.0, static_cast<double>(inputSize - 1));
  const double lower = std::floor(coordinate);
  return makeSample(static_cast<std::size_t>(lower), coordinate - lower);
}

// Samples of the i-th resampled axis, one for each output coordinate.
inline std::vector<Sample> samplesOf(const Resample2d& op, std::size_t i, const Shape& outputShape) {
  const Shape& inputShape = op.input.shape();
  const std::size_t axis = (*op.options.axes)[i];
  std::vector<Sample> samples(outputShape[axis]);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    samples[k] = op.options.sizes ? sampleOfSizes(k, outputShape[axis], inputShape[axis])
                                  : sampleOfScale(k, double{(*op.options.scales)[i]}, inputShape[axis]);
  }
  return samples;
}

// ceil(coordinate - 0.5)
inline std::size_t nearest(const Sample& sample) { return sample.fraction > 0.5 ? sample.upper : sample.lower; }

}  // namespace webnn::ops
