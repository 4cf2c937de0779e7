#include "ops/elementwise_binary.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow binaryRow(std::string_view name, std::string_view summary, DataTypeSet types, OperandRule result) {
  return {name, summary, {operand("a", types), like("b", "a").ofRank(kAnyRank), output(result.ofRank(kAnyRank))}};
}
constexpr OperationRow arithmeticRow(std::string_view name, std::string_view summary) {
  return binaryRow(name, summary, kAny, like("output", "a"));
}
constexpr OperationRow conditionRow(std::string_view name, std::string_view summary, DataTypeSet types) {
  return binaryRow(name, summary, types, operand("output", kUint8));
}

}  // namespace

constinit const OperationRow Binary::rows[] = {
    arithmeticRow("add", "a + b"),
    arithmeticRow("sub", "a - b"),
    arithmeticRow("mul", "a * b"),
    arithmeticRow("div", "a / b; integers truncate toward zero"),
    arithmeticRow("max", "Computes the greater of a and b"),
    arithmeticRow("min", "Computes the smaller of a and b"),
    arithmeticRow("pow", "a to the power of b"),
    conditionRow("equal", "1 where a = b, else 0", kAny),
    conditionRow("notEqual", "1 where a and b differ, else 0", kAny),
    conditionRow("greater", "1 where a > b, else 0", kAny),
    conditionRow("greaterOrEqual", "1 where a >= b, else 0", kAny),
    conditionRow("lesser", "1 where a < b, else 0", kAny),
    conditionRow("lesserOrEqual", "1 where a <= b, else 0", kAny),
    conditionRow("logicalAnd", "1 where neither a nor b is 0, else 0", kUint8),
    conditionRow("logicalOr", "1 where a or b is not 0, else 0", kUint8),
    conditionRow("logicalXor", "1 where exactly one of a and b is not 0, else 0", kUint8),
};

constinit const OperationRow Where::rows[] = {
    {"where",
     "trueValue where condition is not 0, else falseValue",
     {operand("condition", kUint8, kAnyRank), operand("trueValue", kAnyAndInt4s, kAnyRank),
      like("falseValue", "trueValue").ofRank(kAnyRank), output(like("output", "trueValue").ofRank(kAnyRank))}},
};

Outputs infer(Binary& op) {
  const DataType type = op.kind < BinaryKind::equal ? op.a.dataType() : DataType::uint8;
  return {{type, broadcastShape(op, "a", op.a.shape(), "b", op.b.shape())}};
}

Outputs infer(Where& op) {
  const Shape values = broadcastShape(op, "trueValue", op.trueValue.shape(), "falseValue", op.falseValue.shape());
  return {{op.trueValue.dataType(), broadcastShape(op, "condition", op.condition.shape(), "trueValue and falseValue", values)}};
}

}  // namespace webnn::ops
