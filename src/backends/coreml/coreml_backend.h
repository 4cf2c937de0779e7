// Exports graphs as ML Programs and runs them in Core ML, a part of macOS.
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

// Return why the backend is unavailable on this system; empty if it is available. `framework` replaces Core ML in tests.
std::string whyUnavailable();
std::string whyUnavailable(const Framework& framework);

// Create the backend. Throw TypeError for an unknown option or a bad value. Throw NotSupportedError if Core ML or a device
// requested by option `units` is missing.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);
std::shared_ptr<const Backend> makeBackendIn(const Framework& framework, const ContextOptions& options);

}  // namespace webnn::coreml
