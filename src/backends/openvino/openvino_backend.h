// Runs graphs as ONNX models in OpenVINO, which is loaded at run time.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::openvino {

inline constexpr std::array<std::string_view, 5> kOptions{"cache", "device", "library", "precision", "search"};

// Throws NotSupportedError if no suitable library or device is found, with the searched places and how to get one; TypeError for
// an unknown option.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);

}  // namespace webnn::openvino
