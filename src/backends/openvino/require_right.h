// Finds operations that OpenVINO would compute wrongly and that cannot be exported otherwise.
#pragma once

#include "graph/graph_definition.h"

namespace webnn::openvino {

// Throws NotSupportedError that lists the operations.
void requireRight(const GraphDefinition& graph);

}  // namespace webnn::openvino
