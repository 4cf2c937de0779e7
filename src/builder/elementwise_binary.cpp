#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::add(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::add, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::sub(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::sub, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::mul(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::mul, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::div(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::div, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::max(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::max, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::min(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::min, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::pow(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::pow, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::equal(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::equal, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::notEqual(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::notEqual, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::greater(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::greater, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::greaterOrEqual(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::greaterOrEqual, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::lesser(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::lesser, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::lesserOrEqual(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::lesserOrEqual, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::logicalAnd(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::logicalAnd, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::logicalOr(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::logicalOr, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::logicalXor(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::logicalXor, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::where(Operand condition, Operand trueValue, Operand falseValue, OperatorOptions options) {
  return appendOne(ops::Where{std::move(condition), std::move(trueValue), std::move(falseValue), std::move(options)});
}

}  // namespace webnn
