// Rejects graphs that a backend does not support.
#pragma once

#include "graph/graph_definition.h"
#include "webnn/op_support_limits.h"

namespace webnn {

// Throws a NotSupportedError that lists the first 50 inputs, constants, operations and outputs with an unsupported type or
// rank: `build: backend "openvino" does not support: add "sum" with a of type uint32; ...`
void requireSupported(const GraphDefinition& graph, const OpSupportLimits& limits, std::string_view backend);

}  // namespace webnn
