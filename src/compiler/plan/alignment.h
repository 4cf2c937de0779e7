// The alignment of memory that the engine allocates: a cache line, which is also the size of the widest vector.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/divide_up.h"

namespace webnn::compiler {

inline constexpr std::size_t kAlignment = 64;
constexpr std::size_t aligned(std::size_t bytes) { return roundUp(bytes, kAlignment); }
// Returns the distance of two threads' scratch memory of `bytes` bytes each. No page holds memory of both: a processor reads
// ahead in the page that its thread reads, and would take cache lines from the thread that writes them.
constexpr std::size_t workerStride(std::size_t bytes) { return bytes == 0 ? 0 : aligned(bytes) + 4096; }
// Returns the number of bytes from `at` to the next aligned address.
inline std::size_t paddingAt(const void* at) {
  return (kAlignment - reinterpret_cast<std::uintptr_t>(at) % kAlignment) % kAlignment;
}

}  // namespace webnn::compiler
