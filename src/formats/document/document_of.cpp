#include <algorithm>

#include "formats/document/document.h"
#include "formats/document/json_fields.h"

namespace webnn::formats {

GraphDocument documentOf(const GraphDefinition& graph) {
  const std::vector<std::string> names = graph.operandNames();
  const auto nameOf = [&](const Operand& operand) -> const std::string& { return names[operand.record().index]; };
  GraphDocument document;
  document.name = graph.name;
  for (const Operand& input : graph.inputs) {
    InputDeclaration declaration{.name = nameOf(input), .dataType = input.dataType()};
    for (std::uint32_t size : input.shape()) declaration.shape.push_back({size, {}});
    document.inputs.push_back(std::move(declaration));
  }
  for (const Operand& constant : graph.constants) {
    const ExternalBytes data{constant.record().bytes, constant.record().keepAlive};
    document.constants.push_back({.name = nameOf(constant), .descriptor = constant.descriptor(), .source = data});
  }
  for (const Node& node : graph.nodes) {
    NodeDeclaration declaration{.id = nameOf(node.outputs[0]), .op = std::string(name(node.operation))};
    const auto optional = operandOptions(declaration.op);
    visitOperands(node.operation, [&](std::string_view field, const Operand& operand) {
      if (std::ranges::find(optional, field) == optional.end()) declaration.inputs.push_back(nameOf(operand));
    });
    declaration.options = fieldsToJson(node.operation, names);
    for (const Operand& output : node.outputs) declaration.outputs.push_back(nameOf(output));
    document.nodes.push_back(std::move(declaration));
  }
  for (const auto& [name, operand] : graph.outputs) document.outputs.push_back({.name = name, .value = nameOf(operand)});
  return document;
}

}  // namespace webnn::formats
