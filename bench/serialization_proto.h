// Graphs as messages of protobuf, for comparison.
#pragma once

#include <string>

#include "graph/graph_definition.h"
#include "webnn/context.h"
#include "webnn/graph.h"

namespace webnn::bench {

std::string writeProto(const GraphDefinition& graph);
Graph readProto(Context& context, const std::string& bytes);

}  // namespace webnn::bench
