#include "backends/reference/elementwise_binary.h"

#include "backends/reference/elementwise.h"

namespace webnn::reference {

namespace {

using ops::BinaryKind;

// Integer division truncates toward zero. The specification does not define x / 0 and lowest / -1; here they are 0 and lowest.
template <typename T>
T divide(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return 0;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return subtract(T{0}, a);
    return static_cast<T>(a / b);
  } else {
    return a / b;
  }
}

// Integer powers multiply with wraparound. A negative exponent gives 1 / a^-b, truncated: 0 unless a is 1 or -1.
template <typename T>
T power(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b < 0) return static_cast<T>(a == 1 ? 1 : a == static_cast<T>(-1) ? (b % 2 == 0 ? 1 : -1) : 0);
    T result = 1;
    for (T base = a; b != 0; base = multiply(base, base), b = static_cast<T>(b / 2)) {
      if (b % 2 != 0) result = multiply(result, base);
    }
    return result;
  } else {
    // IEEE 754 defines these powers as 1. JavaScript's pow, which the web package uses, would return NaN.
    return a == 1 || (a == -1 && std::isinf(b)) ? T{1} : std::pow(a, b);
  }
}

class Broadcast {
 public:
  Broadcast(const ops::Binary& op, Environment& frame) : a_(frame[op.a]), b_(frame[op.b]), y_(frame.output()) {}

  // `f` must accept doubles and every integer type. It is converted to a function pointer, so that the loop is instantiated once
  // per type instead of once per type and `f`.
  template <typename F>
  void arithmetic(F f) {
    visitType(a_.dataType(), [&]<typename T>(T) {
      using C = Computed<T>;
      mapBroadcast<T, T>(a_, b_, y_, static_cast<C (*)(C, C)>(f));
    });
  }
  // `f` compares two doubles or two integers of the same type.
  template <typename F>
  void comparison(F f) {
    visitType(a_.dataType(), [&]<typename T>(T) {
      using C = Computed<T>;
      mapBroadcast<T, std::uint8_t>(a_, b_, y_, static_cast<bool (*)(C, C)>(f));
    });
  }
  // `f` takes two bools; every element that is not 0 is true.
  void logical(auto f) {
    mapBroadcast<std::uint8_t, std::uint8_t>(a_, b_, y_, [&](std::uint8_t a, std::uint8_t b) { return f(a != 0, b != 0); });
  }

 private:
  const NdArray &a_, &b_;
  NdArray& y_;
};

}  // namespace

void run(const ops::Binary& op, Environment& frame) {
  Broadcast broadcast(op, frame);
  switch (op.kind) {
    case BinaryKind::add: return broadcast.arithmetic([](auto a, auto b) { return add(a, b); });
    case BinaryKind::sub: return broadcast.arithmetic([](auto a, auto b) { return subtract(a, b); });
    case BinaryKind::mul: return broadcast.arithmetic([](auto a, auto b) { return multiply(a, b); });
    case BinaryKind::div: return broadcast.arithmetic([](auto a, auto b) { return divide(a, b); });
    case BinaryKind::max: return broadcast.arithmetic([](auto a, auto b) { return maximum(a, b); });
    case BinaryKind::min: return broadcast.arithmetic([](auto a, auto b) { return minimum(a, b); });
    case BinaryKind::pow: return broadcast.arithmetic([](auto a, auto b) { return power(a, b); });
    case BinaryKind::equal: return broadcast.comparison([](auto a, auto b) { return a == b; });
    case BinaryKind::notEqual: return broadcast.comparison([](auto a, auto b) { return a != b; });
    case BinaryKind::greater: return broadcast.comparison([](auto a, auto b) { return a > b; });
    case BinaryKind::greaterOrEqual: return broadcast.comparison([](auto a, auto b) { return a >= b; });
    case BinaryKind::lesser: return broadcast.comparison([](auto a, auto b) { return a < b; });
    case BinaryKind::lesserOrEqual: return broadcast.comparison([](auto a, auto b) { return a <= b; });
    case BinaryKind::logicalAnd: return broadcast.logical([](bool a, bool b) { return a && b; });
    case BinaryKind::logicalOr: return broadcast.logical([](bool a, bool b) { return a || b; });
    case BinaryKind::logicalXor: return broadcast.logical([](bool a, bool b) { return a != b; });
  }
}

// Copies elements instead of computing them, so that NaN keeps its bits.
void run(const ops::Where& op, Environment& frame) {
  const NdArray &condition = frame[op.condition], &trueValue = frame[op.trueValue], &falseValue = frame[op.falseValue];
  NdArray& output = frame.output();
  visitType(output.dataType(), [&]<typename T>(T) {
    const auto conditions = condition.as<std::uint8_t>();
    const auto trues = trueValue.as<T>(), falses = falseValue.as<T>();
    const auto outputs = output.as<T>();
    forEachBroadcast<3>(output.shape(), {&condition, &trueValue, &falseValue}, [&](std::size_t i, const auto& at) {
      outputs[i] = conditions[at[0]] != 0 ? trues[at[1]] : falses[at[2]];
    });
  });
}

}  // namespace webnn::reference
