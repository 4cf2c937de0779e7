// Refusing graphs that a backend does not take.
#pragma once

#include "graph/graph_definition.h"
#include "webnn/op_support_limits.h"

namespace webnn {

// NotSupportedError if an input, a constant, an output or an operation has a type or a rank beyond the limits. It lists all of
// them: `backend "openvino" does not support: add "sum" with a of type uint32; ...`
void requireSupported(const GraphDefinition& graph, const OpSupportLimits& limits, std::string_view backend);

}  // namespace webnn
