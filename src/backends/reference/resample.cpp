#include "backends/reference/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ops/resample_samples.h"

namespace webnn::reference {

namespace {

using ops::Sample;

// Rounds once to the element type. For integers, rounds halves to even and saturates.
template <typename T>
T rounded(double value) {
  if constexpr (kIsReal<T>) {
    return fromDouble<T>(value);
  } else {
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(std::clamp(std::nearbyint(value), double{Limits::lowest()}, double{Limits::max()}));
  }
}

// Computes the specification's bilinear formula. `base` is the position in the other dimensions; strides are in elements.
template <typename T>
double bilinear(std::span<const T> from, std::size_t base, const Sample& y, std::size_t strideY, const Sample& x,
                std::size_t strideX) {
  const auto row = [&](std::size_t start) {
    return toDouble(from[start + x.lower * strideX]) * (1 - x.fraction) + toDouble(from[start + x.upper * strideX]) * x.fraction;
  };
  return row(base + y.lower * strideY) * (1 - y.fraction) + row(base + y.upper * strideY) * y.fraction;
}

template <typename T>
void resample(const ops::Resample2d& op, const NdArray& input, NdArray& output) {
  const std::size_t axisY = (*op.options.axes)[0], axisX = (*op.options.axes)[1];
  const std::vector<Sample> samplesY = ops::samplesOf(op, 0, output.shape());
  const std::vector<Sample> samplesX = ops::samplesOf(op, 1, output.shape());
  // Strides of the other two axes only: the strides of y and x become 0.
  std::vector<std::size_t> strides = stridesOf(input.shape());
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

void run(const ops::Resample2d& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  visitType(input.dataType(), [&](auto type) {
    using T = decltype(type);
    if constexpr (kIsReal<T> || sizeof(T) == 1) resample<T>(op, input, frame.output());  // the types that resample2d allows
  });
}

}  // namespace webnn::reference
