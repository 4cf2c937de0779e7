#include "reference/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace webnn::reference {

namespace {

// An input coordinate of the specification: floor, ceil, and how far it is from the first to the second.
struct Sample {
  std::size_t lower = 0, upper = 0;
  double fraction = 0;
};

Sample makeSample(std::size_t lower, double fraction) { return {lower, fraction > 0 ? lower + 1 : lower, fraction}; }

// (output + 0.5) / (outputSize / inputSize) - 0.5, clamped. Exact but for the fraction's one rounding: an error in the
// quotient could turn a nearest neighbor into the next one. All terms are below 2^63.
Sample sampleOfSizes(std::uint64_t output, std::uint64_t outputSize, std::uint64_t inputSize) {
  const std::uint64_t divisor = 2 * outputSize;
  const std::uint64_t product = std::max((2 * output + 1) * inputSize, outputSize) - outputSize;
  const std::uint64_t lower = product / divisor;
  if (lower >= inputSize - 1) return makeSample(inputSize - 1, 0);
  return makeSample(lower, static_cast<double>(product % divisor) / static_cast<double>(divisor));
}

// (output + 0.5) / scale - 0.5, clamped. The scale is the given one, which the rounded output size may not have.
Sample sampleOfScale(std::uint64_t output, double scale, std::uint64_t inputSize) {
  const double coordinate =
      std::clamp((static_cast<double>(output) + 0.5) / scale - 0.5, 0.0, static_cast<double>(inputSize - 1));
  const double lower = std::floor(coordinate);
  return makeSample(static_cast<std::size_t>(lower), coordinate - lower);
}

// Samples of the i-th resampled axis, one for each output coordinate.
std::vector<Sample> samplesOf(const ops::Resample2d& op, std::size_t i, const Shape& inputShape, const Shape& outputShape) {
  const std::size_t axis = (*op.options.axes)[i];
  std::vector<Sample> samples(outputShape[axis]);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    samples[k] = op.options.sizes ? sampleOfSizes(k, outputShape[axis], inputShape[axis])
                                  : sampleOfScale(k, double{(*op.options.scales)[i]}, inputShape[axis]);
  }
  return samples;
}

// Rounds to the element type once; integers half to even.
template <typename T>
T rounded(double value) {
  if constexpr (kIsReal<T>) {
    return fromDouble<T>(value);
  } else {
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(std::clamp(std::nearbyint(value), double{Limits::lowest()}, double{Limits::max()}));
  }
}

// ceil(coordinate - 0.5)
std::size_t nearest(const Sample& sample) { return sample.fraction > 0.5 ? sample.upper : sample.lower; }

// The specification's bilinear formula, for the axes' strides in `from`.
template <typename T>
double bilinear(std::span<const T> from, std::size_t base, const Sample& y, std::size_t strideY, const Sample& x,
                std::size_t strideX) {
  const auto row = [&](std::size_t start) {
    return toDouble(from[start + x.lower * strideX]) * (1 - x.fraction) + toDouble(from[start + x.upper * strideX]) * x.fraction;
  };
  return row(base + y.lower * strideY) * (1 - y.fraction) + row(base + y.upper * strideY) * y.fraction;
}

template <typename T>
void resample(const ops::Resample2d& op, const Tensor& input, Tensor& output) {
  const std::size_t axisY = (*op.options.axes)[0], axisX = (*op.options.axes)[1];
  const std::vector<Sample> samplesY = samplesOf(op, 0, input.shape(), output.shape());
  const std::vector<Sample> samplesX = samplesOf(op, 1, input.shape(), output.shape());
  std::vector<std::size_t> strides = stridesOf(input.shape());  // of the other two axes, once these two are 0
  const std::size_t strideY = std::exchange(strides[axisY], 0), strideX = std::exchange(strides[axisX], 0);
  const std::span<const T> from = std::as_const(input).as<T>();
  T* to = output.as<T>().data();
  for (Coordinates at(output.shape()); !at.done(); at.next()) {
    const Sample &y = samplesY[at[axisY]], &x = samplesX[at[axisX]];
    const std::size_t base = at.offset(strides);
    *to++ = op.options.mode == InterpolationMode::linear ? rounded<T>(bilinear(from, base, y, strideY, x, strideX))
                                                         : from[base + nearest(y) * strideY + nearest(x) * strideX];
  }
}

}  // namespace

void run(const ops::Resample2d& op, Frame& frame) {
  const Tensor& input = frame[op.input];
  visitType(input.dataType(), [&](auto type) {
    using T = decltype(type);
    if constexpr (kIsReal<T> || sizeof(T) == 1) resample<T>(op, input, frame.output());  // the types of the row
  });
}

}  // namespace webnn::reference
