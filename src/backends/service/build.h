// Describes this build, to tell whether two processes compute the same results. On backend cpu, equal library versions and
// instruction sets give the same bits. On other backends, results also depend on the version of the other runtime, which is not
// compared.
#pragma once

#include <string>
#include <string_view>

#include "webnn/context.h"

namespace webnn::service {

std::string_view libraryVersion();
// Returns the CPU backend's instruction set for a context with these options; empty for other backends, which choose their own.
std::string instructionSet(std::string_view backend, const ContextOptions& options);

}  // namespace webnn::service
