#include <array>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

// The names of MIL's operators, indexed by ops::ActivationKind. hardSwish is composed of other operators.
constexpr std::array<std::string_view, 7> kActivations{"gelu", "", "relu", "sigmoid", "softplus", "softsign", "tanh"};

MilValue hardSigmoid(const MilValue& x, const Number& alpha, const Number& beta, MilBuilder& out) {
  return unary("sigmoid_hard", x, out, {{"alpha", {out.scalar(x.type, alpha)}}, {"beta", {out.scalar(x.type, beta)}}});
}

}  // namespace

void toMil(const ops::Activation& op, MilBuilder& out) {
  const MilValue x = out[op.input];
  if (op.kind == ops::ActivationKind::hardSwish) {
    return out.set(0, binary("mul", x, hardSigmoid(x, 1.0 / 6, 0.5, out), out));
  }
  // of the activations without options, only relu accepts integers
  if (x.type == MilType::int32) return out.set(0, binary("maximum", x, out.integer(0), out));
  Arguments mode;
  if (op.kind == ops::ActivationKind::gelu) mode = {{"mode", {out.text("EXACT")}}};
  out.set(0, unary(kActivations[static_cast<std::size_t>(op.kind)], x, out, std::move(mode)));
}

void toMil(const ops::Elu& op, MilBuilder& out) {
  const MilValue x = out[op.input];
  out.set(0, unary("elu", x, out, {{"alpha", {out.scalar(x.type, op.options.alpha)}}}));
}

void toMil(const ops::LeakyRelu& op, MilBuilder& out) {
  const MilValue x = out[op.input];
  out.set(0, unary("leaky_relu", x, out, {{"alpha", {out.scalar(x.type, op.options.alpha)}}}));
}

void toMil(const ops::HardSigmoid& op, MilBuilder& out) {
  out.set(0, hardSigmoid(out[op.input], op.options.alpha, op.options.beta, out));
}

void toMil(const ops::Linear& op, MilBuilder& out) {
  const MilValue x = out[op.input];
  out.set(0, unary("linear_activation", x, out,
                   {{"alpha", {out.scalar(x.type, op.options.alpha)}}, {"beta", {out.scalar(x.type, op.options.beta)}}}));
}

// MIL's prelu only supports a constant slope per channel, so prelu is emulated with other operations.
void toMil(const ops::Prelu& op, MilBuilder& out) {
  const Shape& to = out.output().shape();
  const MilValue x = expanded(out[op.input], op.input.shape(), to, out);
  const MilValue slope = broadcastable(out[op.slope], op.slope.shape(), to, out);
  const MilValue zero = out.scalar(x.type, 0);
  out.setWrapped(0,
                 binary("add", binary("maximum", x, zero, out), binary("mul", slope, binary("minimum", x, zero, out), out), out));
}

void toMil(const ops::Softmax& op, MilBuilder& out) {
  const AxisView view = viewAlong(op.input.shape(), op.axis);
  const MilValue x = reshape(out[op.input], view.shape, out);
  out.set(0, unary("softmax", x, out, {{"axis", {out.integer(static_cast<std::int64_t>(view.axis))}}}));
}

}  // namespace webnn::coreml
