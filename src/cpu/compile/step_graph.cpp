#include "cpu/compile/step_graph.h"

#include <algorithm>

namespace webnn::cpu {

namespace {

void addSources(std::vector<StepSource>& to, const std::vector<StepSource>& from) {
  for (const StepSource& source : from) {
    if (std::ranges::find(to, source) == to.end()) to.push_back(source);
  }
}

}  // namespace

ModuleLinks linksOf(const Module& module, const MemoryPlan& plan) {
  std::vector<std::vector<StepSource>> sources(module.indexLimit());  // by operand
  for (std::uint32_t i = 0; i < module.inputs.size(); ++i) sources[module.inputs[i].record().index] = {{true, i, 0}};
  ModuleLinks links;
  for (std::size_t i = 0; i < module.nodes.size(); ++i) {
    const ModuleNode& node = module.nodes[i];
    std::vector<StepSource> inputs;
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
      addSources(inputs, sources[operand.record().index]);
    });
    if (plan.isView[i]) {
      for (const Operand& output : node.outputs) sources[output.record().index] = inputs;
      continue;
    }
    const auto step = static_cast<std::uint32_t>(links.steps.size());
    StepLinks& made = links.steps.emplace_back();
    made.inputs = std::move(inputs);
    for (const Operand& output : node.outputs) {
      sources[output.record().index] = {{false, step, static_cast<std::uint32_t>(made.outputs.size())}};
      made.outputs.push_back(output.descriptor());
    }
  }
  for (const auto& [name, operand] : module.outputs) links.outputs.push_back(sources[operand.record().index]);
  return links;
}

}  // namespace webnn::cpu
