// The backend "coreml": runs a graph as an ML Program in Core ML, a part of macOS.
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

// Why there is no such backend here; empty if there is.
std::string whyUnavailable();
std::string whyUnavailable(const Framework& framework);

// TypeError for an unknown option; NotSupportedError if it is not available, or a device that `units` names is not there.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);
std::shared_ptr<const Backend> makeBackendIn(const Framework& framework, const ContextOptions& options);

}  // namespace webnn::coreml
