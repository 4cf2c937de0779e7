// Allocates memory in large blocks whose pages are committed when they are first written.
#pragma once

#include <cstddef>

namespace webnn {

#if defined(__linux__)
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;
inline constexpr std::size_t kLargeBlock = 16 * kLargePage;  // reserves only address space
#else
inline constexpr std::size_t kLargePage = 4096;              // huge pages are not available
inline constexpr std::size_t kLargeBlock = 64 * kLargePage;  // committed immediately
#endif

// Reserves `bytes` zero bytes (a multiple of kLargePage), aligned for any vector. Uses huge pages for the part that the first
// `wanted` bytes fill. Returns nullptr if the allocation fails.
std::byte* reserveLargeMemory(std::size_t wanted, std::size_t bytes);
void releaseLargeMemory(std::byte* data, std::size_t bytes);

// Moves a block of `old` bytes to a new block of `bytes` bytes, as reserveLargeMemory() makes them. Pages that were written keep
// their memory. Releases the old block. If the block cannot be moved, keeps it and returns nullptr.
std::byte* growLargeMemory(std::byte* data, std::size_t old, std::size_t wanted, std::size_t bytes);

// Sets written bytes to zero. Returns whole pages to the system if possible.
void clearLargeMemory(std::byte* data, std::size_t bytes);

// Returns pages of a block of `bytes` bytes to the system: those beyond the first `used` bytes. Only the first `touched` bytes
// were written.
void trimLargeMemory(std::byte* data, std::size_t bytes, std::size_t used, std::size_t touched);

}  // namespace webnn
