#include "onnx/write/dataflow.h"

#include <variant>

#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

// A use of an operand as weights, with the dimension of the operand's output channels.
struct Use {
  std::string_view operand;
  std::size_t axis;
};

std::optional<Use> weightsOf(const Operation& operation) {
  if (const auto* const conv = std::get_if<ops::Conv2d>(&operation)) {
    return Use{"filter", ops::axesOf(conv->options.filterLayout).output};
  }
  if (const auto* const gemm = std::get_if<ops::Gemm>(&operation)) return Use{"b", gemm->options.bTranspose ? 0u : 1u};
  const auto* const matmul = std::get_if<ops::Matmul>(&operation);
  if (matmul && matmul->b.rank() == 2) return Use{"b", 1};
  return std::nullopt;
}

}  // namespace

Dataflow::Dataflow(const GraphDefinition& graph) {
  for (const Node& node : graph.nodes) {
    for (const Operand& output : node.outputs) producers_[&output.record()] = &node.operation;
    const std::optional<Use> weights = weightsOf(node.operation);
    visitOperands(node.operation, [&](std::string_view name, const Operand& operand) {
      use(operand, weights && weights->operand == name ? std::optional(weights->axis) : std::nullopt);
    });
  }
}

const Operation* Dataflow::producer(const Operand& operand) const {
  const auto found = producers_.find(&operand.record());
  return found == producers_.end() ? nullptr : found->second;
}

const Operation* Dataflow::maker(const Operand& operand) const {
  const Operation* made = producer(operand);
  while (const auto* const copy = made ? std::get_if<ops::Unary>(made) : nullptr) {
    if (copy->kind != ops::UnaryKind::identity) break;
    made = producer(copy->input);
  }
  return made;
}

std::optional<std::size_t> Dataflow::channelAxis(const Operand& operand) const {
  const auto found = axes_.find(&operand.record());
  return found == axes_.end() ? std::nullopt : found->second;
}

void Dataflow::use(const Operand& operand, std::optional<std::size_t> axis) {
  const auto [known, isNew] = axes_.emplace(&operand.record(), axis);
  if (!isNew && known->second != axis) known->second.reset();
}

OnnxValue fencedIfPadded(const Operand& operand, Exporter& out) {
  const Operation* const made = out.dataflow().maker(operand);
  return made && std::holds_alternative<ops::Pad>(*made) ? out.fenced(out[operand]) : out[operand];
}

}  // namespace webnn::onnx
