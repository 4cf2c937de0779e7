// Makes a graph from a part of another graph.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "graph/graph_definition.h"
#include "webnn/graph_builder.h"

namespace webnn {

// Builds a graph from some nodes (ascending indices) of another graph. Operands that these nodes read but do not compute become
// inputs, named as in operandNames(); constants are shared. `outputs` are results of these nodes.
Graph buildSubgraph(Context& context, const GraphDefinition& graph, std::span<const std::size_t> nodes,
                    const std::vector<NamedOperand>& outputs);

}  // namespace webnn
