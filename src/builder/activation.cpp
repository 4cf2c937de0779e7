#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::gelu(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::gelu, std::move(input), std::move(options)});
}

Operand GraphBuilder::hardSwish(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::hardSwish, std::move(input), std::move(options)});
}

Operand GraphBuilder::relu(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::relu, std::move(input), std::move(options)});
}

Operand GraphBuilder::sigmoid(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::sigmoid, std::move(input), std::move(options)});
}

Operand GraphBuilder::softplus(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::softplus, std::move(input), std::move(options)});
}

Operand GraphBuilder::softsign(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::softsign, std::move(input), std::move(options)});
}

Operand GraphBuilder::tanh(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::tanh, std::move(input), std::move(options)});
}

Operand GraphBuilder::elu(Operand input, EluOptions options) { return appendOne(ops::Elu{std::move(input), std::move(options)}); }

Operand GraphBuilder::leakyRelu(Operand input, LeakyReluOptions options) {
  return appendOne(ops::LeakyRelu{std::move(input), std::move(options)});
}

Operand GraphBuilder::hardSigmoid(Operand input, HardSigmoidOptions options) {
  return appendOne(ops::HardSigmoid{std::move(input), std::move(options)});
}

Operand GraphBuilder::linear(Operand input, LinearOptions options) {
  return appendOne(ops::Linear{std::move(input), std::move(options)});
}

Operand GraphBuilder::prelu(Operand input, Operand slope, OperatorOptions options) {
  return appendOne(ops::Prelu{std::move(input), std::move(slope), std::move(options)});
}

Operand GraphBuilder::softmax(Operand input, std::uint32_t axis, OperatorOptions options) {
  return appendOne(ops::Softmax{std::move(input), axis, std::move(options)});
}

}  // namespace webnn
