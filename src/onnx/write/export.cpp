#include "onnx/write/export.h"

#include "onnx/write/exporter.h"

namespace webnn::onnx {

ExportedModel exportModel(const GraphDefinition& graph, const ExportOptions& options) {
  Exporter exporter(graph, options);
  for (const Node& node : graph.nodes) exporter.append(node);
  return exporter.takeModel();
}

std::vector<OperationPlacement> placementOf(const std::vector<ExportedOperation>& operations, const std::string& device) {
  std::vector<OperationPlacement> placement;
  for (const ExportedOperation& operation : operations) {
    const bool runs = !operation.operators.empty();
    placement.push_back({.state = runs ? PlacementState::runs : PlacementState::removed,
                         .device = runs ? device : std::string(),
                         .kernels = operation.operators,
                         .notes = operation.notes});
  }
  return placement;
}

}  // namespace webnn::onnx
