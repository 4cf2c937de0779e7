#pragma once

#include "compiler/ir/module.h"

namespace webnn::compiler {

// Replaces each of the engine's operations by operations of the specification that compute the same; float16 is computed in
// float32, as in the engine. Follows operations.h and shares no code with the steps. Throws Error if an operation does not fit
// its operands.
void lower(Module& module);

}  // namespace webnn::compiler
