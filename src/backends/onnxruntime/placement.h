// Reports which ONNX Runtime providers run the operations of a graph.
#pragma once

#include <string>
#include <vector>

#include "backends/onnxruntime/library.h"
#include "onnx/write/export.h"

namespace webnn::onnxruntime {

// The session configuration key that makes ONNX Runtime record the provider of each node.
inline constexpr const char* kRecordsAssignment = "session.record_ep_graph_assignment_info";

// Returns the placement of each operation. With library 1.24 or later, the session must have been created with
// kRecordsAssignment. The device is "onnxruntime" followed by the recorded providers of the operation's nodes. If no provider is
// recorded, and `providers` has a single item, the device is "onnxruntime" followed by that provider. An operation whose nodes
// ONNX Runtime merged or folded has no recorded provider.
std::vector<OperationPlacement> placementOf(const Library& library, const OrtSession* session,
                                            const std::vector<onnx::ExportedOperation>& operations,
                                            const std::vector<std::string>& providers);

}  // namespace webnn::onnxruntime
