// Memory that a client and its worker share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// A memory mapping. The destructor unmaps it.
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

// For the client: allocates zeroed memory that no process can shrink or grow. Throws UnknownError if the allocation fails. All
// pages are allocated, so that no SIGBUS can follow.
SharedMemory makeSharedMemory(std::size_t size, const char* name);
// For the client: unmaps the memory and seals it against writing. Throws OperationError if the system denies it.
void sealAgainstWriting(SharedMemory& memory);

// For the worker: maps memory of a client. Throws DataError unless it is a memfd of `size` bytes that no process can shrink or
// grow.
Mapping mapShared(const FileDescriptor& descriptor, std::uint64_t size);
// For the worker: maps memory of a client read-only. Throws like mapShared(), and DataError if any process can still write to it.
Mapping mapSealed(const FileDescriptor& descriptor, std::uint64_t size);

}  // namespace webnn::service
