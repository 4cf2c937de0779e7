#include "onnx/write/operator_set.h"

#include <algorithm>

namespace webnn::onnx {

namespace {

bool hasFourBits(const Operand& operand) { return bitsPerElement(operand.dataType()) == 4; }

bool hasFourBitResults(const Node& node) { return std::ranges::any_of(node.outputs, hasFourBits); }

}  // namespace

std::int64_t operatorSetOf(const GraphDefinition& graph) {
  const bool needsLater = std::ranges::any_of(graph.inputs, hasFourBits) || std::ranges::any_of(graph.constants, hasFourBits) ||
                          std::ranges::any_of(graph.nodes, hasFourBitResults);
  return needsLater ? kLaterOperatorSet : kOperatorSet;
}

}  // namespace webnn::onnx
