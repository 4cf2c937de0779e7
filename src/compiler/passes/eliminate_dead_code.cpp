#include <algorithm>

#include "compiler/passes/passes.h"

namespace webnn::compiler {

void eliminateDeadCode(Module& module, const PassOptions&) {
  std::vector<bool> needed(module.indexLimit());
  for (const auto& [name, operand] : module.outputs) needed[operand.record().index] = true;
  const auto isNeeded = [&](const ModuleNode& node) {
    return std::ranges::any_of(node.outputs, [&](const Operand& output) { return needed[output.record().index]; });
  };
  for (auto node = module.nodes.rbegin(); node != module.nodes.rend(); ++node) {
    if (!isNeeded(*node)) continue;
    visitOperands(node->operation, [&](std::string_view, const Operand& operand) { needed[operand.record().index] = true; });
  }
  std::erase_if(module.nodes, [&](const ModuleNode& node) { return !isNeeded(node); });
}

}  // namespace webnn::compiler
