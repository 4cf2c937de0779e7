#include <array>

#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

// Operator names, indexed by ops::ActivationKind.
constexpr std::array<std::string_view, 7> kActivationOperators{"Gelu",     "HardSwish", "Relu", "Sigmoid",
                                                               "Softplus", "Softsign",  "Tanh"};

}  // namespace

void toOnnx(const ops::Activation& op, Exporter& out) {
  const std::string_view opType = kActivationOperators[static_cast<std::size_t>(op.kind)];
  const OnnxValue x = out[op.input];
  if (out.target().isCuda && op.kind == ops::ActivationKind::gelu && op.input.shape().empty()) {
    return out.set(0, out.reshape(out.add(opType, {out.reshape(x, {1})}), {}));
  }
  // Among the activations, only relu takes integers. Use Max, because ONNX Runtime fails to fuse Relu and Clip of integers.
  out.set(0, !isFloat(op.input.dataType()) ? out.add("Max", {x, out.scalar(x.type, 0)}) : out.add(opType, {x}));
}

void toOnnx(const ops::Elu& op, Exporter& out) {
  out.set(0, out.add("Elu", {out[op.input]}, {{"alpha", static_cast<float>(op.options.alpha)}}));
}

void toOnnx(const ops::LeakyRelu& op, Exporter& out) {
  out.set(0, out.add("LeakyRelu", {out[op.input]}, {{"alpha", static_cast<float>(op.options.alpha)}}));
}

void toOnnx(const ops::HardSigmoid& op, Exporter& out) {
  const OnnxValue x = out[op.input];
  if (out.canTake("HardSigmoid", x.type)) {
    return out.set(0, out.add("HardSigmoid", {x},
                              {{"alpha", static_cast<float>(op.options.alpha)}, {"beta", static_cast<float>(op.options.beta)}}));
  }
  const auto number = [&](double value) { return out.scalar(x.type, value); };
  const OnnxValue line = out.add("Add", {out.add("Mul", {x, number(op.options.alpha)}), number(op.options.beta)});
  out.set(0, out.add("Clip", {line, number(0), number(1)}));
}

void toOnnx(const ops::Linear& op, Exporter& out) {
  OnnxValue y = out[op.input];
  if (op.options.alpha != 1) y = out.add("Mul", {y, out.scalar(y.type, op.options.alpha)});
  if (op.options.beta != 0) y = out.add("Add", {y, out.scalar(y.type, op.options.beta)});
  out.set(0, y);
}

void toOnnx(const ops::Prelu& op, Exporter& out) {
  OnnxValue x = out[op.input];
  const OnnxValue slope = out[op.slope];
  if (isFloat(op.input.dataType())) {
    // PRelu broadcasts only its slope to the input, so expand the input first.
    if (op.input.shape() != out.output().shape()) x = out.add("Expand", {x, out.integers(out.output().shape())});
    out.set(0, out.add("PRelu", {x, slope}));
  } else {
    const OnnxValue zero = out.scalar(x.type, 0);
    out.set(0, out.add("Add", {out.add("Max", {x, zero}), out.add("Mul", {slope, out.add("Min", {x, zero})})}));
  }
}

void toOnnx(const ops::Softmax& op, Exporter& out) {
  out.set(0, out.add("Softmax", {out[op.input]}, {{"axis", std::int64_t{op.axis}}}));
}

}  // namespace webnn::onnx
