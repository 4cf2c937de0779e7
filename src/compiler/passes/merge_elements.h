#pragma once

#include <cstddef>

#include "compiler/ir/operations.h"

namespace webnn::compiler {

// Returns `second` with `first` inlined in place of input `at` of `second`. `type` is the data type of that input.
FusedElementwise merged(const FusedElementwise& first, DataType type, const FusedElementwise& second, std::size_t at);

}  // namespace webnn::compiler
