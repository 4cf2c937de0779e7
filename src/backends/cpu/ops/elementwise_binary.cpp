#include "backends/cpu/ops/elementwise_binary.h"

#include <functional>
#include <type_traits>

#include "backends/cpu/elements/row_step.h"
#include "base/text.h"

// Plans binary operations on integers, and where. Pass lowerElementwise has already replaced binary operations on floats.
namespace webnn::cpu {

namespace {

using ops::BinaryKind;

// Divides, truncating toward zero; x / 0 is 0, and lowest / -1 wraps to lowest.
template <typename T>
T divide(T a, T b) {
  if (b == 0) return 0;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return wrappingSubtract(T{0}, a);
  return static_cast<T>(a / b);
}

// Computes a^b, wrapping. A negative exponent gives 1 / a^-b, truncated: 0 unless a is 1 or -1.
template <typename T>
T power(T a, T b) {
  if (b < 0) return static_cast<T>(a == 1 ? 1 : a == static_cast<T>(-1) ? (b % 2 == 0 ? 1 : -1) : 0);
  T result = 1;
  for (T base = a; b != 0; base = wrappingMultiply(base, base), b = static_cast<T>(b / 2)) {
    if (b % 2 != 0) result = wrappingMultiply(result, base);
  }
  return result;
}

template <typename T, auto f>
void arithmetic(const RowPart& part) {
  mapRows<T>(part, [](T a, T b) { return f(a, b); });
}
template <typename T, typename F>
void comparison(const RowPart& part) {
  mapRows<T>(part, [](T a, T b) { return static_cast<std::uint8_t>(F()(a, b)); });
}
template <typename F>
void logic(const RowPart& part) {
  mapRows<std::uint8_t>(part, [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(F()(a != 0, b != 0)); });
}

template <typename T>
T larger(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
T smaller(T a, T b) {
  return a < b ? a : b;
}

template <typename T>
RowKernel kernelOf(BinaryKind kind) {
  using U = std::make_unsigned_t<T>;  // for operations with the same result bits for signed and unsigned
  switch (kind) {
    case BinaryKind::add: return arithmetic<U, wrappingAdd<U>>;
    case BinaryKind::sub: return arithmetic<U, wrappingSubtract<U>>;
    case BinaryKind::mul: return arithmetic<U, wrappingMultiply<U>>;
    case BinaryKind::div: return arithmetic<T, divide<T>>;
    case BinaryKind::max: return arithmetic<T, larger<T>>;
    case BinaryKind::min: return arithmetic<T, smaller<T>>;
    case BinaryKind::pow: return arithmetic<T, power<T>>;
    case BinaryKind::equal: return comparison<U, std::equal_to<U>>;
    case BinaryKind::notEqual: return comparison<U, std::not_equal_to<U>>;
    case BinaryKind::greater: return comparison<T, std::greater<T>>;
    case BinaryKind::greaterOrEqual: return comparison<T, std::greater_equal<T>>;
    case BinaryKind::lesser: return comparison<T, std::less<T>>;
    case BinaryKind::lesserOrEqual: return comparison<T, std::less_equal<T>>;
    case BinaryKind::logicalAnd: return logic<std::logical_and<bool>>;
    case BinaryKind::logicalOr: return logic<std::logical_or<bool>>;
    case BinaryKind::logicalXor: return logic<std::not_equal_to<bool>>;
  }
  return nullptr;
}

// Copies elements, so that one function serves all types of a size.
template <typename T>
void select(const RowPart& part) {
  const std::byte *condition = part.in[0], *trues = part.in[1], *falses = part.in[2];
  std::byte* __restrict y = part.out;
  const std::size_t n = part.n;
  if (!part.repeats[0] && !part.repeats[1] && !part.repeats[2]) {
    for (std::size_t i = 0; i < n; ++i) {
      const T a = elementAt<T>(trues, i), b = elementAt<T>(falses, i);
      setElement(y, i, condition[i] != std::byte{0} ? a : b);
    }
    return;
  }
  const std::size_t c = part.repeats[0] ? 0 : 1, t = part.repeats[1] ? 0 : 1, f = part.repeats[2] ? 0 : 1;
  for (std::size_t i = 0; i < n; ++i) {
    const T a = elementAt<T>(trues, i * t), b = elementAt<T>(falses, i * f);
    setElement(y, i, condition[i * c] != std::byte{0} ? a : b);
  }
}

RowKernel selectOf(DataType type) {
  switch (bitsPerElement(type)) {
    case 8: return select<std::uint8_t>;
    case 16: return select<std::uint16_t>;
    case 32: return select<std::uint32_t>;
    case 64: return select<std::uint64_t>;
    default: return nullptr;
  }
}

}  // namespace

StepPtr plan(const ops::Binary& op, Planner& planner) {
  const DataType type = op.a.dataType();
  const auto kernel = visitInteger(type, [&]<typename T>(T) -> RowKernel { return kernelOf<T>(op.kind); });
  return makeRowStep(formatText("{} {}", ops::rowOf(op).name, name(type)), kernel, {op.a, op.b}, planner);
}

StepPtr plan(const ops::Where& op, Planner& planner) {
  const DataType type = op.trueValue.dataType();
  return makeRowStep(formatText("where {}", name(type)), selectOf(type), {op.condition, op.trueValue, op.falseValue}, planner);
}

}  // namespace webnn::cpu
