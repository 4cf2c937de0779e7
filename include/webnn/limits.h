// Limits of memory, work and time for a context, a file or a call, and ways to end a call early.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

namespace webnn {

// Exceeding a limit is an OperationError that names the limit and both figures; a call that takes too long ends with a
// TimeoutError. The defaults are beyond any legitimate model. Set lower limits for untrusted files.
struct Limits {
  // Bytes that a context holds at a time: its tensors, the constants that its builders copied or computed, and its compiled
  // graphs (packed weights, and memory for intermediate values, once for each concurrent run). Memory of the caller and mapped
  // files do not count.
  std::uint64_t maxMemory = std::uint64_t{1} << 40;
  // Operations of one graph.
  std::uint64_t maxOperations = std::uint64_t{1} << 20;
  // Elements of all operands of one graph together: inputs, constants and results.
  std::uint64_t maxElements = std::uint64_t{1} << 44;
  // Elementary steps (about one for each number that is read, multiplied or written) to fold constants while one graph is loaded
  // or built. Operations beyond the limit are left to the runs or, if a shape depends on them, refused.
  std::uint64_t maxCompileWork = std::uint64_t{1} << 36;
  // From the start of one load, build or run to its end.
  std::chrono::nanoseconds maxTime = std::chrono::nanoseconds::max();

  bool operator==(const Limits&) const = default;
};

// How far a load or a build is.
struct CallProgress {
  // The counted items: operations read ("load"), compiler passes ("optimize"), or operations whose kernels are chosen and weights
  // packed ("prepare"). Backends other than "cpu" report only the first.
  std::string_view phase;
  std::uint64_t done = 0, total = 0;
};

// Limits of one call. A call that is ended leaves the context and the graph as usable as before.
struct CallOptions {
  // Once a stop is requested, the call ends within a few milliseconds with an AbortError.
  std::stop_token stop;
  // Counted from the call, including the time in the queue. After it, the call ends with a TimeoutError.
  std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max();
  // Called about 50 times a second on the calling thread while it works; true ends the call with an AbortError. For languages
  // that have to poll for interrupts. Must not throw. Not called by dispatch() and buildAsync().
  std::function<bool()> isInterrupted;
  // Called on the calling thread when a phase of a load or a build begins and ends, and about 50 times a second between. Must not
  // throw. Not called by buildAsync().
  std::function<void(const CallProgress&)> onProgress;
};

// The bytes that a graph needs, as far as they are known before compilation.
struct MemoryEstimate {
  std::uint64_t inputs = 0, outputs = 0;  // tensors that the caller makes
  std::uint64_t constants = 0;            // in the representation of the file or the caller
  std::uint64_t packedWeights = 0;        // about: the copies that kernels read in a layout of their own
  std::uint64_t intermediates = 0;        // values between operations: the peak, in the order of the graph

  std::uint64_t total() const { return inputs + outputs + constants + packedWeights + intermediates; }
};

}  // namespace webnn
