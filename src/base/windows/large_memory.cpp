#include "base/large_memory.h"

#include <cstring>

#include "base/windows/system.h"

namespace webnn {

// Does not use large pages, because they require a user right.
std::byte* reserveLargeMemory(std::size_t, std::size_t bytes) {
  return static_cast<std::byte*>(::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

void releaseLargeMemory(std::byte* data, std::size_t) { ::VirtualFree(data, 0, MEM_RELEASE); }

std::byte* growLargeMemory(std::byte*, std::size_t, std::size_t, std::size_t) { return nullptr; }

bool shrinkLargeMemory(std::byte*, std::size_t, std::size_t) { return false; }

void reuseLargeMemory(std::byte*, std::size_t, std::size_t) {}

void clearLargeMemory(std::byte* data, std::size_t bytes) { std::memset(data, 0, bytes); }

void trimLargeMemory(std::byte*, std::size_t, std::size_t) {}

}  // namespace webnn
