// Finds the options that callers must write explicitly.
#pragma once

#include <string>
#include <vector>

#include "ops/operation.h"

namespace webnn::formats {

// Returns, per option in order, whether it must be given so that the options resolve to the operation's. `names` are unique
// operand names by index.
std::vector<bool> neededOptions(const Operation& operation, const std::vector<std::string>& names);

}  // namespace webnn::formats
