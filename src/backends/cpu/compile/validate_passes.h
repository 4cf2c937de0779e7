// Translation validation: the reference computes the modules that passes produce.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "backends/cpu/runtime/isa.h"
#include "graph/graph_definition.h"

namespace webnn::cpu {

// A graph's outputs, computed by the reference from a transformed module.
struct PassResult {
  std::string passes;                           // "after canonicalize", "canonicalize alone", "all but canonicalize"
  std::vector<std::vector<std::byte>> outputs;  // packed, in the order of the graph's outputs
};

// Computes the graph after every pass, after every pass alone (with the required ones), and after all but one, and calls
// visit(result) for each module that differs from those before. Engine operations are expanded to operations of the
// specification and computed by the reference: no kernel and no plan of the engine takes part. `inputs` are packed bytes in the
// order of the graph's inputs. The caller compares the results with the reference's for the graph itself: equal where all
// arithmetic is exact, else within rounding. Throws Error (unknownError) where a pass makes an invalid module, as verifyModule()
// does.
void validatePasses(const GraphDefinition& graph, std::span<const std::span<const std::byte>> inputs, Isa isa,
                    const std::function<void(const PassResult&)>& visit);

}  // namespace webnn::cpu
