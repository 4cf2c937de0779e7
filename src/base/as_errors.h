// Converts exceptions to webnn::Error.
#pragma once

#include <string_view>

#include "webnn/error.h"

namespace webnn {

// Returns UnknownError "there is not enough memory.", made when the library is loaded, so that it needs no memory.
Error outOfMemory() noexcept;

// Converts the exception being handled: std::bad_alloc becomes outOfMemory(), foreign exceptions an OperationError that begins
// with `what`.
Error errorOfCurrentException(std::string_view what) noexcept;

// For the last handler of a public function: throws the exception being handled as an Error.
[[noreturn]] void throwAsError(std::string_view what);

}  // namespace webnn
