// Exporting a graph with open dimensions as an ONNX model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph_definition.h"
#include "onnx/write/export.h"
#include "ops/sizes/open_sizes.h"

namespace webnn::onnx {

// The graph for some sizes of its named dimensions.
struct SizedGraph {
  const GraphDefinition* graph = nullptr;
  std::vector<std::int64_t> sizes;  // in the order of OpenSizes::named()
};

// Exports a graph with open dimensions. The operations are exported for each of `samples`, whose sizes differ, and the models are
// compared: an integer that differs becomes the expression that has its value in all samples, computed from the shapes of the
// inputs. NotSupportedError, which names the operation, if the models differ in anything else.
ExportedModel exportOpen(const GraphDefinition& graph, const OpenSizes& sizes, std::span<const SizedGraph> samples,
                         const ExportOptions& options);

}  // namespace webnn::onnx
