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
#include "builder/open_graph.h"
#include "formats/document/json_value.h"
#include "formats/document/weights.h"
#include "graph/graph_definition.h"
#include "webnn/graph_builder.h"

namespace webnn::formats {

// In all structs, `where` is the position in the file for error messages: "line 12, column 5" or "nodes[3]".

// A dimension of an input: fixed, or open with bounds. If the name of an open dimension begins with `=`, it is an expression: see
// GraphBuilder::openSize().
struct Dimension {
  std::uint32_t size = 0;  // the fixed size, or the largest size of an open dimension
  std::string name;        // empty if the dimension is fixed
  std::uint32_t min = 1;   // the smallest size of an open dimension
};

struct InputDeclaration {
  std::string name;
  DataType dataType{};
  std::vector<Dimension> shape;
  std::string where{};
};

// Refers to a constant's bytes by their key in a weights file.
struct WeightsReference {
  std::string key;
};
struct ScalarFill {
  Number value;
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
  std::string op;                    // method name in the specification
  std::vector<std::string> inputs;   // names of positional operands, with lists flattened
  Json options = Json::object();     // options, label, and arguments that are not operands
  std::vector<std::string> outputs;  // names of the results; empty if the results have no names
  std::string where{};
};

struct OutputDeclaration {
  std::string name;
  std::string value;  // name of the operand
  std::string where{};
};

struct GraphDocument {
  std::string name;
  bool quantized = false;
  std::vector<InputDeclaration> inputs;
  std::vector<ConstantDeclaration> constants;
  std::vector<NodeDeclaration> nodes;
  std::vector<OutputDeclaration> outputs;
  // Names of operands, for options that refer to operands by index. Empty means the default order: inputs sorted by name,
  // constants sorted by name, then results in order.
  std::vector<std::string> numbering;
  // A graph with more operations fails with a NotSupportedError; see budget.h.
  std::optional<std::size_t> nodeLimit;
};

// Reads a document: GraphInfo or webnn-graph-json if the first character after blanks and comments is `{`, else .webnn text. A
// DataError gives the position in the file, unless the file is no graph.
GraphDocument readDocument(std::string_view content);

// Builds the graph in `context`. `weights` may be null if no constant refers to it. `dimensions` must name exactly the open
// dimensions. Errors about a declaration give its position in the file.
Graph buildGraph(Context& context, const GraphDocument& document, const WeightsReader* weights,
                 const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget = nullptr);

// Returns whether the document needs openGraphOf(), because it has expressions, or dimensions whose smallest size is not 1.
bool needsOpenGraph(const GraphDocument& document);

// Builds the graph and keeps its open dimensions open. Errors about a declaration give its position in the file.
std::shared_ptr<const OpenGraph> openGraphOf(Context& context, const GraphDocument& document, const WeightsReader* weights,
                                             std::shared_ptr<Budget> budget);

// Returns the key that OpenSizes gives each open dimension, by the dimension's name in the document. The key of an expression
// without names, such as `= 2 * 3`, is its value. Only for documents that need openGraphOf().
std::map<std::string, std::string> dimensionKeys(const GraphDocument& document);

// Makes a document with open dimensions.
GraphDocument documentOf(const OpenGraph& graph);

// Makes a document with all present options. Constants refer to their bytes (ExternalBytes), which live as long as the graph; the
// writer decides where they are stored. Sizes may be handles of open dimensions (see OpenSizes).
GraphDocument documentOf(const GraphDefinition& graph);

}  // namespace webnn::formats
