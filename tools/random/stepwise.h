// For lstm and gru: computes step by step, so that the rounding of a step passes through the following ones.
#pragma once

#include <functional>
#include <vector>

#include "ops/operation.h"
#include "random/elements.h"

namespace webnn::random {

using ChangeState = std::function<void(const OperandDescriptor& descriptor, Bytes& state)>;

// The results as the reference has them, with `change` of each state after each step. `operands` in the order of
// visitOperands. Empty for other operations.
std::vector<Bytes> evaluateStepwise(const Operation& operation, const std::vector<Bytes>& operands, const ChangeState& change);

}  // namespace webnn::random
