// Imports some of a model's nodes into a graph. Programs (onnx/program) divide a model that WebNN cannot express as one graph
// into such parts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/read/import.h"
#include "onnx/read/node_context.h"
#include "webnn/graph.h"

namespace webnn::formats::onnx {

// Names a value: `name`, or an element of the sequence `name`. `positions` are the indices of the element, one for each level of
// nested sequences.
struct ValuePath {
  std::string_view name;
  std::vector<std::size_t> positions;
};

struct PartRequest {
  std::vector<const NodeProto*> nodes;                     // nodes to import, in an order of execution
  std::vector<const Graph*> graphs;                        // graphs whose initializers the nodes can read, innermost first
  std::vector<const TensorProto*> initializers = {};       // further initializers that the nodes can read
  std::map<std::string_view, const ImportedValue*> known;  // values computed before; tensors have bytes
  std::set<std::string_view> byValue;                      // names in `known` that become constants, not inputs
  std::set<const NodeProto*> held;                         // nodes not to import: returned in ImportedPart::rest and ::blocked
  std::set<std::string_view> required;                     // values to return besides the values that ImportedPart::rest reads
};

// A value that a part returns. `kind` tells which of `output`, `known`, `constant` and `parts` is set.
struct PartResult {
  enum class Kind { output, known, constant, sequence };
  Kind kind = Kind::constant;
  ElementType type{};
  std::vector<std::int64_t> dims;
  std::size_t output = 0;         // output: index of the graph's output
  ElementType held{};             // if WebNN lacks `type`: the WebNN type that holds the elements, as int32 for int16
  ValuePath known;                // known: the earlier value that this one equals
  ImportedValue constant;         // constant: its bytes
  std::vector<PartResult> parts;  // sequence: its elements
};

// A node that WebNN cannot express, or that needs the value of an input which is not known yet.
struct BlockedNode {
  const NodeProto* node;
  std::string subject, reason;
  std::string_view needed;          // the value that must be known to import the node, if that is the reason; else empty
  std::vector<std::string> inputs;  // graph inputs from which `needed` is computed
};

struct ImportedPart {
  std::optional<webnn::Graph> graph;  // absent if there is nothing to compute
  std::vector<ValuePath> inputs;      // the values for the graph's inputs, in the graph's order
  // The values that the caller or `rest` needs, by name.
  std::vector<std::pair<std::string_view, PartResult>> results;
  std::vector<const NodeProto*> rest;  // nodes that were not imported
  std::vector<BlockedNode> blocked;    // nodes of `rest` that are held or blocked; the other nodes of `rest` wait for these
};

// Imports as many of the nodes as possible into one graph. Returns the others in `rest`. Throws the errors of importModel() that
// are not about unsupported nodes.
ImportedPart importPart(Context& context, const Model& model, const PartRequest& request, const LoadOptions& options,
                        std::shared_ptr<Budget> budget, const Repertoire& repertoire);

// The form of a value: its type and shape, and for a constant also the bytes, which are replaced by their hash if there are many.
struct ValueForm {
  std::string text;
  bool isConstant = false;
};

// Imports the nodes of a request without building a graph. Returns the forms of their results, by name; nullopt if WebNN cannot
// express a node, or a value is a sequence.
std::optional<std::unordered_map<std::string_view, ValueForm>> formsOf(Context& context, const Model& model,
                                                                       const PartRequest& request, const LoadOptions& options,
                                                                       std::shared_ptr<Budget> budget,
                                                                       const Repertoire& repertoire);

// Returns the names of the values that a node reads from outside: its inputs, and outer values that nodes in its subgraphs read.
std::set<std::string_view> valuesReadBy(const NodeProto& node);

}  // namespace webnn::formats::onnx
