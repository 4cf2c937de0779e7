// Graphs with open dimensions: as the source of a session's graphs, and written to files.
#pragma once

#include <memory>

#include "formats/graph_source.h"

namespace webnn::formats {

std::unique_ptr<GraphSource> sourceOf(std::shared_ptr<const OpenGraph> graph);

// Writes the graph with its open dimensions. Throws NotSupportedError if Core ML or ONNX cannot compute a size.
void saveOpen(const OpenGraph& graph, const std::filesystem::path& path, const SaveOptions& options);

}  // namespace webnn::formats
