// What decides, with the backend, whether two processes compute the same to the bit.
#pragma once

#include <string>
#include <string_view>

#include "webnn/context.h"

namespace webnn::service {

// The version of this library.
std::string_view libraryVersion();
// The instruction set that a context with these options computes with; empty if its backend decides that itself.
std::string instructionSet(std::string_view backend, const ContextOptions& options);

}  // namespace webnn::service
