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

// Allocates tensors in memory shared with the worker. Tensors up to kMostSlice bytes are slices of memories of kCommonBytes
// bytes. Thread safe.
class TensorMemory : public std::enable_shared_from_this<TensorMemory> {
 public:
  explicit TensorMemory(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  // Allocates `size` zeroed bytes, aligned to 64 bytes and shared with the worker.
  std::shared_ptr<std::byte> allocate(std::size_t size);
  // Returns the id of the memory with `bytes`, and their offset; nullopt if they are not in memory of this object.
  std::optional<TensorReference> find(std::span<const std::byte> bytes) const;

 private:
  static constexpr std::size_t kMostSlice = 64 * 1024, kCommonBytes = 1024 * 1024;

  struct Memory {
    std::uint32_t number = 0;
    SharedMemory shared;
    // Number of bytes from the start that have ever been allocated; released slices are reused from free_.
    std::size_t used = 0;
  };
  using Memories = std::map<const std::byte*, Memory>;

  Memory share(std::size_t size);  // allocates memory and shares it with the worker
  std::byte* add(Memory memory);
  std::byte* takeSlice(std::size_t size);  // null if no slice is free and no common memory has room
  void release(std::byte* address, std::size_t size) noexcept;

  const std::shared_ptr<Connection> connection_;
  mutable std::mutex mutex_;
  Memories memories_;                                    // key: start address
  std::map<std::size_t, std::vector<std::byte*>> free_;  // released slices; key: slice size
};

}  // namespace webnn::service
