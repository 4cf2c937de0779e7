// A graph with open dimensions, and the graphs that it becomes when the sizes are known.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "graph/graph_definition.h"
#include "ops/sizes/open_sizes.h"
#include "webnn/graph.h"
#include "webnn/graph_builder.h"

namespace webnn {

struct OpenGraph {
  std::shared_ptr<const GraphDefinition> definition;  // shapes and sizes may be handles of `sizes`
  std::shared_ptr<const OpenSizes> sizes;
};

// Calls print(definition) with the graph's OpenSizes current, so that shapes are printed with names and expressions.
auto printed(const OpenGraph& graph, auto&& print) {
  OpenSizes sizes = *graph.sizes;
  const OpenScope scope(sizes);
  return print(*graph.definition);
}

// The graph for given sizes. It has neither the empty inputs nor the empty outputs, because WebNN has no empty tensors.
struct FixedGraph {
  Graph graph;  // an empty handle if all outputs are empty
  std::vector<std::pair<std::string, OperandDescriptor>> emptyOutputs;
  bool hasEmptyInputs = false;

  // Returns the graph. Throws TypeError if empty inputs or outputs were left out.
  const Graph& whole() const;
};

// Takes the graph of a builder with open dimensions. Throws the errors of GraphBuilder::build(), and a TypeError for a named
// dimension that no input determines.
std::shared_ptr<const OpenGraph> takeOpenGraph(GraphBuilder& builder, std::vector<NamedOperand> outputs);

// Builds the graph for the given sizes. `sizes` maps the OpenSizes::key() of each open dimension of the inputs to its size.
// Throws the errors that a builder of the fixed graph would throw, followed by the sizes; a TypeError for a size outside of its
// bounds or sizes that contradict each other; and a NotSupportedError for an operation on an empty operand whose result is not
// defined.
FixedGraph fixGraph(Context& context, const OpenGraph& graph, const std::map<std::string, std::uint32_t>& sizes,
                    std::shared_ptr<Budget> budget);

}  // namespace webnn
