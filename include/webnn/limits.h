// How much memory, work and time a context, a file or a call may take, and how a call is ended early.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>

namespace webnn {

// What exceeds a limit is refused with an OperationError that names the limit and both figures; what takes too long ends with
// a TimeoutError. The defaults are beyond every honest model: set what you can spare for strangers' files.
struct Limits {
  // Bytes that a context holds at a time: its tensors, the constants that its builders copied or computed, and what its graphs
  // were compiled to (packed weights, and memory for values between steps, once for each run at the same time). Memory of
  // the caller and mapped files do not count.
  std::uint64_t maxMemory = std::uint64_t{1} << 40;
  // Operations of one graph.
  std::uint64_t maxOperations = std::uint64_t{1} << 20;
  // Elements of all operands of one graph together: inputs, constants and results.
  std::uint64_t maxElements = std::uint64_t{1} << 44;
  // Elementary steps (about one for each number that is read, multiplied or written) to compute operations of constants while
  // one graph is loaded or built. Beyond it they are left to the runs or, where a shape depends on them, refused.
  std::uint64_t maxCompileWork = std::uint64_t{1} << 36;
  // From the start of one load, build or run to its end.
  std::chrono::nanoseconds maxTime = std::chrono::nanoseconds::max();

  bool operator==(const Limits&) const = default;
};

// What one call may take. A call that is ended leaves the context and the graph as usable as before.
struct CallOptions {
  // Once a stop is requested, the call ends within some milliseconds with an AbortError.
  std::stop_token stop;
  // From the call on, waiting in the queue included; beyond it the call ends with a TimeoutError.
  std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max();
  // Asked some 50 times a second, on the calling thread, while that works: true ends the call with an AbortError. For languages
  // whose interrupts have to be asked for. It must not throw. Not asked by dispatch() and buildAsync().
  std::function<bool()> isInterrupted;
};

// Bytes that a graph needs, as far as they can be known before it is compiled.
struct MemoryEstimate {
  std::uint64_t inputs = 0, outputs = 0;  // tensors that the caller makes
  std::uint64_t constants = 0;            // as the file or the caller has them
  std::uint64_t packedWeights = 0;        // what kernels read again in a form of their own, about
  std::uint64_t intermediates = 0;        // values between operations, at most at a time, in the order of the graph

  std::uint64_t total() const { return inputs + outputs + constants + packedWeights + intermediates; }
};

}  // namespace webnn
