// Evaluates nodes whose operands are constants.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/module.h"
#include "compiler/passes/passes.h"

namespace webnn::compiler {

// Computes the outputs of a specification node whose operands are all constants, as new constants. Returns nullopt if an
// operand is not a constant or if the budget is exceeded. Reshapes and large contiguous parts share the bytes of their operand.
std::optional<std::vector<Operand>> foldNode(Module& module, const ModuleNode& node, const PassOptions& options);

// Computes an operation with one result by foldNode().
std::optional<Operand> foldOperation(Module& module, Operation operation, const PassOptions& options);

// Returns the elements of a constant as doubles. The elements must have at most 32 bits.
std::vector<double> constantNumbers(const Operand& constant);
// Converts a constant of int4 or uint4 to int8 or uint8.
Operand widenedNibbles(Module& module, const Operand& constant);

}  // namespace webnn::compiler
