#pragma once

#include <algorithm>

#include "ops/operation_row.h"

namespace webnn::ops {

// Returns whether the method returns sequence<MLOperand> instead of one MLOperand.
inline bool returnsList(const OperationRow& row) {
  return row.find("outputs") || std::ranges::count_if(row.rules(), &OperandRule::output) != 1;
}

}  // namespace webnn::ops
