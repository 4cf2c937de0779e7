// A graph file's content before it is checked against the specification; shared by `.webnn` text and the JSON formats.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "formats/document/json_value.h"
#include "formats/document/weights.h"
#include "graph/graph_definition.h"
#include "webnn/graph_builder.h"

namespace webnn::formats {

// Every `where` is a place in the file, for messages: "line 12, column 5" or "nodes[3]".

// A dimension of an input: fixed, or dynamic with a name and a largest size.
struct Dimension {
  std::uint32_t size = 0;  // the largest size of a dynamic dimension
  std::string name;        // empty: fixed
};

struct InputDeclaration {
  std::string name;
  DataType dataType{};
  std::vector<Dimension> shape;
  std::string where{};
};

// The source of a constant's bytes.
struct WeightsReference {
  std::string key;
};
struct ScalarFill {
  Number value;  // fills the tensor
};
using ConstantSource = std::variant<WeightsReference, ScalarFill, ExternalBytes>;

struct ConstantDeclaration {
  std::string name;
  OperandDescriptor descriptor;
  ConstantSource source;
  std::string where{};
};

struct NodeDeclaration {
  std::string id;
  std::string op;                    // the specification's method name
  std::vector<std::string> inputs;   // positional operands, lists flattened
  Json options = Json::object();     // method arguments that are not operands, options, and the label
  std::vector<std::string> outputs;  // names of the results; empty: they have none
  std::string where{};
};

struct OutputDeclaration {
  std::string name;
  std::string value;  // the name of an operand
  std::string where{};
};

struct GraphDocument {
  std::string name;
  bool quantized = false;
  std::vector<InputDeclaration> inputs;
  std::vector<ConstantDeclaration> constants;
  std::vector<NodeDeclaration> nodes;
  std::vector<OutputDeclaration> outputs;
  // The names of operands that options refer to by an integer. Empty: inputs sorted by name, then constants sorted by
  // name, then results in order.
  std::vector<std::string> numbering;
  // NotSupportedError for more operations; see budget.h.
  std::optional<std::size_t> nodeLimit;
};

// Reads a document: GraphInfo or webnn-graph-json if the first character is `{`, else .webnn text. DataError gives the place.
GraphDocument readDocument(std::string_view content);

// Builds the graph with the builder of `context`. `weights` may be null if no constant refers to it. `dimensions` must name
// exactly the dynamic dimensions. Errors give the place in the file.
Graph buildGraph(Context& context, const GraphDocument& document, const WeightsReader* weights,
                 const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget = nullptr);

// Makes a document with all present options. Constants refer to their bytes (ExternalBytes), which live as long as the graph; the
// writer decides where they are stored.
GraphDocument documentOf(const GraphDefinition& graph);

}  // namespace webnn::formats
