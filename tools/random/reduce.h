// Reduces a failing graph to a smaller one that still fails.
#pragma once

#include <functional>
#include <vector>

#include "random/elements.h"
#include "webnn/context.h"
#include "webnn/graph.h"

namespace webnn::random {

// A graph, and the bytes of its inputs in order.
struct Case {
  Graph graph;
  std::vector<Bytes> inputs;
};

// Returns a smaller variant that still fails. Variants have fewer or earlier outputs, inputs in place of computed results, nodes
// replaced by an operand, fewer optional operands, smaller dimensions or simpler values. Calls `fails` up to 1500 times.
Case reduce(const Context& context, Case failing, const std::function<bool(const Case&)>& fails);

}  // namespace webnn::random
