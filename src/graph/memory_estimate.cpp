#include "graph/memory_estimate.h"

#include <algorithm>
#include <vector>

namespace webnn {

namespace {

// Returns, indexed by operand, the position of the last operation that reads the operand. Outputs are read after all operations.
std::vector<std::size_t> lastUses(const GraphDefinition& graph) {
  std::vector<std::size_t> last(graph.indexLimit, 0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    // A result that no operation reads is freed after the operation that computes it.
    for (const Operand& output : graph.nodes[i].outputs) last[output.record().index] = i;
    visitOperands(graph.nodes[i].operation, [&](std::string_view, const Operand& operand) { last[operand.record().index] = i; });
  }
  for (const auto& [name, operand] : graph.outputs) last[operand.record().index] = graph.nodes.size();
  return last;
}

}  // namespace

// The sums cannot overflow: 2^64 bytes would need 2^30 operands of the maximum size, 2^34 bytes.
std::uint64_t peakBytes(const GraphDefinition& graph, bool hasOutputs) {
  const std::vector<std::size_t> last = lastUses(graph);
  std::vector<std::uint64_t> freedAfter(graph.nodes.size() + 1, 0);
  std::uint64_t live = 0, peak = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const Operand& output : graph.nodes[i].outputs) {
      const std::size_t end = last[output.record().index];
      if (end == graph.nodes.size() && !hasOutputs) continue;
      live += byteLength(output.descriptor());
      freedAfter[end] += byteLength(output.descriptor());
    }
    peak = std::max(peak, live);
    live -= freedAfter[i];
  }
  return peak;
}

namespace {

// Returns the operands that kernels copy into packed memory if the operands are constants.
std::vector<Operand> weightsOf(const Operation& operation) {
  if (const auto* conv = std::get_if<ops::Conv2d>(&operation)) return {conv->filter};
  if (const auto* conv = std::get_if<ops::ConvTranspose2d>(&operation)) return {conv->filter};
  if (const auto* product = std::get_if<ops::Matmul>(&operation)) return {product->b};
  if (const auto* product = std::get_if<ops::Gemm>(&operation)) return {product->b};
  if (const auto* network = std::get_if<ops::Gru>(&operation)) return {network->weight, network->recurrentWeight};
  if (const auto* network = std::get_if<ops::Lstm>(&operation)) return {network->weight, network->recurrentWeight};
  if (const auto* integers = std::get_if<ops::DequantizeLinear>(&operation)) return {integers->input};
  return {};
}

// Counts each constant once. float16 constants are packed as float32.
std::uint64_t packedBytes(const GraphDefinition& graph) {
  std::vector<bool> isCounted(graph.indexLimit);
  std::uint64_t bytes = 0;
  for (const Node& node : graph.nodes) {
    for (const Operand& weight : weightsOf(node.operation)) {
      const OperandRecord& record = weight.record();
      if (record.kind != OperandKind::constant || isCounted[record.index]) continue;
      isCounted[record.index] = true;
      bytes += byteLength(weight.descriptor()) * (weight.dataType() == DataType::float16 ? 2 : 1);
    }
  }
  return bytes;
}

}  // namespace

MemoryEstimate estimateMemory(const GraphDefinition& graph) {
  MemoryEstimate estimate;
  for (const Operand& input : graph.inputs) estimate.inputs += byteLength(input.descriptor());
  for (const auto& [name, operand] : graph.outputs) estimate.outputs += byteLength(operand.descriptor());
  for (const Operand& constant : graph.constants) estimate.constants += byteLength(constant.descriptor());
  estimate.packedWeights = packedBytes(graph);
  estimate.intermediates = peakBytes(graph, false);  // outputs are in the caller's memory
  return estimate;
}

}  // namespace webnn
