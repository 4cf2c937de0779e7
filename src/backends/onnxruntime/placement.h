// Where ONNX Runtime runs what a graph has become.
#pragma once

#include <string>
#include <vector>

#include "backends/onnxruntime/library.h"
#include "onnx/write/export.h"

namespace webnn::onnxruntime {

// The entry of a session's settings with which it remembers which provider got which node.
inline constexpr const char* kRecordsAssignment = "session.record_ep_graph_assignment_info";

// The session must have been made with kRecordsAssignment where the library can tell (1.24 and later). The device of an operation
// is "onnxruntime" and its providers: those that got its nodes, else those that were asked for if only one was. ONNX Runtime has
// merged operations that have no node any more with others, or computed them already.
std::vector<OperationPlacement> placementOf(const Library& library, const OrtSession* session,
                                            const std::vector<onnx::ExportedOperation>& operations,
                                            const std::vector<std::string>& providers);

}  // namespace webnn::onnxruntime
