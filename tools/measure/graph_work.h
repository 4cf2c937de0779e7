// How much arithmetic a graph asks for.
#pragma once

#include <cstdint>

#include "graph/graph_definition.h"

namespace webnn::measure {

// The multiplications and additions of matrix products, convolutions and recurrent networks as they are defined, whatever
// shorter way a backend finds; 0 for all other operations. Where padding is multiplied, it counts.
std::uint64_t flopOf(const Operation& operation, const Operand& output);

// The sum over all nodes.
std::uint64_t flopOf(const GraphDefinition& graph);

}  // namespace webnn::measure
