#include "ops/activation.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// Casts an option to the input's data type, as the specification's steps require.
void castOption(double& option, const Operand& input) { option = webnn::cast(option, input.dataType()).toDouble(); }

}  // namespace

constinit const OperationRow Activation::rows[] = {
    unaryRow("gelu", "0.5 * x * (1 + erf(x / sqrt(2)))", kFloats, kAnyRank),
    unaryRow("hardSwish", "x * max(0, min(6, x + 3)) / 6", kFloats, kAnyRank),
    unaryRow("relu", "max(0, x)", kSigned, kAnyRank),
    unaryRow("sigmoid", "1 / (1 + exp(-x))", kFloats, kAnyRank),
    unaryRow("softplus", "log(1 + exp(x))", kFloats, kAnyRank),
    unaryRow("softsign", "x / (1 + |x|)", kFloats, kAnyRank),
    unaryRow("tanh", "Computes the hyperbolic tangent", kFloats, kAnyRank),
};

constinit const OperationRow Elu::rows[] = {
    unaryRow("elu", "max(0, x) + alpha * (exp(min(0, x)) - 1)", kFloats, kAnyRank),
};

constinit const OperationRow LeakyRelu::rows[] = {
    unaryRow("leakyRelu", "max(0, x) + alpha * min(0, x)", kFloats, kAnyRank),
};

constinit const OperationRow HardSigmoid::rows[] = {
    unaryRow("hardSigmoid", "max(0, min(1, alpha * x + beta))", kFloats, kAnyRank),
};

constinit const OperationRow Linear::rows[] = {
    unaryRow("linear", "alpha * x + beta", kFloats, kAnyRank),
};

constinit const OperationRow Prelu::rows[] = {
    {"prelu",
     "max(0, x) + slope * min(0, x)",
     {operand("input", kSigned, kAnyRank), like("slope", "input").ofRank(kAnyRank),
      output(like("output", "input").ofRank(kAnyRank))}},
};

constinit const OperationRow Softmax::rows[] = {
    unaryRow("softmax", "exp(x) / sum(exp(x)) along an axis", kFloats, rankFrom(1)),
};

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
