#include "support/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "backends/cpu/compile/executable.h"
#include "backends/cpu/cpu_backend.h"

namespace webnn::test {

namespace {

GraphDefinition labelled(GraphDefinition graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    std::visit([&](auto& op) { op.options.label = "#" + std::to_string(i); },
               static_cast<OperationVariant&>(graph.nodes[i].operation));
  }
  return graph;
}

// Runs the graph with zeros and returns the steps.
std::vector<StepTime> stepsOf(const GraphDefinition& graph, const Executable& executable) {
  std::vector<std::vector<std::byte>> bytes;
  for (const Operand& input : graph.inputs) bytes.emplace_back(byteLength(input.descriptor()));
  for (const auto& [name, output] : graph.outputs) bytes.emplace_back(byteLength(output.descriptor()));
  std::vector<std::span<const std::byte>> inputs(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(graph.inputs.size()));
  std::vector<std::span<std::byte>> outputs(bytes.begin() + static_cast<std::ptrdiff_t>(graph.inputs.size()), bytes.end());
  return executable.profile(inputs, outputs);
}

// Holds the operations on which an operation depends directly, and whether it depends on constants only.
struct Dependence {
  std::vector<std::size_t> on;
  bool isOfConstants = true;
};
std::vector<Dependence> dependencesOf(const GraphDefinition& graph) {
  std::map<const OperandRecord*, std::size_t> makers;
  std::vector<Dependence> dependences(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Dependence& own = dependences[i];
    visitOperands(graph.nodes[i].operation, [&](std::string_view, const Operand& operand) {
      const auto maker = makers.find(&operand.record());
      if (maker != makers.end()) {
        own.on.push_back(maker->second);
        own.isOfConstants = own.isOfConstants && dependences[maker->second].isOfConstants;
      } else if (operand.record().kind == OperandKind::input) {
        own.isOfConstants = false;
      }
    });
    for (const Operand& output : graph.nodes[i].outputs) makers[&output.record()] = i;
  }
  return dependences;
}

void expectStates(const GraphDefinition& graph, const std::vector<OperationPlacement>& placement,
                  const std::vector<StepTime>& steps) {
  const std::vector<Dependence> dependences = dependencesOf(graph);
  for (std::size_t i = 0; i < placement.size(); ++i) {
    SCOPED_TRACE("operation " + std::to_string(i) + ", " + std::string(name(graph.nodes[i].operation)));
    const OperationPlacement& placed = placement[i];
    const bool runs = placed.state == PlacementState::runs;
    EXPECT_EQ(runs, !placed.steps.empty());
    EXPECT_EQ(placed.device, runs ? "cpu" : "");
    EXPECT_TRUE(placed.state != PlacementState::constant || dependences[i].isOfConstants);
    EXPECT_TRUE(std::ranges::is_sorted(placed.steps, std::less_equal())) << "a step twice, or out of order";
    ASSERT_EQ(placed.kernels.size(), placed.steps.size());
    for (std::size_t k = 0; k < placed.steps.size(); ++k) {
      ASSERT_LT(placed.steps[k], steps.size());
      const StepTime& step = steps[placed.steps[k]];
      EXPECT_EQ(placed.kernels[k], step.kernel.empty() ? step.operation : step.kernel);
    }
    for (const std::size_t before : dependences[i].on) {
      // Operations that move elements may run before the dequantization on which they depend. Steps that remain of folded
      // operations may run at any time. So may steps that pack an output into 4 bits.
      const bool moves = name(graph.nodes[before].operation) == "dequantizeLinear" || dependences[before].isOfConstants;
      const auto first =
          std::ranges::find_if(placement[before].steps, [&](std::uint32_t step) { return steps[step].operation != "repack"; });
      if (!runs || moves || first == placement[before].steps.end()) continue;
      EXPECT_LE(*first, placed.steps.back()) << "of operation " << before;
    }
  }
}

void expectStepsAreTaken(const std::vector<OperationPlacement>& placement, const std::vector<StepTime>& steps) {
  const auto isOf = [&](std::size_t step, const OperationPlacement& placed) {
    return std::ranges::find(placed.steps, step) != placed.steps.end();
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepTime& step = steps[i];
    SCOPED_TRACE("step " + std::to_string(i) + ", " + step.operation + " " + step.label);
    EXPECT_TRUE(step.operation == "copy" || std::ranges::any_of(placement, [&](const auto& placed) { return isOf(i, placed); }));
    EXPECT_TRUE(step.label.empty() || isOf(i, placement.at(std::stoul(step.label.substr(1)))));
  }
}

}  // namespace

void expectPlacementIsWhole(const GraphDefinition& graph, const std::string& disable) {
  const GraphDefinition own = labelled(graph);
  ContextOptions options{.backend = "cpu"};
  if (!disable.empty()) options.backendOptions["disable"] = disable;
  const auto executable = cpu::compile(std::make_shared<const GraphDefinition>(own), cpu::settingsOf(options).compile,
                                       std::make_shared<cpu::TeamPool>(1));
  const std::vector<OperationPlacement> placement = executable->placement();
  const std::vector<StepTime> steps = stepsOf(own, *executable);
  ASSERT_EQ(placement.size(), own.nodes.size());
  expectStates(own, placement, steps);
  expectStepsAreTaken(placement, steps);
}

}  // namespace webnn::test
