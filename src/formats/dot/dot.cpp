// https://graphviz.org/doc/info/lang.html
#include "base/text.h"
#include "context/graph_state.h"
#include "formats/dot/picture.h"
#include "webnn/formats.h"

namespace webnn {

namespace {

using formats::PictureEdge;
using formats::PictureKind;
using formats::PictureNode;

constexpr std::string_view kInputColor = "#c6dbef", kConstantColor = "#e0e0e0", kOutputColor = "#9ecae1";
// Fill colors, indexed by formats::Family.
constexpr std::string_view kColors[formats::kFamilyCount] = {"#ffffff", "#fdd0a2", "#fdae6b", "#dadaeb",
                                                             "#c7e9c0", "#a1d99b", "#fcbba1", "#f7f2b0"};

// Returns the lines as a quoted string of the DOT language. Labels interpret backslashes and HTML entities, so both are escaped.
std::string label(std::initializer_list<std::string> lines) {
  std::string result = "\"";
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    if (result.size() > 1) result += "\\n";
    for (char c : sanitized(line)) {
      if (c == '"' || c == '\\') result += '\\';
      if (c == '&') {
        result += "&amp;";
      } else {
        result += c;
      }
    }
  }
  return result + "\"";
}

std::string idOf(const PictureNode& node) {
  constexpr std::string_view kKinds[] = {"input", "constant", "node", "output"};
  return formatText("{}{}", kKinds[static_cast<std::size_t>(node.kind)], node.number);
}

std::string box(const std::string& id, const std::string& text, std::string_view shape, std::string_view color) {
  return formatText("  {} [label={}, shape={}, fillcolor=\"{}\"];\n", id, text, shape, color);
}

std::string boxOf(const PictureNode& node) {
  const std::string id = idOf(node);
  switch (node.kind) {
    case PictureKind::input: return box(id, label({node.name, toString(*node.results[0])}), "ellipse", kInputColor);
    case PictureKind::constant: return box(id, label({node.name, toString(*node.results[0])}), "note", kConstantColor);
    case PictureKind::output: return box(id, label({node.name}), "ellipse", kOutputColor);
    case PictureKind::operation: break;
  }
  return box(id, label({node.name, node.label, node.options}), "box", kColors[static_cast<std::size_t>(node.family)]);
}

}  // namespace

std::string toDot(const Graph& graph) { return formats::dotOf(definitionOf(graph, "toDot")); }

std::string formats::dotOf(const GraphDefinition& definition) {
  std::string text = "digraph " + label({definition.name.empty() ? "graph" : definition.name}) +
                     " {\n  rankdir=TB;\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n"
                     "  edge [fontname=\"sans-serif\", fontsize=10];\n";
  const std::vector<PictureNode> nodes = formats::pictureOf(definition);
  for (const PictureNode& node : nodes) {
    text += boxOf(node);
    for (const PictureEdge& edge : node.edges) {
      const std::string type = (edge.isOption ? std::string(edge.argument) + ": " : "") + toString(*edge.type);
      text += formatText("  {} -> {} [label={}];\n", idOf(nodes[edge.from]), idOf(node), label({type}));
    }
  }
  return text + "}\n";
}

}  // namespace webnn
