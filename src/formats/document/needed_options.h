// Finds the options that callers must write explicitly.
#pragma once

#include <string>
#include <vector>

#include "ops/operation.h"

namespace webnn::formats {

// Returns for each option, in order, whether a call must give it, because without it the operation would get another value.
// `names` are unique operand names by index.
std::vector<bool> neededOptions(const Operation& operation, const std::vector<std::string>& names);

}  // namespace webnn::formats
