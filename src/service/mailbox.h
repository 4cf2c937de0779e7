// The shared memory through which a client sends dispatches to its worker.
#pragma once

#include <atomic>
#include <cstdint>

namespace webnn::service {

// Dispatches use this memory instead of the socket, because waking the other process with a message takes about 50 microseconds,
// and polling a word about 1. There is one dispatch at a time, because a context runs its work in order.
// The client writes a command, then increments `submitted`. The worker copies the command, runs it, writes the answer and sets
// `completed` to the value of `submitted`. Neither process reads back its own data or trusts the other's: numbers and lengths are
// checked after they are copied.
inline constexpr std::uint32_t kMailboxTensors = 16384;  // maximum number of tensors per dispatch
inline constexpr std::uint32_t kMailboxTextBytes = 4096;
// Offsets of tensors are multiples of kTensorAlignment, a cache line, because kernels read and write whole vectors.
inline constexpr std::uint64_t kTensorAlignment = 64;

struct TensorReference {
  std::uint32_t memory;
  std::uint32_t reserved;
  std::uint64_t offset, length;
};

struct Mailbox {
  // Written by the client, except workerSleeps.
  alignas(64) std::atomic<std::uint32_t> submitted;
  std::atomic<std::uint32_t> workerSleeps;  // the worker sleeps and must be woken
  std::atomic<bool> cancelRun, cancelBuild;
  std::uint32_t graph;
  std::uint32_t isProfile;
  std::uint32_t inputs, outputs;  // the numbers of tensor references

  // Written by the worker, except clientSleeps.
  alignas(64) std::atomic<std::uint32_t> completed;
  std::atomic<std::uint32_t> clientSleeps;  // the client sleeps and must be woken
  std::uint32_t failed;                     // 0: no error; otherwise 1 + the index in ErrorKind
  std::uint32_t textLength;
  char text[kMailboxTextBytes];

  alignas(64) TensorReference tensors[kMailboxTensors];
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// Reads a number that the other process may modify concurrently. With an ordinary read, the compiler could read it again after it
// was checked.
inline std::uint32_t readOnce(const std::uint32_t& number) { return __atomic_load_n(&number, __ATOMIC_RELAXED); }

}  // namespace webnn::service
