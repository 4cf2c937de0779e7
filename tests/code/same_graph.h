// Compares two graphs, ignoring names that not every API can set: those of the graph, of constants and of results.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/text.h"
#include "builder/open_graph.h"
#include "context/graph_state.h"
#include "formats/document/document.h"
#include "formats/text/writer.h"
#include "graph/graph_definition.h"
#include "webnn/session.h"

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

// Returns the text of both graphs if they differ after withoutNames(), otherwise nullopt.
inline std::optional<std::string> differenceOf(const GraphDefinition& a, const GraphDefinition& b) {
  const GraphDefinition x = withoutNames(a), y = withoutNames(b);
  if (x == y) return std::nullopt;
  return formats::writeText(formats::documentOf(x)) + "differs from\n" + formats::writeText(formats::documentOf(y));
}

// Compares the names and bounds of open dimensions, and the fixed graphs for several sizes. Returns a difference, or nullopt.
inline std::optional<std::string> differenceOf(Context& context, const OpenGraph& a, const OpenGraph& b) {
  const auto textOf = [](const OpenGraph& graph) {
    std::string text;
    for (const OpenSizes::Named& dimension : graph.sizes->named())
      text += formatText("{}: {} to {}\n", dimension.name, dimension.min, dimension.max);
    return text;
  };
  if (textOf(a) != textOf(b)) return textOf(a) + "differs from\n" + textOf(b);
  for (const std::uint32_t size : {1u, 5u}) {
    std::map<std::string, std::uint32_t> sizes;
    for (const OpenSizes::Named& dimension : a.sizes->named())
      sizes[dimension.name] = size + static_cast<std::uint32_t>(sizes.size());
    const Graph x = fixGraph(context, a, sizes, nullptr).whole(), y = fixGraph(context, b, sizes, nullptr).whole();
    if (const auto difference = differenceOf(definitionOf(x), definitionOf(y))) return difference;
  }
  return std::nullopt;
}

// Compares the graph of a file with the session that a program made. Returns a difference, or nullopt.
inline std::optional<std::string> differenceOf(Context& context, const std::filesystem::path& expected, const Session& actual) {
  const Session session = Session::load(context, expected);
  const bool isOpen = std::ranges::any_of(session.inputs(), [](const DeclaredInput& input) {
    return std::ranges::any_of(input.shape, [](const DeclaredDimension& dimension) { return !dimension.name.empty(); });
  });
  if (!isOpen) return differenceOf(definitionOf(session.graph({})), definitionOf(actual.graph({})));
  const auto other = actual.openGraph();
  return other ? differenceOf(context, *session.openGraph(), *other) : "the program's graph has no open dimensions";
}

}  // namespace webnn::test
