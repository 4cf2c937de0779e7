// Extracts parts of a graph as graphs of their own.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "graph/graph_definition.h"
#include "webnn/graph_builder.h"

namespace webnn {

// Builds the graph of some nodes (ascending indices) of another graph. Operands that they read but do not compute become inputs
// with the names of operandNames(); constants stay shared. The outputs are results of these nodes.
Graph buildSubgraph(Context& context, const GraphDefinition& graph, std::span<const std::size_t> nodes,
                    const std::vector<NamedOperand>& outputs);

}  // namespace webnn
