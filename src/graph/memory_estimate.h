// How much memory a graph needs, computed from its definition alone.
#pragma once

#include "graph/graph_definition.h"
#include "webnn/limits.h"

namespace webnn {

MemoryEstimate estimateMemory(const GraphDefinition& graph);

}  // namespace webnn
