// Computes single operations on constants with the engine's own steps at compile time.
#pragma once

#include "backends/cpu/runtime/isa.h"
#include "compiler/passes/passes.h"

namespace webnn::cpu {

// Returns the function that PassOptions::evaluate wants: it computes one operation of constants with the kernels of `isa`, on the
// calling thread, until the thread's budget is exhausted (BudgetScope).
decltype(compiler::PassOptions::evaluate) evaluateFor(Isa isa);

}  // namespace webnn::cpu
