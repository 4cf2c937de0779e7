// Estimates a graph's memory from its definition.
#pragma once

#include "graph/graph_definition.h"
#include "webnn/limits.h"

namespace webnn {

// Returns the largest sum of the bytes of simultaneously live results, if the operations run in order and results are freed after
// their last use. `hasOutputs` includes the graph's outputs, which live to the end.
std::uint64_t peakBytes(const GraphDefinition& graph, bool hasOutputs);

MemoryEstimate estimateMemory(const GraphDefinition& graph);

}  // namespace webnn
