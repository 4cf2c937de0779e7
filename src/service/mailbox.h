// The memory that a client and its worker share for dispatches.
#pragma once

#include <atomic>
#include <cstdint>

namespace webnn::service {

// Dispatches cross here and not on the socket: a message wakes the other side, which takes some 50 microseconds, and a word in
// memory that the other side looks at takes one. One at a time: a context runs its work in order, so there is nothing to queue.
//
// The client fills a command, then increments `submitted`; the worker copies the command, runs it, fills the answer and sets
// `completed` to that number. Neither side reads back what it wrote, and neither believes what the other wrote: numbers and
// lengths are checked after they are copied.
inline constexpr std::uint32_t kMailboxTensors = 16384;  // of one dispatch
inline constexpr std::uint32_t kMailboxTextBytes = 4096;
inline constexpr std::uint64_t kTensorAlignment = 64;  // of offsets: kernels read vectors

struct TensorReference {
  std::uint32_t memory;
  std::uint32_t reserved;
  std::uint64_t offset, length;
};

struct Mailbox {
  // Of the client.
  alignas(64) std::atomic<std::uint32_t> submitted;
  std::atomic<std::uint32_t> workerSleeps;  // written by the worker: wake it
  std::atomic<bool> cancelRun, cancelBuild;
  std::uint32_t graph;
  std::uint32_t isProfile;
  std::uint32_t inputs, outputs;  // how many references there are

  // Of the worker.
  alignas(64) std::atomic<std::uint32_t> completed;
  std::atomic<std::uint32_t> clientSleeps;  // written by the client: wake it
  std::uint32_t failed;                     // 0, or 1 + the place in ErrorKind
  std::uint32_t textLength;
  char text[kMailboxTextBytes];

  alignas(64) TensorReference tensors[kMailboxTensors];
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// A number that the other side may change at any time, read once: the compiler may read an ordinary one again after its check.
inline std::uint32_t readOnce(const std::uint32_t& number) { return __atomic_load_n(&number, __ATOMIC_RELAXED); }

}  // namespace webnn::service
