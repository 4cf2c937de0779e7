// Writing a graph as an ONNX model.
#pragma once

#include <filesystem>

#include "graph/graph_definition.h"
#include "webnn/formats.h"

namespace webnn::formats {

// Writes the model and, unless weights are inlineBytes, its large constants into `path` + ".data", which is streamed
// from where the constants are. OperationError if what must go into one file is more than a protobuf can hold.
void saveOnnx(const GraphDefinition& graph, const std::filesystem::path& path, WeightsFormat weights);

}  // namespace webnn::formats
