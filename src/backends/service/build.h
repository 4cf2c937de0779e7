// The build and instruction set, which together with the backend decide whether two processes compute bit-identical results.
#pragma once

#include <string>
#include <string_view>

#include "webnn/context.h"

namespace webnn::service {

// The version of this library.
std::string_view libraryVersion();
// Returns the instruction set for a context with these options; empty if its backend decides.
std::string instructionSet(std::string_view backend, const ContextOptions& options);

}  // namespace webnn::service
