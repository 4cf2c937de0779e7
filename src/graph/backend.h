// The classes that a backend implements; docs/guides/add_a_backend.md has the steps.
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

// The start and end of one step, in seconds since the run's start.
struct StepTime {
  std::string operation, label;  // "conv2d", "stem"
  std::string kernel;            // what ran it; may be empty
  double start = 0, duration = 0;
};

// A part of a tensor's bytes.
struct ByteRange {
  std::size_t offset = 0, size = 0;
};
// The ranges in which two tensors of the same size may differ; none: unknown.
using ByteDifference = std::optional<std::vector<ByteRange>>;

// An output that equals an input except for a few elements, which each run chooses: a cache that grows in place.
struct UpdatedOutput {
  std::size_t input = 0, output = 0;
};

// Tensor memory that the host cannot address, such as a GPU's. Its owner prevents concurrent use.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  // Copy all bytes and return when done. Throw OperationError if the device fails.
  virtual void write(std::span<const std::byte> bytes) = 0;
  virtual void read(std::span<std::byte> bytes) const = 0;
};

// A graph compiled by a backend. run() may be called from several threads at once.
class Executable {
 public:
  virtual ~Executable() = default;
  // Runs with packed bytes in the order of the graph's inputs and outputs, at any alignment, without overlap. Throws Error
  // (OperationError) on failure, and the budget's error soon after it is exhausted; outputs then hold arbitrary bytes.
  virtual void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                   const Budget& budget = Budget::none()) const = 0;
  // Runs with tensors in device memory (allocateOnDevice), without copies to or from the host.
  virtual void runOnDevice(std::span<const DeviceMemory* const> /*inputs*/, std::span<DeviceMemory* const> /*outputs*/,
                           const Budget& /*budget*/) const {
    throw Error(ErrorKind::notSupportedError, "dispatch: the backend has no tensors on a device.");
  }
  // Returns the outputs that update() may write partially.
  virtual std::span<const UpdatedOutput> updatedOutputs() const { return {}; }
  // run() for a caller that knows in which ranges these outputs' memory already differs from their inputs. `differences` has one
  // entry per such output and is updated; only the ranges listed before the run are copied.
  virtual void update(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                      std::span<ByteDifference> differences, const Budget& budget) const {
    std::ranges::fill(differences, std::nullopt);
    run(inputs, outputs, budget);
  }
  // Runs and returns the duration of each step, in order. Returns nothing, without running, if the backend does not measure
  // steps.
  virtual std::vector<StepTime> profile(std::span<const std::span<const std::byte>> /*inputs*/,
                                        std::span<const std::span<std::byte>> /*outputs*/) const {
    return {};
  }
  // Returns one sentence per deviation from the graph: `add "sum": int8 is computed as int32.`
  virtual std::vector<std::string> notes() const { return {}; }
  // Returns each operation's placement in the graph's order, without names. Empty: each runs unchanged.
  virtual std::vector<OperationPlacement> placement() const { return {}; }
};

// Thread safe.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  // Returns the address of the service; empty: this process.
  virtual std::string_view service() const { return {}; }
  // Returns whether it runs on a GPU or an NPU.
  virtual bool accelerated() const = 0;
  virtual OpSupportLimits opSupportLimits() const = 0;
  // Compiles the graph. Throws Error if the backend cannot run it, and the budget's error soon after it is exhausted. The
  // executable's memory is charged to the budget's account.
  virtual std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph,
                                              const Budget& budget = Budget::none()) const = 0;

  // Allocates tensor memory that executables use in place: zeros, aligned to 64 bytes. Null: any memory works.
  virtual std::shared_ptr<std::byte> allocateTensor(std::size_t /*size*/) const { return nullptr; }
  // Allocates zeroed tensor memory on the device. Null, always or never: tensors are in host memory. Throws UnknownError if
  // memory is short.
  virtual std::unique_ptr<DeviceMemory> allocateOnDevice(std::size_t /*size*/) const { return nullptr; }
  // For backends that may be lost: calls `lose` once with the reason, on a thread of the backend; at once if it was lost.
  virtual void whenLost(std::function<void(const std::string& reason)> /*lose*/) const {}
  // Called when the context is lost: nothing more is requested, and pending requests fail.
  virtual void close() const {}
};

// Returns the limits of a backend that supports everything in the operation table.
OpSupportLimits tableLimits();

}  // namespace webnn
