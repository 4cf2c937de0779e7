// Allocates memory in large blocks. On Linux, their pages are committed when they are first written.
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

// Reserves `bytes` zero bytes (a multiple of kLargePage), aligned for any vector. Uses huge pages where the first `wanted` bytes
// fill them, or for the whole block if the remainder of `wanted` fills at least 7/8 of a huge page. Returns nullptr if the
// allocation fails.
std::byte* reserveLargeMemory(std::size_t wanted, std::size_t bytes);
void releaseLargeMemory(std::byte* data, std::size_t bytes);

// Moves a block of `old` bytes from reserveLargeMemory() to a new, larger block of `bytes` bytes. Written pages are remapped if
// possible, otherwise copied. Releases the old block. On failure, returns nullptr and keeps the old block.
std::byte* growLargeMemory(std::byte* data, std::size_t old, std::size_t wanted, std::size_t bytes);

// Trims a block that will be used again, as trimLargeMemory() does. Returns false, and changes nothing, if the system cannot take
// back a part of a block.
bool shrinkLargeMemory(std::byte* data, std::size_t used, std::size_t touched);
// Chooses the page size again for a shrunk block of `bytes` bytes whose first `wanted` bytes will be written.
void reuseLargeMemory(std::byte* data, std::size_t wanted, std::size_t bytes);

// Sets written bytes to zero. Returns whole pages to the system if possible.
void clearLargeMemory(std::byte* data, std::size_t bytes);

// Returns to the system the pages of a block beyond its first `used` bytes, except the rest of a huge page if the used bytes fill
// 7/8 of it. Only the first `touched` bytes were written.
void trimLargeMemory(std::byte* data, std::size_t used, std::size_t touched);

}  // namespace webnn
