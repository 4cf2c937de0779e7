// Random graphs: any operation on any values, of all types and ranks, and parts of networks.
#pragma once

#include "random/choices.h"
#include "random/elements.h"
#include "webnn/context.h"
#include "webnn/graph.h"

namespace webnn::random {

struct RandomGraph {
  Graph graph;
  std::vector<Bytes> inputs;  // packed, in the order of the graph's inputs
};

// Makes a graph from the choices. The graph is the same on every machine. It has at least one operation, mostly fewer than 40,
// and at most 400.
// Operands are inputs, constants or earlier values, adapted if necessary. Outputs are all unused results and some others.
// Discontinuous operations (comparisons, rounding, ...) take exact operands only, unless Style::isOpen, so that correct backends
// differ by rounding only. quantizeLinear may take an inexact input; its results may then be off by one.
RandomGraph makeRandomGraph(const Context& context, Choices& choices);

}  // namespace webnn::random
