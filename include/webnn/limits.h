// Limits of memory, work and time for a context, a file or a call, and ways to stop a call early.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

namespace webnn {

// Exceeding maxMemory, maxOperations or maxElements throws an OperationError with the limit and the requested amount; exceeding
// maxTime throws a TimeoutError. The defaults are larger than any legitimate model needs. Set lower limits for untrusted files.
struct Limits {
  // Bytes that a context holds at a time: its tensors, the constants that its builders copied or computed, its compiled graphs
  // (packed weights, and the intermediate values of each concurrent run), and the outputs of a session during its run.
  // Constants in the caller's memory and mapped files are not counted.
  std::uint64_t maxMemory = std::uint64_t{1} << 40;
  // Operations of one graph.
  std::uint64_t maxOperations = std::uint64_t{1} << 20;
  // Elements of all operands of one graph together: inputs, constants and results.
  std::uint64_t maxElements = std::uint64_t{1} << 44;
  // Elementary steps for constant folding while one graph is loaded or built; reading, multiplying or writing a number is about
  // one step. Operations beyond the limit are not folded and run with the graph. If a shape depends on them, they are refused.
  std::uint64_t maxCompileWork = std::uint64_t{1} << 36;
  // The maximum time from the start of one load, build or run to its end.
  std::chrono::nanoseconds maxTime = std::chrono::nanoseconds::max();

  bool operator==(const Limits&) const = default;
};

// The progress of a load or a build.
struct CallProgress {
  // "load" (counts operations that are read), "optimize" (compiler passes) or "prepare" (operations whose kernels are chosen and
  // weights packed). Backends other than "cpu" and "webgpu", and services, report only "load".
  std::string_view phase;
  std::uint64_t done = 0, total = 0;
};

// Cancellation, timeout and callbacks of one call. A call that is stopped early leaves the context and the graph usable.
struct CallOptions {
  // Once a stop is requested, the call throws an AbortError, usually within 50 milliseconds; docs/reference/limits.md lists the
  // exceptions.
  std::stop_token stop;
  // The maximum time from the start of the call, including its time in the queue. When it has passed, the call throws a
  // TimeoutError. For dispatch() and buildAsync(), the work that they queued fails with this error.
  std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max();
  // Called on the calling thread during the call, at most 50 times per second. If it returns true, the call throws an
  // AbortError. For languages that must poll for interrupts, such as Python. Must not throw. Not called by dispatch() and
  // buildAsync().
  std::function<bool()> isInterrupted;
  // Called on the calling thread at the beginning and end of each phase of a load or build, and between items, at most 50 times
  // per second. Must not throw. Not called by buildAsync().
  std::function<void(const CallProgress&)> onProgress;
};

// The memory that a graph needs in bytes, estimated before compilation.
struct MemoryEstimate {
  std::uint64_t inputs = 0, outputs = 0;  // tensors that the caller creates
  std::uint64_t constants = 0;            // as stored in the file or given by the caller
  std::uint64_t packedWeights = 0;        // approximate: copies of constants in the layout of the kernels
  std::uint64_t intermediates = 0;        // the peak size of the intermediate results if operations run in the graph's order

  std::uint64_t total() const { return inputs + outputs + constants + packedWeights + intermediates; }
};

}  // namespace webnn
