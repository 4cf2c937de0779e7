// Maps elements of a resampled dimension to elements of the input.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "ops/resample.h"

namespace webnn::ops {

// The position of an output element in the input: the two neighbouring coordinates, and the fraction between them.
struct Sample {
  std::size_t lower = 0, upper = 0;
  double fraction = 0;
};

inline Sample makeSample(std::size_t lower, double fraction) { return {lower, fraction > 0 ? lower + 1 : lower, fraction}; }

// Computes (output + 0.5) / (outputSize / inputSize) - 0.5, clamped to the input. Computes in integers and rounds only the
// fraction, because a rounding error could change the nearest neighbor. All terms are below 2^63.
inline Sample sampleOf(std::uint64_t output, std::uint64_t outputSize, std::uint64_t inputSize) {
  const std::uint64_t divisor = 2 * outputSize;
  const std::uint64_t product = std::max((2 * output + 1) * inputSize, outputSize) - outputSize;
  const std::uint64_t lower = product / divisor;
  if (lower >= inputSize - 1) return makeSample(static_cast<std::size_t>(inputSize - 1), 0);
  return makeSample(static_cast<std::size_t>(lower), static_cast<double>(product % divisor) / static_cast<double>(divisor));
}

// Returns the samples of the i-th resampled axis, one per output coordinate. The scale is outputSize / inputSize, which differs
// from options.scales if the output size was rounded or given.
inline std::vector<Sample> samplesOf(const Resample2d& op, std::size_t i, const Shape& outputShape) {
  const std::size_t axis = (*op.options.axes)[i];
  std::vector<Sample> samples(outputShape[axis]);
  inParts(samples.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) samples[k] = sampleOf(k, outputShape[axis], op.input.shape()[axis]);
  });
  return samples;
}

// The input elements of a linear sample and their weights.
struct LinearTaps {
  std::array<std::int32_t, 2> indices;
  std::array<float, 2> weights;
};
inline LinearTaps tapsOf(const Sample& sample) {
  return {{static_cast<std::int32_t>(sample.lower), static_cast<std::int32_t>(sample.upper)},
          {static_cast<float>(1 - sample.fraction), static_cast<float>(sample.fraction)}};
}

// Returns ceil(coordinate - 0.5), the coordinate of the nearest input element.
inline std::size_t nearest(const Sample& sample) { return sample.fraction > 0.5 ? sample.upper : sample.lower; }

}  // namespace webnn::ops
