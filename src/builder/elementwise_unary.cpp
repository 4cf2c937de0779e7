#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::abs(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::abs, std::move(input), std::move(options)});
}

Operand GraphBuilder::ceil(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::ceil, std::move(input), std::move(options)});
}

Operand GraphBuilder::cos(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::cos, std::move(input), std::move(options)});
}

Operand GraphBuilder::erf(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::erf, std::move(input), std::move(options)});
}

Operand GraphBuilder::exp(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::exp, std::move(input), std::move(options)});
}

Operand GraphBuilder::floor(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::floor, std::move(input), std::move(options)});
}

Operand GraphBuilder::identity(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::identity, std::move(input), std::move(options)});
}

Operand GraphBuilder::log(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::log, std::move(input), std::move(options)});
}

Operand GraphBuilder::neg(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::neg, std::move(input), std::move(options)});
}

Operand GraphBuilder::reciprocal(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::reciprocal, std::move(input), std::move(options)});
}

Operand GraphBuilder::roundEven(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::roundEven, std::move(input), std::move(options)});
}

Operand GraphBuilder::sin(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::sin, std::move(input), std::move(options)});
}

Operand GraphBuilder::sign(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::sign, std::move(input), std::move(options)});
}

Operand GraphBuilder::sqrt(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::sqrt, std::move(input), std::move(options)});
}

Operand GraphBuilder::tan(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::tan, std::move(input), std::move(options)});
}

Operand GraphBuilder::logicalNot(Operand a, OperatorOptions options) {
  return appendOne(ops::LogicalUnary{ops::LogicalUnaryKind::logicalNot, std::move(a), std::move(options)});
}

Operand GraphBuilder::isNaN(Operand a, OperatorOptions options) {
  return appendOne(ops::LogicalUnary{ops::LogicalUnaryKind::isNaN, std::move(a), std::move(options)});
}

Operand GraphBuilder::isInfinite(Operand a, OperatorOptions options) {
  return appendOne(ops::LogicalUnary{ops::LogicalUnaryKind::isInfinite, std::move(a), std::move(options)});
}

Operand GraphBuilder::cast(Operand input, DataType dataType, OperatorOptions options) {
  return appendOne(ops::Cast{std::move(input), dataType, std::move(options)});
}

Operand GraphBuilder::clamp(Operand input, ClampOptions options) {
  return appendOne(ops::Clamp{std::move(input), std::move(options)});
}

}  // namespace webnn
