// The shared memory for dispatches between a client and its worker.
#pragma once

#include <atomic>
#include <cstdint>

namespace webnn::service {

// Dispatches use this memory instead of the socket: waking the other side by a message takes about 50 microseconds, a polled word
// takes one. One dispatch at a time: a context runs its work in order.
// The client fills a command, then increments `submitted`; the worker copies the command, runs it, fills the answer and sets
// `completed` to that number. Neither side reads back its own data nor trusts the other's: numbers and lengths are checked after
// they are copied.
inline constexpr std::uint32_t kMailboxTensors = 16384;  // per dispatch
inline constexpr std::uint32_t kMailboxTextBytes = 4096;
inline constexpr std::uint64_t kTensorAlignment = 64;  // of offsets: kernels read vectors

struct TensorReference {
  std::uint32_t memory;
  std::uint32_t reserved;
  std::uint64_t offset, length;
};

struct Mailbox {
  // Written by the client.
  alignas(64) std::atomic<std::uint32_t> submitted;
  std::atomic<std::uint32_t> workerSleeps;  // the worker asks to be woken
  std::atomic<bool> cancelRun, cancelBuild;
  std::uint32_t graph;
  std::uint32_t isProfile;
  std::uint32_t inputs, outputs;  // numbers of references

  // Written by the worker.
  alignas(64) std::atomic<std::uint32_t> completed;
  std::atomic<std::uint32_t> clientSleeps;  // the client asks to be woken
  std::uint32_t failed;                     // 0, or 1 + the place in ErrorKind
  std::uint32_t textLength;
  char text[kMailboxTextBytes];

  alignas(64) TensorReference tensors[kMailboxTensors];
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// Reads once a number that the other side may modify concurrently; the compiler could reload an ordinary one after its check.
inline std::uint32_t readOnce(const std::uint32_t& number) { return __atomic_load_n(&number, __ATOMIC_RELAXED); }

}  // namespace webnn::service
