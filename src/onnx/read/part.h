// Importing a part of a model's nodes, for programs that run a model as several graphs: see onnx/program.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/read/import.h"
#include "onnx/read/node_context.h"
#include "webnn/graph.h"

namespace webnn::formats::onnx {

// Where a value is: `name`, or for an element of a sequence the positions that lead to it.
struct ValuePath {
  std::string_view name;
  std::vector<std::size_t> positions;
};

struct PartRequest {
  std::vector<const NodeProto*> nodes;                       // in an order of execution
  std::vector<const Graph*> graphs;                          // whose initializers the nodes see, innermost first
  std::map<std::string_view, const ImportedValue*> known;    // values from before; tensors have bytes
  std::set<std::string_view> byValue;                        // known values that become constants
  std::set<std::string_view> required;                       // values that the caller needs, beside those of nodes that are left
};

// A result of a part.
struct PartResult {
  enum class Kind { output, known, constant, sequence };
  Kind kind = Kind::constant;
  ElementType type{};
  std::vector<std::int64_t> dims;
  std::size_t output = 0;          // of the graph
  ElementType held{};              // of an output or a known value, if WebNN lacks `type`: a wider type that holds its elements
  ValuePath known;                 // an unchanged value from before
  ImportedValue constant;          // has bytes
  std::vector<PartResult> parts;   // of a sequence
};

// A node of the part that no graph can hold.
struct BlockedNode {
  const NodeProto* node;
  std::string subject, reason;
  std::string_view needed;          // the value that must be known; empty if it is another reason
  std::vector<std::string> inputs;  // from which that value is computed
};

struct ImportedPart {
  std::optional<webnn::Graph> graph;  // absent: nothing to compute
  std::vector<ValuePath> inputs;      // of the graph, in its order
  std::vector<std::pair<std::string_view, PartResult>> results;
  std::vector<const NodeProto*> rest;  // nodes that were not imported
  std::vector<BlockedNode> blocked;    // among the rest
};

// Imports as many nodes as possible into one graph. Conditions of branches must be known. Throws like importModel(), but not
// because of nodes that WebNN cannot express.
ImportedPart importPart(Context& context, const Model& model, const PartRequest& request, const LoadOptions& options,
                        std::shared_ptr<Budget> budget, const Repertoire& repertoire);

// Returns the names of outer values that a node reads: its inputs, and those of the nodes in its subgraphs.
std::set<std::string_view> valuesReadBy(const NodeProto& node);

}  // namespace webnn::formats::onnx
