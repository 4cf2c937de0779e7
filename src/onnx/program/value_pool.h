// Memory for the values of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "base/budget.h"
#include "base/unset_vector.h"

namespace webnn::formats::onnx {

// Name for memory that a run charges, for error messages.
inline constexpr std::string_view kMemoryOfValue = "memory for a value between graphs";

// The bytes of a value that a run has made. These bytes and the sizes of the value's structs count against the session's memory
// limit until the object is destroyed or returned to the pool.
struct ValueBytes {
  MemoryCharge charge;
  UnsetVector<std::byte> memory;
  std::span<std::byte> bytes;        // the first bytes of `memory`; `charge` counts them
  std::uint64_t lastRun = 0;         // the number of the last run that used the object
  std::unique_ptr<ValueBytes> next;  // the next object in a list of free ones of the same capacity
};

// Keeps the memory of large values between runs: the system zeroes new pages, which takes longer than most steps. Frees what the
// last runs did not use. Thread safe. Lists are linked, so that returning memory allocates nothing.
class ValuePool : public IdleMemory, public std::enable_shared_from_this<ValuePool> {
 public:
  ~ValuePool() override { ValuePool::release(); }
  // Begins a run. Frees memory that no run has used since the last kRuns runs began.
  void beginRun();
  // Returns uninitialized bytes. Ends the run if it is cancelled or out of time. Throws OperationError if the bytes exceed the
  // limit.
  std::shared_ptr<ValueBytes> take(const Budget& budget, std::size_t size);
  void release() noexcept override;

 private:
  static constexpr std::uint64_t kRuns = 2;
  static constexpr std::size_t kCapacities = 48 * 8;  // eight for each power of two from 2^16 on
  std::unique_ptr<ValueBytes> takeFree(std::size_t capacity);
  void giveBack(std::unique_ptr<ValueBytes> value) noexcept;
  void free(std::unique_ptr<ValueBytes> list) noexcept;

  std::once_flag registered_;
  std::shared_ptr<MemoryAccount> account_;  // the same for all runs; set at the first large value; may be null
  std::mutex mutex_;
  std::uint64_t run_ = 0;
  std::array<std::unique_ptr<ValueBytes>, kCapacities> free_;
};

}  // namespace webnn::formats::onnx
