// Prints each operation's placement.
#pragma once

#include <string>

#include "formats/document/json_value.h"
#include "webnn/context.h"
#include "webnn/graph.h"

namespace webnn::cli {

// A table of at most 100 columns.
std::string placementText(const Context& context, const Graph& graph);
formats::Json placementJson(const Context& context, const Graph& graph);

}  // namespace webnn::cli
