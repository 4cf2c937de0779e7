// Checks of what passes and the memory plan have made. Written from the rules, in terms of nothing but the module, the operation
// table and what readings.h declares: no code of a pass or of the planner takes part, so that their mistakes are not made twice.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpu/compile/memory_plan.h"
#include "cpu/ir/module.h"

namespace webnn::cpu {

// What callers see of a graph, which no pass may change.
struct ModuleInterface {
  explicit ModuleInterface(const Module& module);

  std::vector<Operand> inputs;
  std::vector<std::pair<std::string, OperandDescriptor>> outputs;
};

// Every operand is computed once, before it is used, and by the operation whose own rule gives its type and shape; the
// specification's operations keep its steps and have their options resolved; constants have all their bytes; inputs and outputs
// are those of the interface. Throws Error (unknownError): `the CPU engine's module is wrong after canonicalize: ...`.
void verifyModule(const Module& module, const ModuleInterface& interface, std::string_view after);

// The types and shapes of one node: the rule of its operation. Throws Error that says which is broken.
void verifyNode(const ModuleNode& node);

// Runs the steps in thought: every value lies inside its base, what a step reads is what was written there for that value, and
// a step writes over an operand of its own only as readings.h allows, at exactly that place. Every output of the module ends up
// in its own buffer. Throws Error (unknownError): `the CPU engine's memory plan is wrong: step 3 (add "sum") ...`. The time is
// that of the number of operands, but for a logarithm.
void verifyPlan(const Module& module, const MemoryPlan& plan);

// `%7 "name"`, for messages.
std::string valueText(const Operand& operand);
// `add "label"`.
std::string nodeText(const ModuleNode& node);

}  // namespace webnn::cpu
