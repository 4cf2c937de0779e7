// A graph of a builder with open dimensions as the source of a session's graphs.
#pragma once

#include <memory>

#include "formats/graph_source.h"

namespace webnn::formats {

std::unique_ptr<GraphSource> sourceOf(std::shared_ptr<const OpenGraph> graph);

}  // namespace webnn::formats
