#include "backends/cpu/ops/elementwise_unary.h"

#include <limits>
#include <type_traits>

#include "backends/cpu/elements/row_step.h"
#include "backends/cpu/ops/copy.h"
#include "backends/cpu/simd/elements.h"
#include "base/text.h"

// Plans operations on integers, identity, and casts from or to integers. Pass lowerElementwise has already replaced the other
// operations on floats.
namespace webnn::cpu {

namespace {

using ops::LogicalUnaryKind;
using ops::UnaryKind;

template <typename T>
void negate(const RowPart& part) {
  mapRow<T>(part, [](T x) { return wrappingSubtract(T{0}, x); });
}
template <typename T>
void absolute(const RowPart& part) {
  mapRow<T>(part, [](T x) { return x < 0 ? wrappingSubtract(T{0}, x) : x; });
}
template <typename T>
void sign(const RowPart& part) {
  mapRow<T>(part, [](T x) { return static_cast<T>((x > 0) - (x < 0)); });
}

void logicalNot(const RowPart& part) {
  mapRow<std::uint8_t>(part, [](std::uint8_t x) { return static_cast<std::uint8_t>(x == 0); });
}
// The kernel of isNaN and isInfinite, which are false for all integers.
void never(const RowPart& part) { std::memset(part.out, 0, part.n); }

// Clamps elements to the range [immediates[0], immediates[1]].
template <typename T>
void limit(const RowPart& part) {
  const auto low = static_cast<T>(part.immediates[0]), high = static_cast<T>(part.immediates[1]);
  mapRow<T>(part, [=](T x) {
    const T y = x < low ? low : x;
    return y > high ? high : y;
  });
}

std::uint64_t bitsOf(const Number& number) {
  return std::visit([](auto value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); }, number.value());
}

// Converts to an integer: truncates toward zero and saturates; NaN becomes 0.
template <typename Y>
Y truncate(float x) {
  constexpr float lowest = static_cast<float>(std::numeric_limits<Y>::min());              // exact: a power of two, or 0
  constexpr float beyond = 2 * static_cast<float>(std::numeric_limits<Y>::max() / 2 + 1);  // the smallest value that overflows
  if (x != x) return 0;
  if (x <= lowest) return std::numeric_limits<Y>::min();
  if (x >= beyond) return std::numeric_limits<Y>::max();
  return static_cast<Y>(x);
}

template <typename X, typename Y>
void convert(const RowPart& part) {
  if constexpr (std::is_floating_point_v<X>) {
    mapRow<X>(part, [](X x) { return truncate<Y>(x); });
  } else {
    mapRow<X>(part, [](X x) { return static_cast<Y>(x); });
  }
}

// Integers are converted to float16 in tiles of float, which represents every integer in float16's range exactly.
constexpr std::size_t kTile = 256;

template <typename X>
void convertToHalf(const RowPart& part) {
  const ElementKernels& kernels = elementKernels(part.isa);
  float tile[kTile];
  for (std::size_t i = 0; i < part.n; i += kTile) {
    const std::size_t n = part.n - i < kTile ? part.n - i : kTile;
    for (std::size_t j = 0; j < n; ++j) tile[j] = static_cast<float>(elementAt<X>(part.in[0], i + j));
    kernels.storeHalf(tile, part.out + i * 2, n);
  }
}
template <typename Y>
void convertHalf(const RowPart& part) {
  const ElementKernels& kernels = elementKernels(part.isa);
  float tile[kTile];
  for (std::size_t i = 0; i < part.n; i += kTile) {
    const std::size_t n = part.n - i < kTile ? part.n - i : kTile;
    kernels.loadHalf(part.in[0] + i * 2, tile, n);
    for (std::size_t j = 0; j < n; ++j) setElement(part.out, i + j, truncate<Y>(tile[j]));
  }
}

template <typename X>
RowKernel conversionFrom(DataType to) {
  if (to == DataType::float32) return convert<X, float>;
  if (to == DataType::float16) return convertToHalf<X>;
  switch (bitsPerElement(to)) {  // one function per width, because signed and unsigned results have the same low bits
    case 8: return convert<X, std::uint8_t>;
    case 32: return convert<X, std::uint32_t>;
    case 64: return convert<X, std::uint64_t>;
    default: return nullptr;
  }
}

// Returns the kernel for a cast from or to integers. Pass lowerElementwise has replaced casts between floats.
RowKernel conversionOf(DataType from, DataType to) {
  if (from == DataType::float32) return visitInteger(to, []<typename Y>(Y) -> RowKernel { return convert<float, Y>; });
  if (from == DataType::float16) return visitInteger(to, []<typename Y>(Y) -> RowKernel { return convertHalf<Y>; });
  return visitInteger(from, [&]<typename X>(X) { return conversionFrom<X>(to); });
}

template <typename T>
RowKernel kernelOf(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::abs: return absolute<T>;
    case UnaryKind::neg: return negate<std::make_unsigned_t<T>>;
    case UnaryKind::sign: return sign<T>;
    default: return nullptr;
  }
}

}  // namespace

StepPtr plan(const ops::Unary& op, Planner& planner) {
  if (op.kind == UnaryKind::identity) return plan(Copy{.input = op.input, .options = {}}, planner);
  const DataType type = op.input.dataType();
  const auto kernel = visitInteger(type, [&]<typename T>(T) { return kernelOf<T>(op.kind); });
  return makeRowStep(formatText("{} {}", ops::rowOf(op).name, name(type)), kernel, {op.input}, planner);
}

StepPtr plan(const ops::LogicalUnary& op, Planner& planner) {
  const DataType type = op.a.dataType();
  if (isFloat(type)) return nullptr;
  const RowKernel kernel = op.kind == LogicalUnaryKind::logicalNot ? logicalNot : never;
  return makeRowStep(formatText("{} {}", ops::rowOf(op).name, name(type)), kernel, {op.a}, planner);
}

StepPtr plan(const ops::Cast& op, Planner& planner) {
  const DataType from = op.input.dataType();
  return makeRowStep(formatText("cast {} {}", name(from), name(op.dataType)), conversionOf(from, op.dataType), {op.input},
                     planner);
}

StepPtr plan(const ops::Clamp& op, Planner& planner) {
  const DataType type = op.input.dataType();
  const auto kernel = visitInteger(type, [&]<typename T>(T) -> RowKernel { return limit<T>; });
  const auto bits = [](const std::optional<Number>& bound) { return bitsOf(*bound); };
  return makeRowStep(formatText("clamp {}", name(type)), kernel, {op.input}, planner,
                     {bits(op.options.minValue), bits(op.options.maxValue)});
}

}  // namespace webnn::cpu
