#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "builder/open_graph.h"
#include "graph/graph_definition.h"
#include "webnn/formats.h"

namespace webnn::formats {

// Writes the model and, unless `weights` is inlineBytes, streams its large constants to the file `path` + ".data". Throws
// OperationError if the model would exceed protobuf's limit of 2 GiB. Returns the export's notes.
std::vector<std::string> saveOnnx(const GraphDefinition& graph, const std::filesystem::path& path, WeightsFormat weights);
// Writes a model with open dimensions. ONNX keeps their names but not their bounds. Throws NotSupportedError if ONNX has no
// operators for an operation with open sizes.
std::vector<std::string> saveOnnx(const OpenGraph& graph, const std::filesystem::path& path, WeightsFormat weights);

}  // namespace webnn::formats
