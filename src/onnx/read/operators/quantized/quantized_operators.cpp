#include "onnx/read/operators/quantized/quantized_operators.h"

#include "onnx/read/operators/pool.h"
#include "onnx/read/operators/quantized/quantization.h"
#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

namespace {

// Computes a unary operator. Inputs: x, its scale and zero point, then the result's scale and zero point.
template <typename Compute>
void importUnary(NodeContext& node, Compute compute) {
  setQuantized(node, compute(dequantizedInput(node, 0)), 3, 0);
}

void importBinary(NodeContext& node, auto compute) {
  setQuantized(node, compute(dequantizedInput(node, 0), dequantizedInput(node, 3)), 6, 0);
}

Operand withChannelsFirst(NodeContext& node, const Operand& x, auto compute) {
  return node.flag("channels_last") ? channelsLast(node, compute(channelsFirst(node, x))) : compute(x);
}

}  // namespace

void importQLinearAdd(NodeContext& node) {
  importBinary(node, [&](const Operand& a, const Operand& b) { return node.builder.add(a, b); });
}

void importQLinearMul(NodeContext& node) {
  importBinary(node, [&](const Operand& a, const Operand& b) { return node.builder.mul(a, b); });
}

void importQLinearSigmoid(NodeContext& node) {
  importUnary(node, [&](const Operand& x) { return node.builder.sigmoid(x); });
}

void importQLinearLeakyRelu(NodeContext& node) {
  importUnary(node,
              [&](const Operand& x) { return node.builder.leakyRelu(x, {.alpha = node.number("alpha", 0.01), .label = {}}); });
}

void importQLinearAveragePool(NodeContext& node) {
  importUnary(node, [&](const Operand& x) {
    return withChannelsFirst(node, x, [&](const Operand& image) { return averagePool(node, image); });
  });
}

void importQLinearGlobalAveragePool(NodeContext& node) {
  importUnary(node, [&](const Operand& x) {
    return withChannelsFirst(node, x, [&](const Operand& image) { return globalAveragePool(node, image); });
  });
}

void importQLinearReduceMean(NodeContext& node) {
  importUnary(node, [&](const Operand& x) {
    const std::vector<std::int64_t> axes = node.integers("axes").value_or(std::vector<std::int64_t>{});
    OptionalSizes reduced;  // absent: all dimensions
    if (!axes.empty()) reduced = node.axes(axes, x.rank());
    return node.builder.reduceMean(x, {.axes = reduced, .keepDimensions = node.flag("keepdims", true), .label = {}});
  });
}

// If the attribute opset is below 13, normalizes over all dimensions from the axis on, as ONNX's Softmax did before version 13.
void importQLinearSoftmax(NodeContext& node) {
  importUnary(node, [&](const Operand& x) {
    const bool isFlat = node.integer("opset", 13) < 13;
    const std::uint32_t axis = node.axis(node.integer("axis", isFlat ? 1 : -1), x.rank());
    if (!isFlat) return node.builder.softmax(x, axis);
    const auto sizes = std::span(x.shape());
    const Operand flat = node.reshape(x, {product(sizes.first(axis)), product(sizes.subspan(axis))});
    return node.reshape(node.builder.softmax(flat, 1), x.shape());
  });
}

// Inputs: scale and zero point of the result, then x, scale and zero point of each operand.
void importQLinearConcat(NodeContext& node) {
  std::vector<Operand> operands;
  if (node.inputCount() % 3 != 2) {
    fail(ErrorKind::dataError, "{} inputs are not two and three for each operand.", node.inputCount());
  }
  for (std::size_t i = 2; i < node.inputCount(); i += 3) operands.push_back(dequantizedInput(node, i));
  if (operands.empty()) fail(ErrorKind::dataError, "it has no operands.");
  setQuantized(node, node.builder.concat(operands, node.axis(node.integer("axis", 0), operands[0].rank())), 0, 2);
}

// Inputs: condition; x, scale and zero point of each operand; scale and zero point of the result.
void importQLinearWhere(NodeContext& node) {
  setQuantized(node, node.builder.where(node.operand(0), dequantizedInput(node, 1), dequantizedInput(node, 4)), 7, 1);
}

}  // namespace webnn::formats::onnx
