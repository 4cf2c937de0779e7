// Computes single operations of known values with the engine's own steps, while a graph is compiled.
#pragma once

#include <cstddef>
#include <vector>

#include "base/unset_vector.h"
#include "cpu/runtime/isa.h"
#include "ops/operation.h"

namespace webnn::cpu {

// The packed bytes of the outputs of an operation whose operands are all constants. Runs on this thread, until its budget is over
// (BudgetScope).
std::vector<UnsetVector<std::byte>> evaluate(const Operation& operation, const ops::Outputs& outputs, Isa isa);

}  // namespace webnn::cpu
