// Translation validation: computes transformed modules with the reference backend, to find passes that change results.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "backends/cpu/runtime/isa.h"
#include "graph/graph_definition.h"

namespace webnn::cpu {

// The outputs that the reference backend computes from a transformed module.
struct PassResult {
  std::string passes;                           // such as "after canonicalize", "canonicalize alone", "all but canonicalize"
  std::vector<std::vector<std::byte>> outputs;  // packed, in the order of the graph's outputs
};

// Computes the graph after each pass of the pipeline, after each optional pass alone (with the required passes), and after all
// passes but one optional pass. Calls visit(result) once for each distinct module. `inputs` are packed bytes in the order of the
// graph's inputs.
// The reference backend computes the modules, with engine operations expanded to the specification's. Kernels (of `isa`) take
// part only if a pass evaluates constants. The caller compares results with those of the untransformed graph: equal if all
// arithmetic is exact, otherwise within rounding. Throws Error (unknownError) if a pass makes an invalid module.
void validatePasses(const GraphDefinition& graph, std::span<const std::span<const std::byte>> inputs, Isa isa,
                    const std::function<void(const PassResult&)>& visit);

}  // namespace webnn::cpu
