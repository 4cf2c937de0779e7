#include "backends/onnxruntime/placement.h"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace webnn::onnxruntime {

namespace {

// Returns the execution provider of each node by node name, except nodes that ONNX Runtime's first optimizations removed. Returns
// an empty map if the library is too old to report providers.
std::unordered_map<std::string, std::string> providersByNode(const Library& library, const OrtSession* session) {
  const Api& api = library.api();
  std::unordered_map<std::string, std::string> providers;
  if (!api.Session_GetEpGraphAssignmentInfo) return providers;
  const auto check = [&](OrtStatus* status) { library.check(status, ErrorKind::operationError, "build: "); };
  const OrtEpAssignedSubgraph* const* parts = nullptr;
  std::size_t partCount = 0;
  check(api.Session_GetEpGraphAssignmentInfo(session, &parts, &partCount));
  for (const OrtEpAssignedSubgraph* part : std::span(parts, partCount)) {
    const char* provider = nullptr;
    const OrtEpAssignedNode* const* nodes = nullptr;
    std::size_t nodeCount = 0;
    check(api.EpAssignedSubgraph_GetEpName(part, &provider));
    check(api.EpAssignedSubgraph_GetNodes(part, &nodes, &nodeCount));
    for (const OrtEpAssignedNode* node : std::span(nodes, nodeCount)) {
      const char* name = nullptr;
      check(api.EpAssignedNode_GetName(node, &name));
      providers.emplace(name, provider);
    }
  }
  return providers;
}

}  // namespace

std::vector<OperationPlacement> placementOf(const Library& library, const OrtSession* session,
                                            const std::vector<onnx::ExportedOperation>& operations,
                                            const std::vector<std::string>& providers) {
  const std::unordered_map<std::string, std::string> byNode = providersByNode(library, session);
  const std::string only = providers.size() == 1 ? " " + providers[0] + "ExecutionProvider" : "";
  std::vector<OperationPlacement> placement = onnx::placementOf(operations, "onnxruntime" + only);
  for (std::size_t i = 0; i < placement.size(); ++i) {
    std::vector<std::string> found;
    for (const std::string& name : operations[i].names) {
      const auto node = byNode.find(name);
      if (node != byNode.end() && std::ranges::find(found, node->second) == found.end()) found.push_back(node->second);
    }
    if (found.empty()) continue;
    placement[i].device = "onnxruntime";
    for (const std::string& provider : found) placement[i].device += (&provider == &found.front() ? " " : ", ") + provider;
  }
  return placement;
}

}  // namespace webnn::onnxruntime
