#include "onnx/elementwise_unary.h"

#include <array>
#include <cmath>
#include <limits>

namespace webnn::onnx {

namespace {

using ops::LogicalUnaryKind;
using ops::UnaryKind;

// By UnaryKind.
constexpr std::array<std::string_view, 15> kUnaryOperators{"Abs", "Ceil",       "Cos",   "Erf", "Exp",  "Floor", "Identity", "Log",
                                                           "Neg", "Reciprocal", "Round", "Sin", "Sign", "Sqrt",  "Tan"};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x, but 0 where it is NaN.
Value withoutNaN(const Value& x, Exporter& out) {
  const Value isNaN = out.add("IsNaN", {x}, {}, ElementType::boolean);
  return out.add("Where", {isNaN, out.scalar(x.type, 0), x});
}

// Floats truncate and saturate, NaN becomes 0: a cast of ONNX is undefined out of range.
Value truncate(const Value& input, DataType type, Exporter& out) {
  const Value x = withoutNaN(out.cast(input, ElementType::float32), out);
  const double lowest = webnn::cast(-kInfinity, type).toDouble(), highest = webnn::cast(kInfinity, type).toDouble();
  // The greatest integers of 32 and 64 bits lie between floats: the one below is clipped to, from the one above it
  // saturates.
  float bound = static_cast<float>(highest);
  const bool isBetween = bitsPerElement(type) >= 32;
  if (isBetween) bound = std::nextafter(bound, 0.0f);
  const Value clipped = out.add("Clip", {x, out.scalar(x.type, lowest), out.scalar(x.type, static_cast<double>(bound))});
  const Value y = out.cast(clipped, type);
  if (!isBetween) return y;
  const Value isAbove = out.add("Greater", {x, out.scalar(x.type, static_cast<double>(bound))}, {}, ElementType::boolean);
  return out.add("Where", {isAbove, out.scalar(type, webnn::cast(kInfinity, type)), y});
}

// Absent for an infinite bound of floats, which is none.
Value boundOf(const std::optional<Number>& bound, DataType type, Exporter& out) {
  if (!bound || (isFloat(type) && std::isinf(bound->toDouble()))) return {};
  return out.scalar(type, *bound);
}

}  // namespace

void toOnnx(const ops::Unary& op, Exporter& out) {
  const Value x = out[op.input];
  if (op.kind == UnaryKind::identity) return out.set(0, x);
  // The sign of NaN is 0.
  const bool isSignOfFloat = op.kind == UnaryKind::sign && isFloat(op.input.dataType());
  out.set(0, out.add(kUnaryOperators[static_cast<std::size_t>(op.kind)], {isSignOfFloat ? withoutNaN(x, out) : x}));
}

void toOnnx(const ops::LogicalUnary& op, Exporter& out) {
  const Value a = out[op.a];
  if (op.kind == LogicalUnaryKind::logicalNot) {
    out.set(0, out.add("Not", {out.cast(a, ElementType::boolean)}));
  } else if (isFloat(op.a.dataType())) {
    out.set(0, out.add(op.kind == LogicalUnaryKind::isNaN ? "IsNaN" : "IsInf", {a}, {}, ElementType::boolean));
  } else {
    out.set(0, out.add("Expand", {out.scalar(ElementType::uint8, 0), out.integers(op.a.shape())}));  // no integer is either
  }
}

void toOnnx(const ops::Cast& op, Exporter& out) {
  const Value x = out[op.input];
  const bool truncates = isFloat(op.input.dataType()) && !isFloat(op.dataType);
  out.set(0, truncates ? truncate(x, op.dataType, out) : out.cast(x, op.dataType));
}

void toOnnx(const ops::Clamp& op, Exporter& out) {
  const Value x = out[op.input];
  const Value minValue = boundOf(op.options.minValue, op.input.dataType(), out);
  const Value maxValue = boundOf(op.options.maxValue, op.input.dataType(), out);
  const bool isBounded = !minValue.name.empty() || !maxValue.name.empty();
  out.set(0, isBounded ? out.add("Clip", {x, minValue, maxValue}) : x);
}

}  // namespace webnn::onnx
