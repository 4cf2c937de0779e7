// Translation validation: what passes make of a graph, computed by the reference alone.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cpu/runtime/isa.h"
#include "graph/graph_definition.h"

namespace webnn::cpu {

// A graph's outputs, computed by the reference from a module that passes have made of it.
struct PassResult {
  std::string passes;                           // "after canonicalize", "canonicalize alone", "all but canonicalize"
  std::vector<std::vector<std::byte>> outputs;  // packed, in the order of the graph's outputs
};

// Computes the graph after every pass, after every pass alone (and those that cannot be left out), and after all but one, and
// calls visit(result) for each module that differs from those before. The engine's operations are computed as what they stand
// for in operations of the specification, by the reference: no kernel and no plan of the engine takes part. `inputs` are packed
// bytes in the order of the graph's inputs. Whoever calls compares the results with those of the reference for the graph itself:
// equal where all arithmetic is exact, else as far off as rounding explains. Throws Error (unknownError) where a pass makes a
// module that is wrong in itself, as verifyModule() does.
void validatePasses(const GraphDefinition& graph, std::span<const std::span<const std::byte>> inputs, Isa isa,
                    const std::function<void(const PassResult&)>& visit);

}  // namespace webnn::cpu
