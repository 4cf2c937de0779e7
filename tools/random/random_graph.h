// Random graphs: any operation on any values, of all types and ranks, and what networks are made of.
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

// The graph that the choices make, the same on every machine. It has 1 to some 200 operations; operands are inputs,
// constants or any earlier value that fits or is made to fit; outputs are what no operation uses, and some of the rest.
// Operations that jump (comparisons, rounding, ...) take exact operands only, so that right backends differ by rounding
// alone; so does quantizeLinear, which is off by one at most otherwise.
RandomGraph makeRandomGraph(const Context& context, Choices& choices);

}  // namespace webnn::random
