// Compiled graphs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "webnn/limits.h"
#include "webnn/placement.h"
#include "webnn/types.h"

namespace webnn {

struct GraphState;  // src/context/graph_state.h

using NamedDescriptor = std::pair<std::string, OperandDescriptor>;

// A handle of an immutable graph, compiled for one context. Thread safe. https://www.w3.org/TR/webnn/#api-mlgraph
class Graph {
 public:
  Graph() = default;
  explicit Graph(std::shared_ptr<GraphState> state) : state_(std::move(state)) {}

  // In the order in which the builder made them, without inputs that no output depends on.
  std::vector<NamedDescriptor> inputs() const;
  // In the order that was given to build().
  std::vector<NamedDescriptor> outputs() const;

  // Runs on the calling thread, with packed bytes in the order of inputs() and outputs(), and returns when it is done. Bypasses
  // the context's timeline: does not wait for work queued there. Several threads may call it concurrently. Outputs must not
  // overlap each other or an input. TypeError for a wrong number of spans, a wrong length or an overlap, InvalidStateError once
  // destroyed, OperationError if the run fails, AbortError or TimeoutError if the options or the context's limits end it; the
  // contents of the outputs are then unspecified.
  void compute(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
               const CallOptions& options = {}) const;

  // Returns the memory estimate from before compilation.
  MemoryEstimate memoryEstimate() const;
  // Returns one sentence for each way in which the backend deviates from the graph, for instance types that it computes as wider
  // ones. InvalidStateError once destroyed.
  std::vector<std::string> notes() const;
  // Returns, for each operation in the graph's order of execution, where it runs, as which kernels, and with which casts.
  // InvalidStateError once destroyed.
  std::vector<OperationPlacement> placement() const;

  // The graph cannot be dispatched any more; queued runs are still executed. Idempotent.
  void destroy();

  const std::shared_ptr<GraphState>& state() const { return state_; }

 private:
  std::shared_ptr<GraphState> state_;
};

}  // namespace webnn
