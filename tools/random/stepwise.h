// Computes lstm and gru step by step, so that a change of a step's state affects the following steps.
#pragma once

#include <functional>
#include <vector>

#include "ops/operation.h"
#include "random/elements.h"

namespace webnn::random {

using ChangeState = std::function<void(const OperandDescriptor& descriptor, Bytes& state)>;

// Returns the reference backend's results, computed step by step, with `change` applied to each state after each step. `operands`
// are in the order of visitOperands. Empty for other operations.
std::vector<Bytes> evaluateStepwise(const Operation& operation, const std::vector<Bytes>& operands, const ChangeState& change);

}  // namespace webnn::random
