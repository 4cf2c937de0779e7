// Checks the results of passes and of the memory planner. The checks rely on the module, the operation table and the declarations
// in readings.h. Apart from these, they share no code with passes or the planner, so that a mistake in that code is not repeated
// here.
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

// Checks that every operand is computed once and before it is used; that its type and shape follow from its operation's rule;
// that the specification's operations pass their validation steps and have resolved options; that constants have all their bytes;
// and that inputs and outputs match the interface. Throws Error (unknownError): `the CPU engine's module is wrong after
// canonicalize: ...`.
void verifyModule(const Module& module, const ModuleInterface& interface, std::string_view after);

// Checks the types and shapes of one node by its operation's rule. Throws an Error that states the broken rule.
void verifyNode(const ModuleNode& node);

// Executes the steps symbolically and checks that every value is inside its base; that a step reads exactly the value that was
// written to that memory; that a step overwrites its own operands only as readings.h allows; and that every output of the module
// ends in its own buffer. Throws Error (unknownError): `the CPU engine's memory plan is wrong: step 3 (add "sum") ...`. Takes O(n
// log n) time for n operands.
void verifyPlan(const Module& module, const MemoryPlan& plan);

// Returns `%7 "name"`, for messages.
std::string valueText(const Operand& operand);
// Returns `add "label"`, for messages.
std::string nodeText(const ModuleNode& node);

}  // namespace webnn::compiler
