#pragma once

#include "compiler/ir/module.h"

namespace webnn::compiler {

// Replaces each of the engine's operations by equivalent operations of the specification. Computes float16 in float32 if the
// engine does. Implements the definitions in operations.h and shares no code with the engine's steps. Throws Error if an
// operation does not fit its operands.
void lower(Module& module);

}  // namespace webnn::compiler
