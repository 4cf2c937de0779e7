#include <algorithm>

#include "compiler/passes/passes.h"

namespace webnn::compiler {

void eliminateDeadCode(Module& module, const PassOptions&) {
  std::vector<bool> needed(module.indexLimit());
  for (const auto& [name, operand] : module.outputs) needed[operand.record().index] = true;
  std::vector<ModuleNode> kept;
  for (auto node = module.nodes.rbegin(); node != module.nodes.rend(); ++node) {
    const bool isNeeded =
        std::ranges::any_of(node->outputs, [&](const Operand& output) { return needed[output.record().index]; });
    if (!isNeeded) continue;
    visitOperands(node->operation, [&](std::string_view, const Operand& operand) { needed[operand.record().index] = true; });
    kept.push_back(std::move(*node));
  }
  std::ranges::reverse(kept);
  module.nodes = std::move(kept);
}

}  // namespace webnn::compiler
