// https://graphviz.org/doc/info/lang.html
#include <algorithm>

#include "base/text.h"
#include "context/graph_state.h"
#include "formats/document/document.h"
#include "formats/document/json_fields.h"
#include "webnn/formats.h"

namespace webnn {

namespace {

// Colours of kinds of operations, by what stands in their names; all others are element-wise.
struct Family {
  std::string_view color;
  std::string_view parts[12];  // the rest is empty
};
constexpr std::string_view kInputColor = "#c6dbef", kConstantColor = "#e0e0e0", kOutputColor = "#9ecae1";
constexpr std::string_view kElementWiseColor = "#ffffff";
constexpr Family kFamilies[] = {
    {"#fdd0a2", {"conv", "matmul", "gemm"}},
    {"#fdae6b", {"gru", "lstm"}},
    {"#dadaeb", {"Normalization", "softmax"}},
    {"#c7e9c0", {"Pool2d", "resample2d"}},
    {"#a1d99b", {"reduce", "argM", "cumulativeSum"}},
    {"#fcbba1", {"quantizeLinear"}},
    {"#f7f2b0",
     {"gather", "scatter", "concat", "expand", "pad", "reshape", "reverse", "slice", "split", "tile", "transpose", "triangular"}},
};

std::string_view colorOf(std::string_view op) {
  for (const Family& family : kFamilies) {
    for (std::string_view part : family.parts) {
      if (!part.empty() && op.find(part) != std::string_view::npos) return family.color;
    }
  }
  return kElementWiseColor;
}

// The lines as a string of the DOT language. Labels interpret backslashes and HTML entities, so both are escaped.
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

// "axis=1, padding=[1,1,1,1]": what is not the default, without operands, which are edges, and the label.
std::string optionsText(const formats::NodeDeclaration& node) {
  std::string text;
  const formats::Json options = formats::withoutDefaults(node.op, node.options);
  const auto operands = formats::operandOptions(node.op);
  for (const auto& [key, value] : options.members()) {
    if (key == "label" || std::ranges::find(operands, key) != operands.end()) continue;
    text += (text.empty() ? "" : ", ") + key + "=" + value.dump();
  }
  return text;
}

class DotWriter {
 public:
  explicit DotWriter(const GraphDefinition& graph)
      : graph_(graph), document_(formats::documentOf(graph)), sources_(graph.indexLimit) {}

  std::string write() {
    text_ = "digraph " + label({graph_.name.empty() ? "graph" : graph_.name}) +
            " {\n  rankdir=TB;\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n"
            "  edge [fontname=\"sans-serif\", fontsize=10];\n";
    std::size_t count = 0;
    for (const Operand& input : graph_.inputs) operandNode("input", count++, document_.inputs, input, "ellipse", kInputColor);
    count = 0;
    for (const Operand& constant : graph_.constants)
      operandNode("constant", count++, document_.constants, constant, "note", kConstantColor);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) operationNode(i);
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const auto& [name, operand] = graph_.outputs[i];
      const std::string id = formatText("output{}", i);
      node(id, label({name}), "ellipse", kOutputColor);
      edge(operand, id, "");
    }
    return text_ + "}\n";
  }

 private:
  void node(const std::string& id, const std::string& text, std::string_view shape, std::string_view color) {
    text_ += formatText("  {} [label={}, shape={}, fillcolor=\"{}\"];\n", id, text, shape, color);
  }
  void edge(const Operand& from, const std::string& to, std::string_view argument) {
    const std::string text = (argument.empty() ? "" : std::string(argument) + ": ") + toString(from.descriptor());
    text_ += formatText("  {} -> {} [label={}];\n", sources_[from.record().index], to, label({text}));
  }
  template <typename Declarations>
  void operandNode(std::string_view kind, std::size_t i, const Declarations& declarations, const Operand& operand,
                   std::string_view shape, std::string_view color) {
    const std::string id = formatText("{}{}", kind, i);
    sources_[operand.record().index] = id;
    node(id, label({declarations[i].name, toString(operand.descriptor())}), shape, color);
  }
  void operationNode(std::size_t i) {
    const formats::NodeDeclaration& declaration = document_.nodes[i];
    const std::string id = formatText("node{}", i);
    for (const Operand& output : graph_.nodes[i].outputs) sources_[output.record().index] = id;
    const std::string& ownLabel = webnn::label(graph_.nodes[i].operation);
    node(id, label({declaration.op, ownLabel.empty() ? declaration.id : ownLabel, optionsText(declaration)}), "box",
         colorOf(declaration.op));
    const auto optional = formats::operandOptions(declaration.op);
    visitOperands(graph_.nodes[i].operation, [&](std::string_view name, const Operand& operand) {
      edge(operand, id, std::ranges::find(optional, name) == optional.end() ? "" : name);
    });
  }

  const GraphDefinition& graph_;
  const formats::GraphDocument document_;
  std::vector<std::string> sources_;  // the node that makes each operand, by index
  std::string text_;
};

}  // namespace

std::string toDot(const Graph& graph) { return DotWriter(definitionOf(graph, "toDot")).write(); }

}  // namespace webnn
