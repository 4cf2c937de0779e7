#include "backends/cpu/compile/evaluate.h"

#include "backends/cpu/compile/executable.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

// Disables all optional passes: in a graph of one operation, there is nothing to fuse or fold.
CompileOptions optionsFor(Isa isa) {
  CompileOptions options{.isa = isa, .disabledPasses = {}, .dump = {}};
  for (const Pass& pass : allPasses()) {
    if (!pass.required) options.disabledPasses.emplace_back(pass.name);
  }
  return options;
}

std::vector<UnsetVector<std::byte>> evaluate(const Operation& operation, const ops::Outputs& outputs, Isa isa) {
  const auto definition = std::make_shared<GraphDefinition>();
  GraphDefinition& graph = *definition;
  std::vector<std::span<const std::byte>> inputs;
  Node node{operation, {}};
  mapOperands(node.operation, [&](const Operand& operand) {
    inputs.push_back(operand.record().bytes);
    return graph.inputs.emplace_back(makeOperand(OperandKind::input, graph.inputs.size(), operand.descriptor()));
  });
  graph.indexLimit = graph.inputs.size();
  std::vector<UnsetVector<std::byte>> results;
  for (const OperandDescriptor& output : outputs) {
    node.outputs.push_back(makeOperand(OperandKind::intermediate, graph.indexLimit++, output));
    graph.outputs.emplace_back(formatText("{}", results.size()), node.outputs.back());
    results.emplace_back(byteLength(output));
  }
  graph.nodes.push_back(std::move(node));
  const std::vector<std::span<std::byte>> places(results.begin(), results.end());
  compile(definition, optionsFor(isa), std::make_shared<TeamPool>(1))->run(inputs, places, BudgetScope::current());
  return results;
}

}  // namespace

decltype(compiler::PassOptions::evaluate) evaluateFor(Isa isa) {
  return [isa](const Operation& operation, const ops::Outputs& outputs) { return evaluate(operation, outputs, isa); };
}

}  // namespace webnn::cpu
