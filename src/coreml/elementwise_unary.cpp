#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

// The names of MIL's operators, indexed by ops::UnaryKind. Empty: toMil() has a case for the operation.
constexpr std::array<std::string_view, 15> kUnaries{"abs", "ceil", "cos",   "erf", "exp", "floor", "identity", "",
                                                    "",    "",     "round", "sin", "",    "sqrt",  "tan"};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Clips floats to the range of the type, because MIL does not define casts of values outside the range.
MilValue saturated(const MilValue& x, DataType type, MilBuilder& out) {
  const int bits = static_cast<int>(std::min<std::size_t>(bitsPerElement(type), 32));
  const bool isSigned = bits == 32 || type == DataType::int8 || type == DataType::int4;
  // Integer types of 32 or more bits are computed as int32. Their highest bound is the greatest float32 below 2^31.
  const double highest = bits == 32 ? 2147483520.0 : std::ldexp(1, isSigned ? bits - 1 : bits) - 1;
  double lowest = isSigned ? -std::ldexp(1, bits - 1) : 0;
  if (type == DataType::uint32 || type == DataType::uint64) lowest = 0;
  return unary("clip", x, out, {{"alpha", {out.scalar(x.type, lowest)}}, {"beta", {out.scalar(x.type, highest)}}});
}

// Returns whether `value`, cast to `type`, is greater than every int32 (if `above`), or less than every int32.
bool isBeyond(const Number& value, DataType type, bool above) {
  const double typed = webnn::cast(value, type).toDouble();
  return above ? typed > std::numeric_limits<std::int32_t>::max() : typed < std::numeric_limits<std::int32_t>::min();
}

MilValue toInteger(const MilValue& value, DataType type, MilBuilder& out) {
  const MilValue wide = out.cast(value, MilType::float32);
  const MilValue isNumber = compare("equal", wide, wide, out);
  const MilValue number = select(isNumber, wide, filled(MilType::float32, 0, wide.shape, out), out);
  const MilValue whole = saturated(number, type, out);
  const MilValue integer = out.cast(whole, MilType::int32);
  if (bitsPerElement(type) < 32) return integer;
  // A value that was clipped to the greatest float32 below 2^31 must become the greatest int32.
  const MilValue isHuge = compare("greater", number, out.scalar(MilType::float32, 2147483520.0), out);
  return select(isHuge, filled(MilType::int32, std::numeric_limits<std::int32_t>::max(), wide.shape, out), integer, out);
}

}  // namespace

void toMil(const ops::Unary& op, MilBuilder& out) {
  const MilValue x = out[op.input];
  const auto number = [&](double value) { return out.scalar(x.type, value); };
  switch (op.kind) {
    case ops::UnaryKind::neg: return out.setWrapped(0, binary("mul", x, number(-1), out));
    case ops::UnaryKind::log: return out.set(0, unary("log", x, out, {{"epsilon", {number(0)}}}));
    case ops::UnaryKind::sign: {  // the result is 0 for NaN
      const auto is = [&](std::string_view than) { return out.cast(compare(than, x, number(0), out), x.type); };
      return out.set(0, binary("sub", is("greater"), is("less"), out));
    }
    case ops::UnaryKind::reciprocal: return out.set(0, binary("real_div", number(1), x, out));
    default: return out.setWrapped(0, unary(kUnaries[static_cast<std::size_t>(op.kind)], x, out));
  }
}

void toMil(const ops::LogicalUnary& op, MilBuilder& out) {
  const MilValue x = out[op.a];
  if (op.kind == ops::LogicalUnaryKind::logicalNot) return out.set(0, compare("equal", x, out.integer(0), out));
  if (op.kind == ops::LogicalUnaryKind::isNaN || x.type == MilType::int32) return out.set(0, compare("not_equal", x, x, out));
  out.set(0, compare("equal", unary("abs", x, out), out.scalar(x.type, kInfinity), out));
}

void toMil(const ops::Cast& op, MilBuilder& out) {
  const MilValue x = out[op.input];
  if (!isFloat(op.dataType) && isFloat(op.input.dataType())) return out.set(0, toInteger(x, op.dataType, out));
  out.setWrapped(0, out.cast(x, computedType(op.dataType)));
}

void toMil(const ops::Clamp& op, MilBuilder& out) {
  const MilValue x = out[op.input];
  // Integers are computed as int32. A lower bound below every int32 has no effect, nor has an upper bound above every int32. A
  // lower bound above every int32 or an upper bound below every int32 would make every result equal to that bound, which int32
  // cannot represent.
  if (x.type == MilType::int32 &&
      (isBeyond(*op.options.minValue, op.input.dataType(), true) || isBeyond(*op.options.maxValue, op.input.dataType(), false))) {
    out.refuse("a bound that all int32 are beyond");
  }
  const MilValue low = out.scalar(x.type, *op.options.minValue), high = out.scalar(x.type, *op.options.maxValue);
  if (x.type != MilType::int32 && op.options.minValue->toDouble() < op.options.maxValue->toDouble()) {
    return out.set(0, unary("clip", x, out, {{"alpha", {low}}, {"beta", {high}}}));
  }
  out.set(0, binary("minimum", binary("maximum", x, low, out), high, out));
}

}  // namespace webnn::coreml
