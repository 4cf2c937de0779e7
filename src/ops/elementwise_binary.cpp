#include "ops/elementwise_binary.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kBinaryRows[] = {
    {"add",
     "a + b",
     "dom-mlgraphbuilder-add",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(like("output", "a").ofRank(kAnyRank))}},
    {"sub",
     "a - b",
     "dom-mlgraphbuilder-sub",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(like("output", "a").ofRank(kAnyRank))}},
    {"mul",
     "a * b",
     "dom-mlgraphbuilder-mul",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(like("output", "a").ofRank(kAnyRank))}},
    {"div",
     "a / b; integers truncate toward zero",
     "dom-mlgraphbuilder-div",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(like("output", "a").ofRank(kAnyRank))}},
    {"max",
     "The greater of a and b",
     "dom-mlgraphbuilder-max",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(like("output", "a").ofRank(kAnyRank))}},
    {"min",
     "The smaller of a and b",
     "dom-mlgraphbuilder-min",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(like("output", "a").ofRank(kAnyRank))}},
    {"pow",
     "a to the power of b",
     "dom-mlgraphbuilder-pow",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(like("output", "a").ofRank(kAnyRank))}},
    {"equal",
     "1 where a = b, else 0",
     "dom-mlgraphbuilder-equal",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"notEqual",
     "1 where a and b differ, else 0",
     "dom-mlgraphbuilder-notequal",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"greater",
     "1 where a > b, else 0",
     "dom-mlgraphbuilder-greater",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"greaterOrEqual",
     "1 where a >= b, else 0",
     "dom-mlgraphbuilder-greaterorequal",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"lesser",
     "1 where a < b, else 0",
     "dom-mlgraphbuilder-lesser",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"lesserOrEqual",
     "1 where a <= b, else 0",
     "dom-mlgraphbuilder-lesserorequal",
     {operand("a", kAny, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"logicalAnd",
     "1 where both are not 0, else 0",
     "dom-mlgraphbuilder-logicaland",
     {operand("a", kUint8, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"logicalOr",
     "1 where either is not 0, else 0",
     "dom-mlgraphbuilder-logicalor",
     {operand("a", kUint8, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"logicalXor",
     "1 where exactly one is not 0, else 0",
     "dom-mlgraphbuilder-logicalxor",
     {operand("a", kUint8, kAnyRank), like("b", "a").ofRank(kAnyRank), output(operand("output", kUint8, kAnyRank))}},
};

constexpr OperationRow kWhereRows[] = {
    {"where",
     "trueValue where condition is not 0, else falseValue",
     "dom-mlgraphbuilder-where",
     {operand("condition", kUint8, kAnyRank), operand("trueValue", kAnyAndInt4s, kAnyRank),
      like("falseValue", "trueValue").ofRank(kAnyRank), output(like("output", "trueValue").ofRank(kAnyRank))}},
};

}  // namespace

std::span<const OperationRow> Binary::rows() { return kBinaryRows; }
std::span<const OperationRow> Where::rows() { return kWhereRows; }

Outputs infer(Binary& op) {
  const DataType type = op.kind < BinaryKind::equal ? op.a.dataType() : DataType::uint8;
  return {{type, broadcastShape(op, "a", op.a.shape(), "b", op.b.shape())}};
}

Outputs infer(Where& op) {
  const Shape values = broadcastShape(op, "trueValue", op.trueValue.shape(), "falseValue", op.falseValue.shape());
  return {{op.trueValue.dataType(), broadcastShape(op, "condition", op.condition.shape(), "trueValue and falseValue", values)}};
}

}  // namespace webnn::ops
