// What the rest of the library asks of a backend.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "graph/graph_definition.h"
#include "webnn/error.h"
#include "webnn/op_support_limits.h"
#include "webnn/placement.h"

namespace webnn {

// What one step of a run took, in seconds since its start.
struct StepTime {
  std::string operation, label;  // "conv2d", "stem"
  std::string kernel;            // what ran it; may be empty
  double start = 0, duration = 0;
};

// A part of a tensor's bytes.
struct ByteRange {
  std::size_t offset = 0, size = 0;
};
// Where two tensors of the same size may differ; none: anywhere.
using ByteDifference = std::optional<std::vector<ByteRange>>;

// An output that is an input but for a few elements, which each run chooses: a cache that grows in place.
struct UpdatedOutput {
  std::size_t input = 0, output = 0;
};

// A tensor's memory that the host cannot address: a GPU's. Its owner sees to it that nothing else uses it meanwhile.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  // Copy all its bytes, and return when that is done. OperationError if the device fails.
  virtual void write(std::span<const std::byte> bytes) = 0;
  virtual void read(std::span<std::byte> bytes) const = 0;
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
  // The same with tensors in memory of the backend's device (allocateOnDevice): nothing is copied to the host or from it.
  virtual void runOnDevice(std::span<const DeviceMemory* const> /*inputs*/, std::span<DeviceMemory* const> /*outputs*/,
                           const Budget& /*budget*/) const {
    throw Error(ErrorKind::notSupportedError, "dispatch: the backend has no tensors on a device.");
  }
  // The outputs that update() need not write as a whole.
  virtual std::span<const UpdatedOutput> updatedOutputs() const { return {}; }
  // run() for a caller who knows where the memory of these outputs differs from their inputs already, before the run.
  // `differences` has one for each of them, and says afterwards where they differ then. Only what is listed before is copied.
  virtual void update(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                      std::span<ByteDifference> differences, const Budget& budget) const {
    std::ranges::fill(differences, std::nullopt);
    run(inputs, outputs, budget);
  }
  // Runs, and says how long each step took, in order. Empty, without running, if the backend cannot tell.
  virtual std::vector<StepTime> profile(std::span<const std::span<const std::byte>> /*inputs*/,
                                        std::span<const std::span<std::byte>> /*outputs*/) const {
    return {};
  }
  // What the backend does otherwise than the graph says, a sentence each: `add "sum": int8 is computed as int32.`
  virtual std::vector<std::string> notes() const { return {}; }
  // What became of each of the graph's operations, in their order, without their names. Empty: each runs as it is.
  virtual std::vector<OperationPlacement> placement() const { return {}; }
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
  // Memory for a tensor on the device, of zeros. Null, for all or for none: tensors are in the host's memory. UnknownError if
  // there is not enough.
  virtual std::unique_ptr<DeviceMemory> allocateOnDevice(std::size_t /*size*/) const { return nullptr; }
  // For backends that may go away: calls `lose`, once, with the reason, on a thread of the backend; at once if it has happened.
  virtual void whenLost(std::function<void(const std::string& reason)> /*lose*/) const {}
  // The context is lost: nothing more is asked of it, and what it is asked now fails.
  virtual void close() const {}
};

// The limits of a backend that takes all that the operation table allows.
OpSupportLimits tableLimits();

}  // namespace webnn
