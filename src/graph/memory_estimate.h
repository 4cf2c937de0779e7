// How much memory a graph needs, computed from its definition alone.
#pragma once

#include "graph/graph_definition.h"
#include "webnn/limits.h"

namespace webnn {

// The largest sum of the bytes of results that live at the same time, if the operations run in their order and each result is
// freed after its last use. With `hasOutputs` those of the graph are among them, which live to the end.
std::uint64_t peakBytes(const GraphDefinition& graph, bool hasOutputs);

MemoryEstimate estimateMemory(const GraphDefinition& graph);

}  // namespace webnn
