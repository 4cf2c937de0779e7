// Values that depend on constants alone, for the passes that compute them.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/module.h"
#include "compiler/passes/passes.h"

namespace webnn::compiler {

// The outputs of a node of the specification whose operands are all constants, as new constants; nullopt if they are not, or if
// the budget does not allow it. Reshapes and contiguous parts share the bytes of their operand.
std::optional<std::vector<Operand>> foldNode(Module& module, const ModuleNode& node, const PassOptions& options);

// The elements of a constant of at most 32 bits, each as a double.
std::vector<double> constantNumbers(const Operand& constant);
// A constant of int4 or uint4 as one of int8 or uint8.
Operand widenedNibbles(Module& module, const Operand& constant);

}  // namespace webnn::compiler
