// Counts a graph's arithmetic.
#pragma once

#include <cstdint>

#include "graph/graph_definition.h"

namespace webnn::measure {

// Returns the multiplications and additions of matrix products, convolutions and recurrent networks by definition, independent of
// the algorithm, including products with padding; 0 for other operations.
std::uint64_t flopOf(const Operation& operation, const Operand& output);

// The sum over all nodes.
std::uint64_t flopOf(const GraphDefinition& graph);

}  // namespace webnn::measure
