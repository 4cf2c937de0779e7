// Random graphs: any operation on any values, of all types and ranks, and pieces of networks.
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

// Returns the graph that the choices make, equal on every machine. It has 1 to about 200 operations; operands are inputs,
// constants or earlier values, adapted if necessary; outputs are all unused results and some others. Operations that jump
// (comparisons, rounding, ...) take exact operands only, so that correct backends differ by rounding alone; quantizeLinear too,
// which otherwise is off by one at most.
RandomGraph makeRandomGraph(const Context& context, Choices& choices);

}  // namespace webnn::random
