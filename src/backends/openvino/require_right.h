// What OpenVINO would compute wrongly, and cannot be written otherwise.
#pragma once

#include "graph/graph_definition.h"

namespace webnn::openvino {

// NotSupportedError that lists the operations.
void requireRight(const GraphDefinition& graph);

}  // namespace webnn::openvino
