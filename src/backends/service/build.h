// Describes this build, to tell whether two processes compute the same results. On the backend cpu, equal library versions and
// instruction sets give the same bits. On others, the release of the runtime matters too, which is not compared.
#pragma once

#include <string>
#include <string_view>

#include "webnn/context.h"

namespace webnn::service {

std::string_view libraryVersion();
// Returns the CPU backend's instruction set for a context with these options; empty for other backends, which choose it.
std::string instructionSet(std::string_view backend, const ContextOptions& options);

}  // namespace webnn::service
