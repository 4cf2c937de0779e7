// Finding the smallest part of a graph on which two backends differ.
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

// Packed tensors with their names and descriptors.
struct NamedBytes {
  std::string name;
  OperandDescriptor descriptor;
  std::vector<std::byte> bytes;
};

// Runs a graph once and returns a tensor per output.
std::vector<NamedBytes> runOnce(Context& context, const Graph& graph, const std::vector<NamedBytes>& inputs);

// The graph with every result of every node as an output, under the names of operandNames().
Graph withAllOutputs(Context& context, const GraphDefinition& graph);

// The graph with the results of these names as outputs behind its own. Names that it does not have are left out.
Graph withOutputs(Context& context, const GraphDefinition& graph, const std::set<std::string>& names);

// A part of a graph, with inputs on which the backends disagree.
struct Failing {
  Graph graph;  // of the trusted context
  std::vector<NamedBytes> inputs, expected, actual;
  std::size_t nodes = 0;
};

// Returns the smallest failing part of `graph`: first a single node, with inputs computed by the trusted context; if no node
// fails, growing parts that end where both first disagree. `agree` judges one output. nullopt if the whole agrees.
std::optional<Failing> bisect(Context& trusted, Context& other, const GraphDefinition& graph,
                              const std::vector<NamedBytes>& inputs,
                              const std::function<bool(const NamedBytes& actual, const NamedBytes& expected)>& agree);

}  // namespace webnn::cli
