// Runs graphs as ML Programs in Core ML, a part of macOS.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "backends/coreml/framework.h"
#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::coreml {

inline constexpr std::array<std::string_view, 1> kOptions{"units"};

// Returns the reason why the backend is unavailable; empty if it is available.
std::string whyUnavailable();
std::string whyUnavailable(const Framework& framework);

// Throws TypeError for an unknown option, NotSupportedError if the backend or a device named by `units` is unavailable.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);
std::shared_ptr<const Backend> makeBackendIn(const Framework& framework, const ContextOptions& options);

}  // namespace webnn::coreml
