// Exports graphs as ONNX models and runs them in ONNX Runtime, which is loaded at run time.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::onnxruntime {

inline constexpr std::array<std::string_view, 9> kOptions{"cache",     "device",    "fallback", "library", "optimization",
                                                          "precision", "providers", "search",   "tensors"};

// Creates the backend. Throws TypeError for an unknown option or a bad value. Throws NotSupportedError if no suitable library is
// found (the message lists the searched paths and how to get a library), or if a provider is missing or cannot be used as the
// options ask.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);

}  // namespace webnn::onnxruntime
