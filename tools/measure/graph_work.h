#pragma once

#include <cstdint>

#include "graph/graph_definition.h"

namespace webnn::measure {

// Returns the floating-point operations (multiplications plus additions) of a matrix product, convolution or recurrent network by
// its definition, regardless of the algorithm that a backend uses. Includes products with padding. Returns 0 for other
// operations.
std::uint64_t flopOf(const Operation& operation, const Operand& output);

// Returns the sum of flopOf() over all nodes.
std::uint64_t flopOf(const GraphDefinition& graph);

}  // namespace webnn::measure
