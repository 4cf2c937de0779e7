// The state behind Graph handles.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "graph/backend.h"
#include "webnn/graph.h"

namespace webnn {

struct ContextState;

// The duration of a graph's last dispatch. If it was short, the next dispatch runs on the calling thread, provided that the
// timeline is idle, because waking another thread would take longer than the run.
struct RunTime {
  static constexpr std::chrono::microseconds kShort{20};
  std::atomic<std::chrono::nanoseconds::rep> last = std::numeric_limits<std::chrono::nanoseconds::rep>::max();  // max: no run yet

  bool isShort() const { return last.load(std::memory_order_relaxed) < std::chrono::nanoseconds(kShort).count(); }
  void set(std::chrono::nanoseconds duration) { last.store(duration.count(), std::memory_order_relaxed); }
};

// The sizes that bound the indices in an input of type int32 or int64: an index lies between -size and size - 1. Element i has
// the size sizes[i % sizes.size()]: there is one size, or one for each coordinate of GatherND and ScatterND.
struct IndexBounds {
  std::size_t input = 0;  // the place of the input in GraphDefinition::inputs
  Shape sizes;
  bool isNarrowed = false;           // whether a cast from int64 to int32 wraps the indices before they are read
  std::vector<std::string> readers;  // for each size, the node that reads the indices: node "name" (Gather)
  bool isComputed = false;           // whether another node computes the indices, so that the caller did not give them
};

struct GraphState {
  const std::shared_ptr<RunTime> runTime = std::make_shared<RunTime>();
  std::shared_ptr<ContextState> context;
  std::shared_ptr<const GraphDefinition> definition;
  // Checked by Graph::compute(). Set for graphs of ONNX models: ONNX forbids other indices, and WebNN clamps them.
  std::vector<IndexBounds> indexBounds;

  // Returns null if the graph is destroyed.
  std::shared_ptr<const Executable> executable() const {
    const std::lock_guard lock(mutex_);
    return executable_;
  }
  void setExecutable(std::shared_ptr<const Executable> executable) {
    const std::lock_guard lock(mutex_);
    std::swap(executable_, executable);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Executable> executable_;
};

// Returns the definition from which `graph` was built. Throws a TypeError, whose message begins with `method`, for an empty
// handle.
const GraphDefinition& definitionOf(const Graph& graph, std::string_view method = "graph");

// The name, in error messages, of memory that a call allocates for the result that it returns. This memory counts against the
// limit until the call returns.
inline constexpr std::string_view kMemoryOfResult = "memory for a result";

}  // namespace webnn
