// The flow of values between the steps of a compiled graph, for drawing it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/module.h"
#include "compiler/plan/memory_plan.h"

namespace webnn::compiler {

// The producer of a value: a step's result or an input of the graph. Constants are packed into the steps and are not listed.
struct StepSource {
  bool isInput = false;
  std::uint32_t index = 0, result = 0;

  auto operator<=>(const StepSource&) const = default;
};

// The values that a step reads, each once, and the values that it computes.
struct StepLinks {
  std::vector<StepSource> inputs;
  std::vector<OperandDescriptor> outputs;
};

struct GraphStep {
  std::string operation, label, kernel;  // as in StepTime
  StepLinks links;
};

struct StepGraph {
  std::vector<GraphStep> steps;                  // in their order; empty if the backend does not tell
  std::vector<std::vector<StepSource>> outputs;  // by graph output: several if its parts are computed in place
};

struct ModuleLinks {
  std::vector<StepLinks> steps;
  std::vector<std::vector<StepSource>> outputs;
};

// A view in the plan is no step; its users get the sources of the viewed operand. Takes time and memory proportional to the
// module: a view that many steps compute parts of lists only some of them.
ModuleLinks linksOf(const Module& module, const MemoryPlan& plan);

}  // namespace webnn::compiler
