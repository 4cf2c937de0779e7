// Graph: a compiled graph.
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

// A reference-counted handle of an immutable graph that is compiled for one context. Thread safe.
// https://www.w3.org/TR/webnn/#api-mlgraph
class Graph {
 public:
  Graph() = default;
  explicit Graph(std::shared_ptr<GraphState> state) : state_(std::move(state)) {}

  // Returns the inputs in the order in which the builder made them, without inputs that no output depends on.
  std::vector<NamedDescriptor> inputs() const;
  // Returns the outputs in the order that was given to build().
  std::vector<NamedDescriptor> outputs() const;

  // Runs the graph on the calling thread and returns when the run is done. `inputs` and `outputs` are packed bytes in the order
  // of inputs() and outputs(). The run bypasses the context's timeline and does not wait for work that is queued there. Several
  // threads may run the same graph concurrently. Outputs must not overlap each other or an input. Throws TypeError for a wrong
  // number of spans, a wrong length, an overlap, or an index that an ONNX model forbids in an input; InvalidStateError if the
  // graph is destroyed; OperationError if the run fails; AbortError or TimeoutError if `options` or the context's limits stop the
  // run. After an error, the outputs have unspecified contents.
  void compute(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
               const CallOptions& options = {}) const;

  // Estimates the memory from the graph's definition, as before compilation. The compiled graph may need less or more.
  MemoryEstimate memoryEstimate() const;
  // Returns one sentence for each way in which the backend deviates from the graph, for instance "int8 is computed as int32."
  // Throws InvalidStateError if the graph is destroyed.
  std::vector<std::string> notes() const;
  // Returns the placement of each operation, in the graph's order of execution: its device, kernels and casts.
  // Throws InvalidStateError if the graph is destroyed.
  std::vector<OperationPlacement> placement() const;

  // Destroys the graph: it cannot be dispatched any more. Queued runs are still executed. Idempotent.
  void destroy();

  const std::shared_ptr<GraphState>& state() const { return state_; }

 private:
  std::shared_ptr<GraphState> state_;
};

}  // namespace webnn
