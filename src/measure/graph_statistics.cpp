#include "measure/graph_statistics.h"

#include <algorithm>
#include <vector>

namespace webnn::measure {

namespace {

// The position of the last operation that reads each operand, by the operand's index; outputs are read at the end.
std::vector<std::size_t> lastUses(const GraphDefinition& graph) {
  std::vector<std::size_t> last(graph.indexLimit, 0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const Operand& output : graph.nodes[i].outputs) last[output.record().index] = i;  // even if nothing reads it
    visitOperands(graph.nodes[i].operation, [&](std::string_view, const Operand& operand) { last[operand.record().index] = i; });
  }
  for (const auto& [name, operand] : graph.outputs) last[operand.record().index] = graph.nodes.size();
  return last;
}

// No sum can overflow: it takes operands in their millions of the largest size, 2^34 bytes, to reach 2^64.
std::uint64_t peakOf(const GraphDefinition& graph) {
  const std::vector<std::size_t> last = lastUses(graph);
  std::vector<std::uint64_t> freedAfter(graph.nodes.size() + 1, 0);
  std::uint64_t live = 0, peak = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const Operand& output : graph.nodes[i].outputs) {
      live += byteLength(output.descriptor());
      freedAfter[last[output.record().index]] += byteLength(output.descriptor());
    }
    peak = std::max(peak, live);
    live -= freedAfter[i];
  }
  return peak;
}

}  // namespace

GraphStatistics statisticsOf(const GraphDefinition& graph) {
  GraphStatistics statistics;
  for (const Node& node : graph.nodes) ++statistics.operations[std::string(name(node.operation))];
  for (const Operand& constant : graph.constants) {
    statistics.parameters += elementCount(constant.descriptor());
    statistics.parameterBytes += byteLength(constant.descriptor());
  }
  for (const Operand& input : graph.inputs) statistics.inputBytes += byteLength(input.descriptor());
  statistics.peakBytes = peakOf(graph);
  return statistics;
}

}  // namespace webnn::measure
