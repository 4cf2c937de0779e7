// Estimates a graph's memory from its definition.
#pragma once

#include "graph/graph_definition.h"
#include "webnn/limits.h"

namespace webnn {

// Returns the peak size of all live results in bytes, if operations run in order and results are freed after their last use. With
// `hasOutputs`, the graph's outputs are included; they live to the end.
std::uint64_t peakBytes(const GraphDefinition& graph, bool hasOutputs);

MemoryEstimate estimateMemory(const GraphDefinition& graph);

}  // namespace webnn
