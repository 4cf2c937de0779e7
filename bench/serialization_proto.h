// Converts graphs to and from protobuf messages, to compare their size and speed with our formats.
#pragma once

#include <string>

#include "graph/graph_definition.h"
#include "webnn/context.h"
#include "webnn/graph.h"

namespace webnn::bench {

std::string writeProto(const GraphDefinition& graph);
Graph readProto(Context& context, const std::string& bytes);

}  // namespace webnn::bench
