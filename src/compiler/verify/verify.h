// Checks the results of passes and of the memory plan. Follows the module, the operation table and the declarations of
// readings.h, and shares no code with passes or the planner, so that it does not repeat their mistakes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/module.h"
#include "compiler/plan/memory_plan.h"

namespace webnn::compiler {

// The interface of a graph, which no pass may change.
struct ModuleInterface {
  explicit ModuleInterface(const Module& module);

  std::vector<Operand> inputs;
  std::vector<std::pair<std::string, OperandDescriptor>> outputs;
};

// Every operand is computed once and before it is used; its type and shape follow from its operation's rule. The specification's
// operations pass its validation steps and have their options resolved. Constants have all their bytes; inputs and outputs match
// the interface. Throws Error (unknownError): `the CPU engine's module is wrong after canonicalize: ...`.
void verifyModule(const Module& module, const ModuleInterface& interface, std::string_view after);

// Checks the types and shapes of one node by its operation's rule. Throws Error that says which rule is broken.
void verifyNode(const ModuleNode& node);

// Executes the steps symbolically: every value lies inside its base; a step reads what was written there for that value, and
// overwrites its own operands only as readings.h allows, at exactly that place. Every output of the module ends up in its own
// buffer. Throws Error (unknownError): `the CPU engine's memory plan is wrong: step 3 (add "sum") ...`. Takes O(n log n) time for
// n operands.
void verifyPlan(const Module& module, const MemoryPlan& plan);

// `%7 "name"`, for messages.
std::string valueText(const Operand& operand);
// `add "label"`.
std::string nodeText(const ModuleNode& node);

}  // namespace webnn::compiler
