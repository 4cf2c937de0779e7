#pragma once

#include <string>

#include "formats/document/json_value.h"
#include "webnn/context.h"
#include "webnn/graph.h"

namespace webnn::cli {

// Returns a table, usually at most 100 columns wide: where each operation runs, and as which kernel.
std::string placementText(const Context& context, const Graph& graph);
formats::Json placementJson(const Context& context, const Graph& graph);

}  // namespace webnn::cli
