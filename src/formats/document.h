// What a graph file says, before any of it is checked against the specification: the model that `.webnn` text and
// webnn-graph-json share.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "formats/weights.h"
#include "graph/graph_definition.h"
#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace webnn::formats {

using Json = nlohmann::ordered_json;

// A dimension of an input: fixed, or dynamic with a name and a largest size.
struct Dimension {
  std::uint32_t size = 0;  // the largest size of a dynamic dimension
  std::string name;        // empty: fixed
};

struct InputDeclaration {
  std::string name;
  DataType dataType{};
  std::vector<Dimension> shape;
};

// Where the bytes of a constant come from.
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
};

struct NodeDeclaration {
  std::string id;
  std::string op;                    // the specification's method name
  std::vector<std::string> inputs;   // positional operands, lists flattened
  Json options = Json::object();     // method arguments that are not operands, and options, by the specification's names
  std::vector<std::string> outputs;  // names of the results
  std::string where;                 // for messages: "line 12", "nodes[3]"
};

struct GraphDocument {
  std::string name;
  bool quantized = false;
  std::vector<InputDeclaration> inputs;
  std::vector<ConstantDeclaration> constants;
  std::vector<NodeDeclaration> nodes;
  std::vector<std::pair<std::string, std::string>> outputs;  // output name, value name
};

// Builds the graph with the builder of `context`. `weights` may be null if no constant refers to it. Every dynamic
// dimension must be in `dimensions`, and nothing else. Throws Error that says where in the file.
Graph buildGraph(Context& context, const GraphDocument& document, const WeightsReader* weights,
                 const std::map<std::string, std::uint32_t>& dimensions);

// The reverse. Constants keep their bytes (ExternalBytes); the writer decides where they go.
GraphDocument documentOf(const GraphDefinition& graph);

}  // namespace webnn::formats
