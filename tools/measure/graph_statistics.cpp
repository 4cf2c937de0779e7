#include "measure/graph_statistics.h"

#include "graph/memory_estimate.h"

namespace webnn::measure {

GraphStatistics countsOf(const GraphDefinition& graph) {
  GraphStatistics statistics;
  for (const Node& node : graph.nodes) ++statistics.operations[std::string(name(node.operation))];
  for (const Operand& constant : graph.constants) {
    statistics.parameters += elementCount(constant.descriptor());
    statistics.parameterBytes += byteLength(constant.descriptor());
  }
  return statistics;
}

GraphStatistics statisticsOf(const GraphDefinition& graph) {
  GraphStatistics statistics = countsOf(graph);
  for (const Operand& input : graph.inputs) statistics.inputBytes += byteLength(input.descriptor());
  statistics.peakBytes = webnn::peakBytes(graph, true);
  return statistics;
}

}  // namespace webnn::measure
