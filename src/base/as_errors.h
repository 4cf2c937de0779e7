// Every exception as webnn::Error.
#pragma once

#include <string_view>

#include "webnn/error.h"

namespace webnn {

// UnknownError "there is not enough memory.", made when the library is loaded: it takes no memory.
Error outOfMemory() noexcept;

// The exception that is being handled as an Error: std::bad_alloc is outOfMemory(), and what is none of ours an
// OperationError that begins with `what`.
Error errorOfCurrentException(std::string_view what) noexcept;

// For the handler of everything in a public function: throws the exception that is being handled as an Error.
[[noreturn]] void throwAsError(std::string_view what);

}  // namespace webnn
