#include "builder/subgraph.h"

#include <unordered_map>

#include "webnn/graph.h"

namespace webnn {

Graph buildSubgraph(Context& context, const GraphDefinition& graph, std::span<const std::size_t> nodes,
                    const std::vector<NamedOperand>& outputs) {
  const std::vector<std::string> names = graph.operandNames();
  GraphBuilder builder(context);
  std::unordered_map<std::uint32_t, Operand> copies;  // keyed by the index of the original operand
  const auto copyOf = [&](const Operand& operand) {
    const OperandRecord& record = operand.record();
    if (const auto found = copies.find(record.index); found != copies.end()) return found->second;
    Operand copy;
    if (record.kind == OperandKind::constant) {
      copy = builder.constant(record.descriptor, ExternalBytes{record.bytes, record.keepAlive});
      builder.setName(copy, names[record.index]);
    } else {
      copy = builder.input(names[record.index], record.descriptor);
    }
    return copies.emplace(record.index, copy).first->second;
  };
  for (std::size_t index : nodes) {
    const Node& node = graph.nodes[index];
    Operation operation = node.operation;
    mapOperands(operation, copyOf);
    const std::vector<Operand> results = builder.append(std::move(operation));
    for (std::size_t i = 0; i < results.size(); ++i) {
      copies[node.outputs[i].record().index] = results[i];
      builder.setName(results[i], names[node.outputs[i].record().index]);
    }
  }
  std::vector<NamedOperand> results;
  for (const auto& [name, operand] : outputs) results.emplace_back(name, copies.at(operand.record().index));
  builder.setGraphName(graph.name);
  return builder.build(std::move(results));
}

}  // namespace webnn
