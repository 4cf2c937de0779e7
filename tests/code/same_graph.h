// Compares two graphs, ignoring the names of operands, which not every API can set.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "formats/document/document.h"
#include "formats/text/writer.h"
#include "graph/graph_definition.h"

namespace webnn::test {

// Returns the graph without names, except those of inputs and outputs.
inline GraphDefinition withoutNames(GraphDefinition graph) {
  graph.name.clear();
  std::vector<Operand> plain(graph.indexLimit);
  const auto strip = [&](Operand& operand) {
    OperandRecord record = operand.record();
    if (record.kind != OperandKind::input) record.name.clear();
    operand = plain[operand.record().index] = Operand(std::make_shared<const OperandRecord>(std::move(record)));
  };
  for (Operand& input : graph.inputs) strip(input);
  for (Operand& constant : graph.constants) strip(constant);
  for (Node& node : graph.nodes) {
    mapOperands(node.operation, [&](const Operand& operand) { return plain[operand.record().index]; });
    for (Operand& output : node.outputs) strip(output);
  }
  for (auto& [name, operand] : graph.outputs) operand = plain[operand.record().index];
  return graph;
}

// Returns the text of both graphs if they differ in more than names, otherwise nullopt.
inline std::optional<std::string> differenceOf(const GraphDefinition& a, const GraphDefinition& b) {
  const GraphDefinition x = withoutNames(a), y = withoutNames(b);
  if (x == y) return std::nullopt;
  return formats::writeText(formats::documentOf(x)) + "differs from\n" + formats::writeText(formats::documentOf(y));
}

}  // namespace webnn::test
