// Values that depend on constants alone, for passes that look for them.
#pragma once

#include <optional>
#include <vector>

#include "cpu/module.h"

namespace webnn::cpu {

// The outputs of a node of the specification whose operands are all constants, as new constants; nullopt if they are not,
// or would be large beyond reason.
std::optional<std::vector<Operand>> foldNode(Module& module, const ModuleNode& node);

// The operand as a constant, which it is or which follows from constants alone; nullopt otherwise.
std::optional<Operand> constantValue(Module& module, const Uses& uses, const Operand& operand);

// The elements of a constant of at most 32 bits, each as a double.
std::vector<double> constantNumbers(const Operand& constant);

}  // namespace webnn::cpu
