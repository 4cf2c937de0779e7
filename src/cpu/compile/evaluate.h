// Single operations computed by the engine's own steps, for values that are known when a graph is compiled.
#pragma once

#include <cstddef>
#include <vector>

#include "base/unset_vector.h"
#include "cpu/runtime/isa.h"
#include "ops/operation.h"

namespace webnn::cpu {

// The packed bytes of the outputs of an operation whose operands are all constants; on this thread, as long as its budget is not
// over (BudgetScope).
std::vector<UnsetVector<std::byte>> evaluate(const Operation& operation, const ops::Outputs& outputs, Isa isa);

}  // namespace webnn::cpu
