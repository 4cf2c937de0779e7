// The flow of values between the steps of a compiled graph, used to draw it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/module.h"
#include "compiler/plan/memory_plan.h"

namespace webnn::compiler {

// The producer of a value: a result of a step, or an input of the graph. Constants are packed into the steps and are not listed.
struct StepSource {
  bool isInput = false;
  std::uint32_t index = 0, result = 0;

  auto operator<=>(const StepSource&) const = default;
};

// The values that a step reads, without duplicates, and the values that it computes.
struct StepLinks {
  std::vector<StepSource> inputs;
  std::vector<OperandDescriptor> outputs;
};

struct GraphStep {
  std::string operation, label, kernel;  // as in StepTime
  StepLinks links;
};

struct StepGraph {
  std::vector<GraphStep> steps;  // in order of execution; empty if the backend does not provide them
  // indexed by graph output; has several sources if the output's parts are computed in place
  std::vector<std::vector<StepSource>> outputs;
};

struct ModuleLinks {
  std::vector<StepLinks> steps;
  std::vector<std::vector<StepSource>> outputs;
};

// Returns the links of each node that is a step. A view is not a step; its users get the sources of the viewed operand. Time and
// memory are proportional to the module, because a view whose parts are computed by many steps lists only some of them.
ModuleLinks linksOf(const Module& module, const MemoryPlan& plan);

}  // namespace webnn::compiler
