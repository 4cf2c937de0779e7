// How values flow between the steps of a compiled graph, for those who draw it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/module.h"
#include "compiler/plan/memory_plan.h"

namespace webnn::compiler {

// Who makes a value: the result of a step, or an input of the graph. Constants are packed into the steps and not among them.
struct StepSource {
  bool isInput = false;
  std::uint32_t index = 0, result = 0;

  auto operator<=>(const StepSource&) const = default;
};

// What a step reads, each value once, and what it makes.
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
  std::vector<std::vector<StepSource>> outputs;  // of the graph: several where parts of it are made in their places
};

struct ModuleLinks {
  std::vector<StepLinks> steps;
  std::vector<std::vector<StepSource>> outputs;
};

// Nodes that are views in the plan are no steps: their results are what they view. Takes time and memory in proportion to the
// module: of a view that many steps make parts of, only some are sources.
ModuleLinks linksOf(const Module& module, const MemoryPlan& plan);

}  // namespace webnn::compiler
