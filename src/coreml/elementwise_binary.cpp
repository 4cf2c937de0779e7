#include <array>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

using ops::BinaryKind;

// The names of MIL's operators, indexed by ops::BinaryKind.
constexpr std::array<std::string_view, 16> kBinaries{
    "add",       "sub",     "mul",           "real_div", "maximum",    "minimum",     "pow",        "equal",
    "not_equal", "greater", "greater_equal", "less",     "less_equal", "logical_and", "logical_or", "logical_xor"};

MilValue isNot(const MilValue& x, std::int64_t y, MilBuilder& out) { return compare("not_equal", x, out.integer(y), out); }

MilValue both(const MilValue& a, const MilValue& b, MilBuilder& out) { return binary("logical_and", a, b, out); }

bool isSigned(DataType type) { return type == DataType::int32 || type == DataType::int64 || type == DataType::int8; }

// Divides integers and truncates toward zero; x / 0 is 0. MIL's floor_div rounds down.
MilValue quotient(const MilValue& a, const MilValue& b, DataType type, MilBuilder& out) {
  const MilValue zero = out.integer(0);
  const MilValue isZero = compare("equal", b, zero, out);
  const MilValue divisor = binary("add", b, out.cast(isZero, MilType::int32), out);  // 1 where b is 0
  MilValue result = binary("floor_div", a, divisor, out);
  if (isSigned(type)) {
    const MilValue rest = binary("sub", a, binary("mul", result, divisor, out), out);
    const MilValue differ = binary("logical_xor", compare("less", a, zero, out), compare("less", divisor, zero, out), out);
    result = binary("add", result, out.cast(both(isNot(rest, 0, out), differ, out), MilType::int32), out);
  }
  return binary("mul", result, out.cast(isNot(b, 0, out), MilType::int32), out);
}

// MIL does not define integer powers with a negative exponent. For those, this computes 1 / a^-b, truncated: 0 unless a is 1 or
// -1.
MilValue power(const MilValue& a, const MilValue& b, MilBuilder& out) {
  const MilValue zero = out.integer(0);
  const MilValue isNegative = compare("less", b, zero, out);
  const MilValue parity = binary("mod", b, out.integer(2), out);
  const MilValue isOne = compare("equal", unary("abs", a, out), out.integer(1), out);
  const MilValue inverse = binary("mul", binary("pow", a, parity, out), out.cast(isOne, MilType::int32), out);
  return select(isNegative, inverse, binary("pow", a, binary("maximum", b, zero, out), out), out);
}

}  // namespace

void toMil(const ops::Binary& op, MilBuilder& out) {
  const Shape& to = out.output().shape();
  MilValue a = broadcastable(out[op.a], op.a.shape(), to, out), b = broadcastable(out[op.b], op.b.shape(), to, out);
  const std::string_view name = kBinaries[static_cast<std::size_t>(op.kind)];
  if (op.kind >= BinaryKind::logicalAnd) {
    return out.set(0, binary(name, isNot(a, 0, out), isNot(b, 0, out), out));
  }
  if (op.kind >= BinaryKind::equal) return out.set(0, compare(name, a, b, out));
  if (op.kind == BinaryKind::div && a.type == MilType::int32) return out.setWrapped(0, quotient(a, b, op.a.dataType(), out));
  if (op.kind == BinaryKind::pow && isSigned(op.a.dataType())) return out.setWrapped(0, power(a, b, out));
  out.setWrapped(0, binary(name, a, b, out));
}

void toMil(const ops::Where& op, MilBuilder& out) {
  const Shape& to = out.output().shape();
  const MilValue condition = broadcastable(out.cast(out[op.condition], MilType::boolean), op.condition.shape(), to, out);
  // MIL infers the shape from a and b only, so a is expanded to the result's shape.
  const MilValue a = expanded(out[op.trueValue], op.trueValue.shape(), to, out);
  out.set(0, select(condition, a, broadcastable(out[op.falseValue], op.falseValue.shape(), to, out), out));
}

}  // namespace webnn::coreml
