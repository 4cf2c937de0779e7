#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "backends/service/connection.h"

namespace webnn::service {

// Thread safe. Tensors up to kMostSlice bytes are slices of a common memory; a larger one has a memory of its own.
class TensorMemory : public std::enable_shared_from_this<TensorMemory> {
 public:
  explicit TensorMemory(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  // Allocates zeros, aligned to 64 bytes, which the worker maps too.
  std::shared_ptr<std::byte> allocate(std::size_t size);
  // Returns the place of bytes; nullopt if they lie elsewhere.
  std::optional<TensorReference> find(std::span<const std::byte> bytes) const;

 private:
  static constexpr std::size_t kMostSlice = 64 * 1024, kCommonBytes = 1024 * 1024;

  struct Memory {
    std::uint32_t number = 0;
    SharedMemory shared;
    std::size_t used = 0;    // bytes that have been given out once
    std::size_t slices = 0;  // in use
  };
  using Memories = std::map<const std::byte*, Memory>;

  Memory share(std::size_t size);  // with the worker
  std::byte* add(Memory memory);
  std::byte* takeSlice(std::size_t size);  // null if there is no room
  void release(std::byte* address, std::size_t size) noexcept;

  const std::shared_ptr<Connection> connection_;
  mutable std::mutex mutex_;
  Memories memories_;                                    // by address
  std::map<std::size_t, std::vector<std::byte*>> free_;  // slices by size
};

}  // namespace webnn::service
