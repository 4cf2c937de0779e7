// Converts exceptions to webnn::Error.
#pragma once

#include <string_view>

#include "webnn/error.h"

namespace webnn {

// Returns an UnknownError "there is not enough memory." Allocates nothing: the error is made when the library is loaded.
Error outOfMemory() noexcept;

// Returns the exception being handled as an Error. An Error stays as it is, std::bad_alloc becomes outOfMemory(), and any other
// exception becomes an OperationError that begins with `what`. If memory is short for that message, returns outOfMemory().
Error errorOfCurrentException(std::string_view what) noexcept;

// Throws the exception being handled as an Error. For the last handler of a public function.
[[noreturn]] void throwAsError(std::string_view what);

}  // namespace webnn
