// Refuses operations that OpenVINO would compute wrongly and that the exporter cannot express in another way.
#pragma once

#include "graph/graph_definition.h"

namespace webnn::openvino {

// Throws NotSupportedError that lists the refused operations of `graph` and the reasons.
void requireRight(const GraphDefinition& graph);

}  // namespace webnn::openvino
