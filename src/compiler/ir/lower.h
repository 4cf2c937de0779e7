// What a module stands for, in operations of the specification alone.
#pragma once

#include "compiler/ir/module.h"

namespace webnn::compiler {

// Replaces each of the engine's operations by operations of the specification that compute the same, float16 in float32 as the
// engine does. Written from what operations.h says, not from the steps. Throws Error if an operation does not fit its operands.
void lower(Module& module);

}  // namespace webnn::compiler
