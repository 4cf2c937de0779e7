// What the rest of the library asks of a backend.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "graph/graph_definition.h"
#include "webnn/op_support_limits.h"

namespace webnn {

// What one step of a run took, in seconds since its start.
struct StepTime {
  std::string operation, label;  // "conv2d", "stem"
  std::string kernel;            // what ran it; may be empty
  double start = 0, duration = 0;
};

// A graph compiled by a backend. run() may be called from several threads at once.
class Executable {
 public:
  virtual ~Executable() = default;
  // Runs with the tensors' packed bytes in the order of the graph's inputs and outputs, at any alignment, without
  // overlap. Throws Error (OperationError) on failure, and what the budget does soon after it is over; outputs then hold
  // anything.
  virtual void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                   const Budget& budget = Budget::none()) const = 0;
  // Runs, and says how long each step took, in order. Empty, without running, if the backend cannot tell.
  virtual std::vector<StepTime> profile(std::span<const std::span<const std::byte>> /*inputs*/,
                                        std::span<const std::span<std::byte>> /*outputs*/) const {
    return {};
  }
  // What the backend does otherwise than the graph says, a sentence each: `add "sum": int8 is computed as int32.`
  virtual std::vector<std::string> notes() const { return {}; }
};

// Thread safe.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  // The address of the service that runs it; empty: this process.
  virtual std::string_view service() const { return {}; }
  // Whether it runs on a GPU or an NPU.
  virtual bool accelerated() const = 0;
  virtual OpSupportLimits opSupportLimits() const = 0;
  // Throws Error if the backend cannot run the graph, and what the budget does soon after it is over. What the executable holds
  // is charged to the budget's account.
  virtual std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph,
                                              const Budget& budget = Budget::none()) const = 0;

  // Memory for a tensor that executables use in place: zeros, aligned to 64 bytes. Null: any memory will do.
  virtual std::shared_ptr<std::byte> allocateTensor(std::size_t /*size*/) const { return nullptr; }
  // For backends that may go away: calls `lose`, once, with the reason, on a thread of the backend; at once if it has happened.
  virtual void whenLost(std::function<void(const std::string& reason)> /*lose*/) const {}
  // The context is lost: nothing more is asked of it, and what it is asked now fails.
  virtual void close() const {}
};

// The limits of a backend that takes all that the operation table allows.
OpSupportLimits tableLimits();

}  // namespace webnn
