// WebNN has no bitwise operations on integers. Shifts become products and quotients, and BitwiseNot a subtraction. The other
// operators split numbers into bits along an extra dimension.
#include <cmath>

#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

bool isSigned(DataType type) { return type == DataType::int8 || type == DataType::int32 || type == DataType::int64; }

DataType unsignedType(DataType type) {
  switch (type) {
    case DataType::int8: return DataType::uint8;
    case DataType::int32: return DataType::uint32;
    case DataType::int64: return DataType::uint64;
    default: return type;
  }
}

unsigned widthOf(DataType type) { return static_cast<unsigned>(bitsPerElement(type)); }

// Returns 2^0, 2^1, ... 2^(width - 1), then `last` if given.
Operand powersOfTwo(NodeContext& node, DataType type, unsigned width, std::optional<double> last) {
  std::vector<double> powers;
  for (unsigned i = 0; i < width; ++i) powers.push_back(std::ldexp(1.0, static_cast<int>(i)));
  if (last) powers.push_back(*last);
  return node.constant(type, {static_cast<std::uint32_t>(powers.size())}, powers);
}

// Returns 2^shift in an unsigned type, or `beyond` if the shift is negative or at least the width.
Term powerOf(const Term& shift, DataType type, double beyond) {
  NodeContext& node = shift.node();
  const int width = static_cast<int>(widthOf(type));
  Term index = min(shift, width);
  if (isSigned(shift.dataType())) index = where(shift < 0, width, index);
  return {node, node.builder.gather(powersOfTwo(node, type, widthOf(type), beyond), node.cast(index, DataType::int32))};
}

Term shiftLeft(const Term& x, const Term& shift) {
  const DataType type = unsignedType(x.dataType());
  return cast(cast(x, type) * powerOf(shift, type, 0), x.dataType());
}

// Shifts right arithmetically. A negative x is complemented before and after the shift, which fills in copies of the sign bit.
Term shiftRight(const Term& x, const Term& shift) {
  const DataType type = unsignedType(x.dataType());
  const bool hasSign = isSigned(x.dataType());
  const Term positive = cast(hasSign ? where(x < 0, -1 - x, x) : x, type);
  // 0 marks shifts beyond the width. max(power, 1) avoids a division by 0.
  const Term power = powerOf(shift, type, 0);
  const Term shifted = cast(where(power == 0, 0, positive / max(power, 1)), x.dataType());
  return hasSign ? where(x < 0, -1 - shifted, shifted) : shifted;
}

void importBitShift(NodeContext& node) {
  const std::string_view direction = node.text("direction", "");
  node.require(direction == "LEFT" || direction == "RIGHT", "direction {}: neither LEFT nor RIGHT", webnn::quoted(direction));
  node.set(0, direction == "LEFT" ? shiftLeft(input(node, 0), input(node, 1)) : shiftRight(input(node, 0), input(node, 1)));
}

// Splits integers into bits along a new last dimension.
Term bitsOf(const Term& x, DataType computed) {
  NodeContext& node = x.node();
  const DataType type = x.dataType();
  Shape shape = static_cast<const Operand&>(x).shape();
  shape.push_back(1);
  const Term column(node, node.reshape(cast(cast(x, unsignedType(type)), computed), std::move(shape)));
  const Term halves = column / Term(node, powersOfTwo(node, computed, widthOf(type), std::nullopt));
  return halves - halves / 2 * 2;
}

Term andOf(const Term& a, const Term& b) { return min(a, b); }
Term orOf(const Term& a, const Term& b) { return max(a, b); }
Term xorOf(const Term& a, const Term& b) { return max(a, b) - min(a, b); }

// Combines the bits of a and b and packs the result into integers.
template <Term (*combine)(const Term&, const Term&)>
void importBitwise(NodeContext& node) {
  const DataType type = node.operand(0).dataType();
  const DataType computed = widthOf(type) == 64 ? DataType::uint64 : DataType::uint32;  // reduceSum takes no 8-bit integers
  const Term bits = combine(bitsOf(input(node, 0), computed), bitsOf(input(node, 1), computed));
  const Operand weighed = bits * Term(node, powersOfTwo(node, computed, widthOf(type), std::nullopt));
  const auto last = static_cast<std::uint32_t>(weighed.rank() - 1);
  node.set(0, node.cast(node.cast(node.builder.reduceSum(weighed, {.axes = {last}, .label = {}}), unsignedType(type)), type));
}

void importBitwiseNot(NodeContext& node) {
  const Term x = input(node, 0);
  const DataType type = x.dataType();
  // the constant 2^width saturates at the unsigned type's maximum, such as 255
  node.set(0, isSigned(type) ? -1 - x : std::ldexp(1.0, static_cast<int>(widthOf(type))) - x);
}

}  // namespace

std::span<const OperatorImport> bitwiseOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "BitShift", importBitShift},         {"", "BitwiseAnd", importBitwise<andOf>}, {"", "BitwiseOr", importBitwise<orOf>},
      {"", "BitwiseXor", importBitwise<xorOf>}, {"", "BitwiseNot", importBitwiseNot},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
