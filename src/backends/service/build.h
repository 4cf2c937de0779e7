// Describes this build. Processes with equal library version, backend and instruction set compute bit-identical results.
#pragma once

#include <string>
#include <string_view>

#include "webnn/context.h"

namespace webnn::service {

std::string_view libraryVersion();
// Returns the CPU backend's instruction set for a context with these options; empty for other backends, which choose it.
std::string instructionSet(std::string_view backend, const ContextOptions& options);

}  // namespace webnn::service
