#include "measure/graph_work.h"

namespace webnn::measure {

namespace {

std::uint64_t elements(const Operand& operand) { return elementCount(operand.descriptor()); }

template <typename Op>
std::uint64_t multiplyAdds(const Op&, const Operand&) {
  return 0;
}

// Each output element needs one multiply-add for each filter weight of its output channel.
std::uint64_t multiplyAdds(const ops::Conv2d& op, const Operand& output) {
  return elements(output) * (elements(op.filter) / op.filter.shape()[ops::axesOf(op.options.filterLayout).output]);
}

// Each input element is multiplied by all filter weights of its input channel.
std::uint64_t multiplyAdds(const ops::ConvTranspose2d& op, const Operand&) {
  return elements(op.input) * (elements(op.filter) / op.filter.shape()[ops::axesOf(op.options.filterLayout).input]);
}

std::uint64_t multiplyAdds(const ops::Matmul& op, const Operand& output) { return elements(output) * op.a.shape().back(); }

std::uint64_t multiplyAdds(const ops::Gemm& op, const Operand& output) {
  return elements(output) * op.a.shape()[op.options.aTranspose ? 0 : 1];
}

// Each step of each sequence uses every weight once. With two directions, the weights include both directions.
std::uint64_t ofNetwork(const auto& op) {
  return std::uint64_t{op.steps} * op.input.shape()[1] * (elements(op.weight) + elements(op.recurrentWeight));
}
std::uint64_t multiplyAdds(const ops::Lstm& op, const Operand&) { return ofNetwork(op); }
std::uint64_t multiplyAdds(const ops::Gru& op, const Operand&) { return ofNetwork(op); }

std::uint64_t ofCell(const auto& op) { return op.input.shape()[0] * (elements(op.weight) + elements(op.recurrentWeight)); }
std::uint64_t multiplyAdds(const ops::LstmCell& op, const Operand&) { return ofCell(op); }
std::uint64_t multiplyAdds(const ops::GruCell& op, const Operand&) { return ofCell(op); }

}  // namespace

std::uint64_t flopOf(const Operation& operation, const Operand& output) {
  return std::visit([&](const auto& op) { return 2 * multiplyAdds(op, output); },
                    static_cast<const OperationVariant&>(operation));
}

std::uint64_t flopOf(const GraphDefinition& graph) {
  std::uint64_t flop = 0;
  for (const Node& node : graph.nodes) flop += flopOf(node.operation, node.outputs[0]);
  return flop;
}

}  // namespace webnn::measure
