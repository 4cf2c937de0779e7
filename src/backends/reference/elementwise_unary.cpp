#include "backends/reference/elementwise_unary.h"

#include <limits>

#include "backends/reference/elementwise.h"

namespace webnn::reference {

namespace {

using ops::LogicalUnaryKind;
using ops::UnaryKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Evaluates the operations that exist for floats only.
double evaluate(UnaryKind kind, double x) {
  switch (kind) {
    case UnaryKind::ceil: return std::ceil(x);
    case UnaryKind::cos: return std::cos(x);
    case UnaryKind::erf: return std::erf(x);
    case UnaryKind::exp: return std::exp(x);
    case UnaryKind::floor: return std::floor(x);
    case UnaryKind::log: return std::log(x);
    case UnaryKind::reciprocal: return 1 / x;
    case UnaryKind::roundEven: return std::nearbyint(x);  // rounds halves to even in the default rounding mode
    case UnaryKind::sin: return std::sin(x);
    case UnaryKind::sqrt: return std::sqrt(x);
    case UnaryKind::tan: return std::tan(x);
    default: return x;
  }
}

// The lowest integer has no positive counterpart, so its negation and absolute value are itself.
template <typename T>
T negate(T x) {
  if constexpr (std::is_integral_v<T>) {
    return subtract(T{0}, x);
  } else {
    return -x;
  }
}

template <typename T>
T absolute(T x) {
  if constexpr (std::is_integral_v<T>) {
    return x < 0 ? negate(x) : x;
  } else {
    return std::fabs(x);
  }
}

// Returns 0 for NaN, which is neither above nor below 0. This is the "otherwise" case of the specification.
template <typename T>
T sign(T x) {
  return static_cast<T>(x > 0 ? 1 : x < 0 ? -1 : 0);
}

// Wraps an integer to 4 bits if `type` is a 4-bit type. For wider types, casting to T has already wrapped it.
template <typename T>
T narrow(T value, DataType type) {
  const int nibble = static_cast<int>(wide(value) & 0xF);
  if (type == DataType::uint4) return static_cast<T>(nibble);
  if (type == DataType::int4) return static_cast<T>(nibble >= 8 ? nibble - 16 : nibble);
  return value;
}

// Converts a bound to the type in which elements are computed. The bound is a limit of the data type, or a bound of clamp that is
// already cast to the data type.
template <typename T>
Computed<T> boundOf(const Number& bound) {
  return std::visit([](auto value) { return static_cast<Computed<T>>(value); }, bound.value());
}

// Casts elements of type X to storage type Y. Floats are truncated to integers. The specification does not define values out of
// range. Here they saturate, and NaN becomes 0. https://www.w3.org/TR/webnn/#api-mlgraphbuilder-cast
template <typename X, typename Y>
class Conversion {
 public:
  explicit Conversion(DataType type) : type_(type) {}

  Y operator()(X x) const {
    if constexpr (kIsReal<Y>) {
      if constexpr (std::is_integral_v<X> && std::is_same_v<Y, float>) return static_cast<float>(x);  // avoids rounding twice
      // The cast to double is exact, except for 64-bit integers so large that they become infinite as float16 anyway.
      return fromDouble<Y>(static_cast<double>(x));
    } else if constexpr (std::is_integral_v<X>) {
      return narrow(static_cast<Y>(x), type_);
    } else {
      return truncate(x);
    }
  }

 private:
  // Uses >=, because the highest 64-bit integer rounds up to a double above the range.
  Y truncate(double x) const {
    if (std::isnan(x)) return 0;
    if (x <= static_cast<double>(lowest_)) return lowest_;
    if (x >= static_cast<double>(highest_)) return highest_;
    return static_cast<Y>(x);
  }

  DataType type_;
  Computed<Y> lowest_ = boundOf<Y>(webnn::cast(-kInfinity, type_)), highest_ = boundOf<Y>(webnn::cast(kInfinity, type_));
};

}  // namespace

void run(const ops::Unary& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  NdArray& output = frame.output();
  switch (op.kind) {
    case UnaryKind::abs: return mapAny(input, output, [](auto x) { return absolute(x); });
    case UnaryKind::neg: return mapAny(input, output, [](auto x) { return negate(x); });
    case UnaryKind::sign: return mapAny(input, output, [](auto x) { return sign(x); });
    case UnaryKind::identity: output = input; return;
    default: return mapReals(input, output, [&](double x) { return evaluate(op.kind, x); });
  }
}

void run(const ops::LogicalUnary& op, Environment& frame) {
  const NdArray& a = frame[op.a];
  visitType(a.dataType(), [&]<typename T>(T) {
    mapElements<T, std::uint8_t>(a, frame.output(), [&](Computed<T> x) {
      if (op.kind == LogicalUnaryKind::logicalNot) return x == 0;
      const auto value = static_cast<double>(x);  // integers are never NaN or infinite, even after rounding to double
      return op.kind == LogicalUnaryKind::isNaN ? std::isnan(value) : std::isinf(value);
    });
  });
}

void run(const ops::Cast& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  visitType(input.dataType(), [&]<typename X>(X) {
    visitType(op.dataType,
              [&]<typename Y>(Y) { mapElements<X, Y>(input, frame.output(), Conversion<Computed<X>, Y>(op.dataType)); });
  });
}

void run(const ops::Clamp& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  visitType(input.dataType(), [&]<typename T>(T) {
    const auto minValue = boundOf<T>(*op.options.minValue), maxValue = boundOf<T>(*op.options.maxValue);
    mapElements<T, T>(input, frame.output(), [&](Computed<T> x) { return minimum(maximum(x, minValue), maxValue); });
  });
}

}  // namespace webnn::reference
