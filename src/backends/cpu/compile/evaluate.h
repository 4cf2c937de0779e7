// Evaluates constant operations at compile time with this engine's kernels.
#pragma once

#include "backends/cpu/runtime/isa.h"
#include "compiler/passes/passes.h"

namespace webnn::cpu {

// Returns a function for PassOptions::evaluate. The function computes one operation on constants with the kernels of `isa`, on
// the calling thread. It stops if the thread's budget (BudgetScope) is exceeded.
decltype(compiler::PassOptions::evaluate) evaluateFor(Isa isa);

}  // namespace webnn::cpu
