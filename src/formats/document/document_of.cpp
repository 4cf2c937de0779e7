#include <algorithm>

#include "formats/document/document.h"
#include "formats/document/json_fields.h"
#include "formats/document/options.h"
#include "ops/checks.h"

namespace webnn::formats {

namespace {

// Converts sizes to dimensions of a document: the handle of an open dimension becomes a name or an expression.
struct Names {
  const OpenSizes* sizes;

  Dimension dimension(std::uint32_t size) const {
    if (!sizes || (size & kOpenBit) == 0) return {size, {}};
    const auto [min, max] = sizes->range(size);
    const std::optional<std::string> name = sizes->nameOf(size);
    const bool isName = name && !name->starts_with('=');
    return {max, isName ? *name : "= " + sizes->text(size), min};
  }
  Json item(const Json& item) const {
    if (!item.isUnsigned() || item.asUnsigned() > 0xFFFFFFFF) return item;
    const Dimension found = dimension(static_cast<std::uint32_t>(item.asUnsigned()));
    return found.name.empty() ? item : dimensionToJson(found);
  }
  Json options(const Json& options) const {
    if (!sizes) return options;
    Json result = Json::object();
    for (const auto& [key, value] : options.members()) {
      if (!ops::isSizeField(key)) {
        result[key] = value;
      } else if (value.isArray()) {
        Json list = Json::array();
        for (const Json& size : value.items()) list.push(item(size));
        result[key] = std::move(list);
      } else {
        result[key] = item(value);
      }
    }
    return result;
  }
};

GraphDocument documentOf(const GraphDefinition& graph, const Names& open) {
  const std::vector<std::string> names = graph.operandNames();
  const auto nameOf = [&](const Operand& operand) -> const std::string& { return names[operand.record().index]; };
  GraphDocument document;
  document.name = graph.name;
  for (const Operand& input : graph.inputs) {
    InputDeclaration declaration{.name = nameOf(input), .dataType = input.dataType()};
    for (std::uint32_t size : input.shape()) declaration.shape.push_back(open.dimension(size));
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
    declaration.options = open.options(fieldsToJson(node.operation, names));
    for (const Operand& output : node.outputs) declaration.outputs.push_back(nameOf(output));
    document.nodes.push_back(std::move(declaration));
  }
  for (const auto& [name, operand] : graph.outputs) document.outputs.push_back({.name = name, .value = nameOf(operand)});
  return document;
}

}  // namespace

GraphDocument documentOf(const GraphDefinition& graph) { return documentOf(graph, Names{OpenScope::current()}); }
GraphDocument documentOf(const OpenGraph& graph) { return documentOf(*graph.definition, Names{graph.sizes.get()}); }

}  // namespace webnn::formats
