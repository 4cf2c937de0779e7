#include "compiler/plan/step_graph.h"

#include <algorithm>
#include <memory>

namespace webnn::compiler {

namespace {

using Sources = std::vector<StepSource>;
using SharedSources = std::shared_ptr<const Sources>;

constexpr std::size_t kMostSources = 32;  // the limit per view; without it, chains of concatenations would take quadratic memory

// Returns the sources of the node's operands without duplicates.
Sources sourcesOf(const ModuleNode& node, const std::vector<SharedSources>& byOperand) {
  Sources all;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
    const SharedSources& sources = byOperand[operand.record().index];
    if (sources) all.insert(all.end(), sources->begin(), sources->end());
  });
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Returns the sources of a view. A view of one operand shares the list of that operand.
SharedSources sourcesOfView(const ModuleNode& node, const std::vector<SharedSources>& byOperand) {
  SharedSources only;
  std::size_t count = 0;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
    only = byOperand[operand.record().index];
    ++count;
  });
  if (count == 1) return only;
  Sources all = sourcesOf(node, byOperand);
  all.resize(std::min(all.size(), kMostSources));
  return std::make_shared<const Sources>(std::move(all));
}

}  // namespace

ModuleLinks linksOf(const Module& module, const MemoryPlan& plan) {
  std::vector<SharedSources> sources(module.indexLimit());  // null for a constant
  for (std::uint32_t i = 0; i < module.inputs.size(); ++i)
    sources[module.inputs[i].record().index] = std::make_shared<const Sources>(Sources{{true, i, 0}});
  ModuleLinks links;
  for (std::size_t i = 0; i < module.nodes.size(); ++i) {
    const ModuleNode& node = module.nodes[i];
    if (plan.isView[i]) {
      const SharedSources viewed = sourcesOfView(node, sources);
      for (const Operand& output : node.outputs) sources[output.record().index] = viewed;
      continue;
    }
    const auto step = static_cast<std::uint32_t>(links.steps.size());
    StepLinks& made = links.steps.emplace_back();
    made.inputs = sourcesOf(node, sources);
    made.inputs.shrink_to_fit();
    for (const Operand& output : node.outputs) {
      const auto result = static_cast<std::uint32_t>(made.outputs.size());
      sources[output.record().index] = std::make_shared<const Sources>(Sources{{false, step, result}});
      made.outputs.push_back(output.descriptor());
    }
  }
  for (const auto& [name, operand] : module.outputs) {
    const SharedSources& found = sources[operand.record().index];
    links.outputs.push_back(found ? *found : Sources());
  }
  return links;
}

}  // namespace webnn::compiler
