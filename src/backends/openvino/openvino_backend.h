// Exports graphs as ONNX models and runs them in OpenVINO, which is loaded at run time.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::openvino {

inline constexpr std::array<std::string_view, 5> kOptions{"cache", "device", "library", "precision", "search"};

// Creates the backend. Throws TypeError for an unknown option or a bad value. Throws NotSupportedError if no suitable library or
// device is found; for a library, the message lists the searched paths and how to get one.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);

}  // namespace webnn::openvino
