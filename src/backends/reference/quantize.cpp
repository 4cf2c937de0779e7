#include "backends/reference/quantize.h"

#include <algorithm>
#include <cmath>

namespace webnn::reference {

namespace {

// Divides `shape` into runs of consecutive elements that share one element of `blocks`, and calls visit(begin, count, block) for
// each run in order. https://www.w3.org/TR/webnn/#blockwise-broadcastable
void forEachRun(const Shape& shape, const Shape& blocks, auto&& visit) {
  Shape runs = shape;
  std::size_t count = 1;
  if (!shape.empty()) {
    runs.back() = blocks.back();
    count = shape.back() / blocks.back();
  }
  const std::vector<std::size_t> strides = stridesOf(blocks);
  std::size_t begin = 0;
  Progress progress;
  for (Coordinates at(runs); !at.done(); at.next(), begin += count) {
    std::size_t block = 0;
    for (std::size_t d = 0; d < runs.size(); ++d) block += at[d] / (runs[d] / blocks[d]) * strides[d];
    visit(begin, count, block);
    progress.count(count);
  }
}

// Calls visit(T{}) for the storage types of quantized tensors: integers of at most 32 bits.
void visitQuantized(DataType type, auto&& visit) {
  visitType(type, [&]<typename T>(T) {
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 4) visit(T{});
  });
}

struct Range {
  double min, max;
};

Range rangeOf(DataType type) {
  const int bits = static_cast<int>(bitsPerElement(type));
  const bool isSigned = type == DataType::int4 || type == DataType::int8 || type == DataType::int32;
  return isSigned ? Range{-std::ldexp(1, bits - 1), std::ldexp(1, bits - 1) - 1} : Range{0, std::ldexp(1, bits) - 1};
}

// Casts a whole number to T as the specification does: NaN becomes 0, and values out of range saturate.
template <typename T>
T saturated(double value, Range range) {
  return std::isnan(value) ? T{0} : static_cast<T>(std::clamp(value, range.min, range.max));
}

}  // namespace

void run(const ops::DequantizeLinear& op, Environment& frame) {
  const NdArray &input = frame[op.input], &zeroPoint = frame[op.zeroPoint];
  const std::vector<double> scale = frame[op.scale].toDoubles();
  std::vector<double> result(input.size());
  visitQuantized(input.dataType(), [&]<typename T>(T) {
    const std::span<const T> from = input.as<T>();
    forEachRun(input.shape(), zeroPoint.shape(), [&](std::size_t begin, std::size_t count, std::size_t block) {
      const std::int64_t zero = zeroPoint.as<T>()[block];
      for (std::size_t i = begin; i < begin + count; ++i) {
        result[i] = static_cast<double>(std::int64_t{from[i]} - zero) * scale[block];
      }
    });
  });
  frame.output().setDoubles(result);
}

void run(const ops::QuantizeLinear& op, Environment& frame) {
  const std::vector<double> input = frame[op.input].toDoubles(), scale = frame[op.scale].toDoubles();
  const NdArray& zeroPoint = frame[op.zeroPoint];
  const Range range = rangeOf(zeroPoint.dataType());
  visitQuantized(zeroPoint.dataType(), [&]<typename T>(T) {
    const std::span<T> result = frame.output().as<T>();
    forEachRun(frame[op.input].shape(), zeroPoint.shape(), [&](std::size_t begin, std::size_t count, std::size_t block) {
      const double zero = zeroPoint.as<T>()[block];
      for (std::size_t i = begin; i < begin + count; ++i) {
        // Round the quotient to float32 first, because other backends divide in float32 and so get the same ties; then round half
        // to even. Adding the zero point is exact unless the result saturates.
        const double quotient = static_cast<double>(static_cast<float>(input[i] / scale[block]));
        result[i] = saturated<T>(std::nearbyint(quotient) + zero, range);
      }
    });
  });
}

}  // namespace webnn::reference
