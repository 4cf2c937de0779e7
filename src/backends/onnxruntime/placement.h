// Reports where ONNX Runtime runs the operators of a graph.
#pragma once

#include <string>
#include <vector>

#include "backends/onnxruntime/library.h"
#include "onnx/write/export.h"

namespace webnn::onnxruntime {

// The session setting that records each node's provider.
inline constexpr const char* kRecordsAssignment = "session.record_ep_graph_assignment_info";

// Requires a session made with kRecordsAssignment if the library supports it (1.24 and later). The device of an operation is
// "onnxruntime" and the providers of its nodes, or the only requested provider. Operations without nodes were merged with others
// or computed at build.
std::vector<OperationPlacement> placementOf(const Library& library, const OrtSession* session,
                                            const std::vector<onnx::ExportedOperation>& operations,
                                            const std::vector<std::string>& providers);

}  // namespace webnn::onnxruntime
