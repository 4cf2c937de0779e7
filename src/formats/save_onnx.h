// Writing a graph as an ONNX model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/graph_definition.h"
#include "webnn/formats.h"

namespace webnn::formats {

// Writes the model and, unless weights are inlineBytes, its large constants into `path` + ".data", which is streamed
// from where the constants are. OperationError if what must go into one file is more than a protobuf can hold.
// The notes of the export come back.
std::vector<std::string> saveOnnx(const GraphDefinition& graph, const std::filesystem::path& path, WeightsFormat weights);

}  // namespace webnn::formats
