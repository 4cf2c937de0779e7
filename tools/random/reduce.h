// Making a failing graph smaller as long as it fails.
#pragma once

#include <functional>
#include <vector>

#include "random/elements.h"
#include "webnn/context.h"
#include "webnn/graph.h"

namespace webnn::random {

// A graph with the bytes of its inputs, in their order.
struct Case {
  Graph graph;
  std::vector<Bytes> inputs;
};

// The smallest of the graph's variants that still fails: with fewer or earlier outputs, with results given as inputs instead of
// computed, without nodes whose result has the shape of an operand, without optional operands, with smaller dimensions,
// with simpler values. Calls `fails` some hundred times.
Case reduce(const Context& context, Case failing, const std::function<bool(const Case&)>& fails);

}  // namespace webnn::random
