// The interfaces that a backend implements. docs/guides/add_a_backend.md describes the steps.
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

// The start and duration of one step, in seconds. The start is relative to the start of the run.
struct StepTime {
  std::string operation, label;  // "conv2d", "stem"
  std::string kernel;            // the kernel that ran; may be empty
  double start = 0, duration = 0;
};

struct ByteRange {
  std::size_t offset = 0, size = 0;
};
// The ranges in which two tensors of the same size may differ; nullopt: unknown.
using ByteDifference = std::optional<std::vector<ByteRange>>;

// An output that is equal to an input except for a few elements. Each run chooses these elements. Example: a key-value cache that
// grows in place.
struct UpdatedOutput {
  std::size_t input = 0, output = 0;
};

// Tensor memory that the host cannot address, such as GPU memory. Its owner must prevent concurrent use.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  // Copy all bytes. Afterwards, the caller may reuse its memory, and later reads and runs see the new bytes. Throw
  // OperationError if the device fails.
  virtual void write(std::span<const std::byte> bytes) = 0;
  virtual void read(std::span<std::byte> bytes) const = 0;
};

// A graph that a backend has compiled. Several threads may call run() concurrently.
class Executable {
 public:
  virtual ~Executable() = default;
  // Runs the graph. `inputs` and `outputs` are packed bytes in the order of the graph's inputs and outputs, with any alignment
  // and without overlap. Throws OperationError on failure, and the budget's error soon after the budget is exceeded. After an
  // error, outputs have unspecified contents.
  virtual void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                   const Budget& budget = Budget::none()) const = 0;
  // Runs the graph with tensors that allocateOnDevice() returned, without copies to or from the host.
  virtual void runOnDevice(std::span<const DeviceMemory* const> /*inputs*/, std::span<DeviceMemory* const> /*outputs*/,
                           const Budget& /*budget*/) const {
    throw Error(ErrorKind::notSupportedError, "dispatch: the backend has no tensors on a device.");
  }
  // Returns the outputs that update() can write partially.
  virtual std::span<const UpdatedOutput> updatedOutputs() const { return {}; }
  // Works like run(), for a caller that knows in which ranges each output of updatedOutputs() differs from its input before the
  // run. `differences` has one entry per such output. Backends that override update() copy only these ranges from the input.
  // After the run, the entries have the ranges in which the outputs then differ.
  virtual void update(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                      std::span<ByteDifference> differences, const Budget& budget) const {
    std::ranges::fill(differences, std::nullopt);
    run(inputs, outputs, budget);
  }
  // Runs the graph and returns the duration of each step, in order. If the backend does not measure steps, returns an empty list
  // without running.
  virtual std::vector<StepTime> profile(std::span<const std::span<const std::byte>> /*inputs*/,
                                        std::span<const std::span<std::byte>> /*outputs*/) const {
    return {};
  }
  // Returns one sentence per deviation from the graph: `add "sum": int8 is computed as int32.`
  virtual std::vector<std::string> notes() const { return {}; }
  // Returns the placement of each operation in the graph's order. Graph::placement() fills in `operation`, `label` and `outputs`.
  // Empty: each operation runs unchanged.
  virtual std::vector<OperationPlacement> placement() const { return {}; }
};

// The backend of a context. Thread safe.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  // Returns the address of the service that runs graphs; empty for this process.
  virtual std::string_view service() const { return {}; }
  // Returns whether the backend runs graphs on a GPU or an NPU.
  virtual bool accelerated() const = 0;
  virtual OpSupportLimits opSupportLimits() const = 0;
  // Compiles a graph. Throws Error if the backend cannot run it, and the budget's error soon after the budget is exceeded. The
  // memory of the executable is charged to the budget's account.
  virtual std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph,
                                              const Budget& budget = Budget::none()) const = 0;

  // Allocates tensor memory that executables use in place: zeros, aligned to 64 bytes. Returns null if any memory is suitable.
  virtual std::shared_ptr<std::byte> allocateTensor(std::size_t /*size*/) const { return nullptr; }
  // Allocates zeroed tensor memory on the device. A backend without device memory always returns null; tensors are then in host
  // memory. Throws UnknownError if the allocation fails.
  virtual std::unique_ptr<DeviceMemory> allocateOnDevice(std::size_t /*size*/) const { return nullptr; }
  // Registers `lose`, which a backend that can be lost calls at most once, on a thread of its own, with the reason. If the
  // backend is already lost, calls `lose` before returning.
  virtual void whenLost(std::function<void(const std::string& reason)> /*lose*/) const {}
  // Called when the context is lost. No more requests follow, and pending requests fail.
  virtual void close() const {}
};

// Returns the limits of a backend that supports all types and ranks in the operation table.
OpSupportLimits tableLimits();

}  // namespace webnn
