#include "ops/activation.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kActivationRows[] = {
    unaryRow("gelu", "0.5 * x * (1 + erf(x / sqrt(2)))", "dom-mlgraphbuilder-gelu", kFloats, kAnyRank),
    unaryRow("hardSwish", "x * max(0, min(6, x + 3)) / 6", "dom-mlgraphbuilder-hardswish", kFloats, kAnyRank),
    unaryRow("relu", "max(0, x)", "dom-mlgraphbuilder-relu", kSigned, kAnyRank),
    unaryRow("sigmoid", "1 / (1 + exp(-x))", "dom-mlgraphbuilder-sigmoid", kFloats, kAnyRank),
    unaryRow("softplus", "log(1 + exp(x))", "dom-mlgraphbuilder-softplus", kFloats, kAnyRank),
    unaryRow("softsign", "x / (1 + |x|)", "dom-mlgraphbuilder-softsign", kFloats, kAnyRank),
    unaryRow("tanh", "The hyperbolic tangent", "dom-mlgraphbuilder-tanh", kFloats, kAnyRank),
};

constexpr OperationRow kEluRows[] = {
    unaryRow("elu", "max(0, x) + alpha * (exp(min(0, x)) - 1)", "dom-mlgraphbuilder-elu", kFloats, kAnyRank),
};

constexpr OperationRow kLeakyReluRows[] = {
    unaryRow("leakyRelu", "max(0, x) + alpha * min(0, x)", "dom-mlgraphbuilder-leakyrelu", kFloats, kAnyRank),
};

constexpr OperationRow kHardSigmoidRows[] = {
    unaryRow("hardSigmoid", "max(0, min(1, alpha * x + beta))", "dom-mlgraphbuilder-hardsigmoid", kFloats, kAnyRank),
};

constexpr OperationRow kLinearRows[] = {
    unaryRow("linear", "alpha * x + beta", "dom-mlgraphbuilder-linear", kFloats, kAnyRank),
};

constexpr OperationRow kPreluRows[] = {
    {"prelu",
     "max(0, x) + slope * min(0, x)",
     "dom-mlgraphbuilder-prelu",
     {operand("input", kSigned, kAnyRank), like("slope", "input").ofRank(kAnyRank),
      output(like("output", "input").ofRank(kAnyRank))}},
};

constexpr OperationRow kSoftmaxRows[] = {
    unaryRow("softmax", "exp(x) / sum(exp(x)) along an axis", "dom-mlgraphbuilder-softmax", kFloats, rankFrom(1)),
};

// "Set the option to the result of casting it to the input's data type."
void castOption(double& option, const Operand& input) { option = webnn::cast(option, input.dataType()).toDouble(); }

}  // namespace

std::span<const OperationRow> Activation::rows() { return kActivationRows; }
std::span<const OperationRow> Elu::rows() { return kEluRows; }
std::span<const OperationRow> LeakyRelu::rows() { return kLeakyReluRows; }
std::span<const OperationRow> HardSigmoid::rows() { return kHardSigmoidRows; }
std::span<const OperationRow> Linear::rows() { return kLinearRows; }
std::span<const OperationRow> Prelu::rows() { return kPreluRows; }
std::span<const OperationRow> Softmax::rows() { return kSoftmaxRows; }

Outputs infer(Activation& op) { return {op.input.descriptor()}; }

Outputs infer(Elu& op) {
  castOption(op.options.alpha, op.input);
  return {op.input.descriptor()};
}

Outputs infer(LeakyRelu& op) {
  castOption(op.options.alpha, op.input);
  return {op.input.descriptor()};
}

Outputs infer(HardSigmoid& op) {
  castOption(op.options.alpha, op.input);
  castOption(op.options.beta, op.input);
  return {op.input.descriptor()};
}

Outputs infer(Linear& op) {
  castOption(op.options.alpha, op.input);
  castOption(op.options.beta, op.input);
  return {op.input.descriptor()};
}

Outputs infer(Prelu& op) {
  return {{op.input.dataType(), broadcastShape(op, "input", op.input.shape(), "slope", op.slope.shape())}};
}

Outputs infer(Softmax& op) {
  requireAxis(op, op.axis, op.input.rank());
  return {op.input.descriptor()};
}

}  // namespace webnn::ops
