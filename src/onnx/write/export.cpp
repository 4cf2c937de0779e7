#include "onnx/write/export.h"

#include "onnx/write/exporter.h"

namespace webnn::onnx {

ExportedModel exportModel(const GraphDefinition& graph, const ExportOptions& options) {
  Exporter exporter(graph, options);
  for (const Node& node : graph.nodes) exporter.append(node);
  return exporter.takeModel();
}

}  // namespace webnn::onnx
