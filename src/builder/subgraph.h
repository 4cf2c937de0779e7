// Parts of a graph as graphs of their own.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "graph/graph_definition.h"
#include "webnn/graph_builder.h"

namespace webnn {

// The graph of some nodes (by their index, ascending) of another. What they need and do not compute becomes inputs with the
// names of operandNames(); constants stay shared. The outputs are results of these nodes.
Graph buildSubgraph(Context& context, const GraphDefinition& graph, std::span<const std::size_t> nodes,
                    const std::vector<NamedOperand>& outputs);

}  // namespace webnn
