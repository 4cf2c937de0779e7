#include "ops/normalization.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

void requireShape(Subject op, std::string_view operandName, const Operand& operand, const Shape& expected) {
  const Shape& shape = operand.shape();
  if (canEqual(shape, expected)) return;
  fail(op, ErrorKind::typeError, "{} shape ({}) is not {}.", operandName, toString(shape), toString(expected));
}

// Performs the steps that all normalizations share: casts epsilon, and checks the shapes of scale and bias.
void resolve(auto& op, const Shape& affineShape) {
  op.options.epsilon = cast(op.options.epsilon, op.input.dataType()).toDouble();
  if (op.options.scale) requireShape(op, "scale", *op.options.scale, affineShape);
  if (op.options.bias) requireShape(op, "bias", *op.options.bias, affineShape);
}

}  // namespace

constinit const OperationRow BatchNormalization::rows[] = {
    {"batchNormalization",
     "Normalizes each channel with a given mean and variance",
     {operand("input", kFloats, rankFrom(1)), like("mean", "input").ofRank(rank(1)), like("variance", "input").ofRank(rank(1)),
      like("scale", "input").ofRank(rank(1)), like("bias", "input").ofRank(rank(1)), output(like("output", "input"))}},
};

constinit const OperationRow InstanceNormalization::rows[] = {
    {"instanceNormalization",
     "Normalizes each channel of each image",
     {operand("input", kFloats, rank(4)), like("scale", "input").ofRank(rank(1)), like("bias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(4)))}},
};

constinit const OperationRow LayerNormalization::rows[] = {
    {"layerNormalization",
     "Normalizes along axes to mean 0 and variance 1, then applies scale and bias",
     {operand("input", kFloats, kAnyRank), like("scale", "input").ofRank(kAnyRank), like("bias", "input").ofRank(kAnyRank),
      output(like("output", "input"))}},
};

Outputs infer(BatchNormalization& op) {
  requireAxis(op, op.options.axis, op.input.rank());
  const Shape perChannel{op.input.shape()[op.options.axis]};
  requireShape(op, "mean", op.mean, perChannel);
  requireShape(op, "variance", op.variance, perChannel);
  resolve(op, perChannel);
  return {op.input.descriptor()};
}

Outputs infer(InstanceNormalization& op) {
  const std::size_t axis = op.options.layout == InputOperandLayout::nchw ? 1 : 3;
  resolve(op, {op.input.shape()[axis]});
  return {op.input.descriptor()};
}

Outputs infer(LayerNormalization& op) {
  const Shape& shape = op.input.shape();
  if (!op.options.axes) {
    op.options.axes = allAxes(shape.size());
    if (!shape.empty()) op.options.axes->erase(op.options.axes->begin());
  }
  requireAxes(op, *op.options.axes, shape.size());
  Shape sizes;  // the sizes of the normalized dimensions, in the order of options.axes
  for (const std::uint32_t axis : *op.options.axes) sizes.push_back(shape[axis]);
  resolve(op, sizes);
  return {op.input.descriptor()};
}

}  // namespace webnn::ops
