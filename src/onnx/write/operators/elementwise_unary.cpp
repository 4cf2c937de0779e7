#include <array>
#include <cmath>
#include <limits>

#include "onnx/write/compose.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

using ops::LogicalUnaryKind;
using ops::UnaryKind;

// Operator names, indexed by UnaryKind.
constexpr std::array<std::string_view, 15> kUnaryOperators{
    "Abs", "Ceil", "Cos", "Erf", "Exp", "Floor", "Identity", "Log", "Neg", "Reciprocal", "Round", "Sin", "Sign", "Sqrt", "Tan"};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns x with NaN replaced by 0.
OnnxValue withoutNaN(const OnnxValue& x, Exporter& out) {
  const OnnxValue isNaN = out.add("IsNaN", {x}, {}, ElementType::boolean);
  return out.add("Where", {isNaN, out.scalar(x.type, 0), x});
}

// Casts floats to integers: truncates, saturates, and maps NaN to 0. ONNX leaves casts out of range undefined.
OnnxValue truncate(const OnnxValue& input, DataType type, Exporter& out) {
  const OnnxValue x = withoutNaN(out.cast(input, ElementType::float32), out);
  const double lowest = webnn::cast(-kInfinity, type).toDouble(), highest = webnn::cast(kInfinity, type).toDouble();
  // No float equals the greatest 32-bit or 64-bit integer. Values are clipped to the next float below it before the cast, and
  // greater values are replaced by the greatest integer after the cast.
  float bound = static_cast<float>(highest);
  const bool isBetween = bitsPerElement(type) >= 32;
  if (isBetween) bound = std::nextafter(bound, 0.0f);
  const OnnxValue clipped = out.add("Clip", {x, out.scalar(x.type, lowest), out.scalar(x.type, static_cast<double>(bound))});
  // Some runtimes round when they cast to 4 bits, so truncate first.
  const OnnxValue y = out.cast(bitsPerElement(type) == 4 ? out.cast(clipped, ElementType::int32) : clipped, type);
  if (!isBetween) return y;
  const OnnxValue isAbove = compare("Greater", x, out.scalar(x.type, static_cast<double>(bound)), out);
  return out.add("Where", {isAbove, out.scalar(type, webnn::cast(kInfinity, type)), y});
}

// Casts between integers so that they wrap, including to 4 bits, for which ONNX does not define overflow.
OnnxValue wrap(const OnnxValue& input, DataType type, Exporter& out) {
  if (bitsPerElement(type) != 4) return out.cast(input, type);
  const bool isWide = onnx::bitsPerElement(input.type) >= 32 && input.type != ElementType::int32;
  OnnxValue x = out.cast(input, isWide ? ElementType::int64 : ElementType::int32);
  const OnnxValue half = out.scalar(x.type, type == DataType::int4 ? 8 : 0), count = out.scalar(x.type, 16);
  x = out.add("Sub", {out.add("Mod", {out.add("Add", {x, half}), count}), half});
  return out.cast(x, type);
}

}  // namespace

void toOnnx(const ops::Unary& op, Exporter& out) {
  const OnnxValue x = out[op.input];
  if (op.kind == UnaryKind::identity) return out.set(0, x);
  if (op.kind == UnaryKind::abs && !isFloat(op.input.dataType()) && !out.canTake("Abs", ElementType::int32)) {
    return out.set(0, out.add("Mul", {x, out.add("Sign", {x})}));
  }
  if (op.kind == UnaryKind::tan && !out.canTake("Tan", x.type)) {  // compute in double, so that the quotient is rounded only once
    const OnnxValue wide = out.cast(x, ElementType::float64);
    return out.set(0, out.add("Div", {out.add("Sin", {wide}), out.add("Cos", {wide})}));
  }
  // WebNN's sign(NaN) is 0, so Sign gets 0 in place of NaN.
  const bool isSignOfFloat = op.kind == UnaryKind::sign && isFloat(op.input.dataType());
  out.set(0, out.add(kUnaryOperators[static_cast<std::size_t>(op.kind)], {isSignOfFloat ? withoutNaN(x, out) : x}));
}

void toOnnx(const ops::LogicalUnary& op, Exporter& out) {
  const OnnxValue a = out[op.a];
  if (op.kind == LogicalUnaryKind::logicalNot) {
    out.set(0, out.add("Not", {out.cast(a, ElementType::boolean)}));
  } else if (isFloat(op.a.dataType())) {
    out.set(0, out.add(op.kind == LogicalUnaryKind::isNaN ? "IsNaN" : "IsInf", {a}, {}, ElementType::boolean));
  } else {
    // an integer is never NaN or infinite, so the result is all zeros
    out.set(0, out.add("Expand", {out.scalar(ElementType::uint8, 0), out.integers(op.a.shape())}));
  }
}

void toOnnx(const ops::Cast& op, Exporter& out) {
  const OnnxValue x = out[op.input];
  const bool isByWayOfInt32 =
      out.target().distrustsBytes && !isFloat(op.input.dataType()) && bitsPerElement(op.input.dataType()) <= 8;
  if (isFloat(op.dataType)) return out.set(0, out.cast(isByWayOfInt32 ? out.cast(x, ElementType::int32) : x, op.dataType));
  out.set(0, isFloat(op.input.dataType()) ? truncate(x, op.dataType, out) : wrap(x, op.dataType, out));
}

// ONNX treats an absent bound as the greatest finite number, so WebNN's infinite bounds are written explicitly.
void toOnnx(const ops::Clamp& op, Exporter& out) {
  const OnnxValue x = out[op.input];
  const Number &minValue = *op.options.minValue, &maxValue = *op.options.maxValue;
  const bool isBounded = !isFloat(op.input.dataType()) || !std::isinf(minValue.toDouble()) || !std::isinf(maxValue.toDouble());
  if (!isBounded) return out.set(0, x);
  const OnnxValue lowest = out.scalar(x.type, minValue), highest = out.scalar(x.type, maxValue);
  out.set(0, out.add("Clip", {x, lowest, highest}));
}

}  // namespace webnn::onnx
