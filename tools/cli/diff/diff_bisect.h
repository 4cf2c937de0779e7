// Finds the smallest part of a graph on which two backends differ.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/graph_definition.h"
#include "webnn/context.h"
#include "webnn/graph.h"

namespace webnn::cli {

struct NamedBytes {
  std::string name;
  OperandDescriptor descriptor;
  std::vector<std::byte> bytes;
};

std::vector<NamedBytes> runOnce(Context& context, const Graph& graph, const std::vector<NamedBytes>& inputs);

// Returns the graph with all results of all nodes as outputs, named as in operandNames().
Graph withAllOutputs(Context& context, const GraphDefinition& graph);

// Returns the graph with the operands `names` as additional, last outputs. Unknown names are ignored.
Graph withOutputs(Context& context, const GraphDefinition& graph, const std::set<std::string>& names);

// A part of a graph, and inputs on which the two contexts disagree.
struct Failing {
  Graph graph;  // belongs to the trusted context
  std::vector<NamedBytes> inputs, expected, actual;
  std::size_t nodes = 0;
};

// Returns a small failing part of `graph`: first tries single nodes, up to the first node whose results differ when the whole
// graph runs, with inputs computed by the trusted context. If none fails alone, tries growing parts that end at that node.
// `agree` compares one output. Returns nullopt if all results agree or no part fails.
std::optional<Failing> bisect(Context& trusted, Context& other, const GraphDefinition& graph,
                              const std::vector<NamedBytes>& inputs,
                              const std::function<bool(const NamedBytes& actual, const NamedBytes& expected)>& agree);

}  // namespace webnn::cli
