// Memory shared by a client and its worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// A mapping, unmapped on destruction.
class Mapping {
 public:
  Mapping() = default;
  Mapping(void* address, std::size_t size) : address_(static_cast<std::byte*>(address)), size_(size) {}
  Mapping(Mapping&& other) noexcept : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Mapping();
  std::span<std::byte> bytes() const { return {address_, size_}; }

 private:
  std::byte* address_ = nullptr;
  std::size_t size_ = 0;
};

struct SharedMemory {
  FileDescriptor descriptor{-1};
  Mapping mapping;
};

// Client: allocates zeros that nobody can shrink or grow. Throws UnknownError if memory is short, so that no SIGBUS follows.
SharedMemory makeSharedMemory(std::size_t size, const char* name);
// Client: unmaps the memory and seals it against writing. Throws OperationError if the system refuses.
void sealAgainstWriting(SharedMemory& memory);

// Worker: maps memory from a client. Throws DataError unless it is a memfd of `size` bytes that nobody can shrink or grow.
Mapping mapShared(const FileDescriptor& descriptor, std::uint64_t size);
// The same for memory that nobody can write any more; maps it read-only.
Mapping mapSealed(const FileDescriptor& descriptor, std::uint64_t size);

}  // namespace webnn::service
