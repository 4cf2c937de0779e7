#include "cpu/pass_support.h"

#include "context/graph_state.h"

namespace webnn::test {

std::string operationsAfter(Fixture& fixture, const std::vector<Operand>& outputs, const std::vector<PassFunction>& passes) {
  std::vector<NamedOperand> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named.emplace_back("y" + std::to_string(i), outputs[i]);
  cpu::Module module(*fixture.builder.build(named).state()->definition);
  for (const PassFunction pass : passes) pass(module, {});
  std::string names;
  for (const cpu::ModuleNode& node : module.nodes)
    names += (names.empty() ? "" : " ") + std::string(compiler::name(node.operation));
  return names;
}

}  // namespace webnn::test
