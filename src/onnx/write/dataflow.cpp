#include "onnx/write/dataflow.h"

#include <variant>

#include "base/one_of.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

// The name of the operand that an operation uses as weights, and the dimension of the weights that holds the output channels.
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

unsigned originOf(const Operation& operation) {
  using enum Dataflow::Origin;
  if (std::holds_alternative<ops::Pad>(operation)) return static_cast<unsigned>(pad);
  if (const auto* const moved = std::get_if<ops::Transpose>(&operation)) {
    const std::vector<std::uint32_t>& permutation = *moved->options.permutation;
    return !permutation.empty() && permutation.front() != 0 ? static_cast<unsigned>(transposedBatch) : 0;
  }
  const auto* const binary = std::get_if<ops::Binary>(&operation);
  const bool isQuotient = binary && binary->kind == ops::BinaryKind::div && isFloat(binary->a.dataType());
  return isQuotient && binary->a.rank() > binary->b.rank() ? static_cast<unsigned>(quotient) : 0;
}

// Returns whether ONNX Runtime may remove the operation or exchange it with its neighbor, because for some arguments it only
// moves elements or computes nothing (x + 0).
bool mayVanish(const Operation& operation) {
  return std::visit(
      []<typename Op>(const Op&) {
        return OneOf<Op, ops::Binary, ops::Cast, ops::Clamp, ops::Concat, ops::DequantizeLinear, ops::Expand, ops::Linear,
                     ops::Pad, ops::QuantizeLinear, ops::Reduce, ops::Resample2d, ops::Reshape, ops::Reverse, ops::Slice,
                     ops::Split, ops::Tile, ops::Transpose, ops::Unary, ops::Where>;
      },
      operation);
}

}  // namespace

Dataflow::Dataflow(const GraphDefinition& graph) {
  for (const Node& node : graph.nodes) {
    unsigned origins = originOf(node.operation);
    if (mayVanish(node.operation)) {
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
        const auto known = origins_.find(&operand.record());
        if (known != origins_.end()) origins |= known->second;
      });
    }
    for (const Operand& output : node.outputs) {
      producers_[&output.record()] = &node.operation;
      if (origins != 0) origins_[&output.record()] = origins;
    }
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

bool Dataflow::mayComeFrom(const Operand& operand, Origin origin) const {
  const auto found = origins_.find(&operand.record());
  return found != origins_.end() && (found->second & static_cast<unsigned>(origin)) != 0;
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
  return out.dataflow().mayComeFrom(operand, Dataflow::Origin::pad) ? out.fenced(out[operand]) : out[operand];
}

}  // namespace webnn::onnx
