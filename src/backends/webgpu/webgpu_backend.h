// Compiles graphs to compute shaders in WGSL and runs them on a GPU through wgpu-native, which is loaded at run time.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::webgpu {

inline constexpr std::array<std::string_view, 3> kOptions{"adapter", "library", "search"};

// Creates the backend. Throws TypeError for an unknown option or a bad value. Throws NotSupportedError if no suitable library or
// adapter is found; for a library, the message lists the searched paths and how to get one.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);

// Returns the adapters of the machine, including software; empty if there is no library.
std::vector<std::string> adapterNames();

}  // namespace webnn::webgpu
