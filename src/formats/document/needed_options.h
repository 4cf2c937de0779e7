// Options as callers write them.
#pragma once

#include <string>
#include <vector>

#include "ops/operation.h"

namespace webnn::formats {

// Which options of an operation, in order, a caller must give so that they resolve to those that the operation has. `names` are
// of the operands by index, all different.
std::vector<bool> neededOptions(const Operation& operation, const std::vector<std::string>& names);

}  // namespace webnn::formats
