// Memory in large blocks whose pages are committed at their first write.
#pragma once

#include <cstddef>

namespace webnn {

#if defined(__linux__)
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;
inline constexpr std::size_t kLargeBlock = 16 * kLargePage;  // address space only
#else
inline constexpr std::size_t kLargePage = 4096;              // there are no huge pages
inline constexpr std::size_t kLargeBlock = 64 * kLargePage;  // committed at once
#endif

// Reserves `bytes` zeros, a multiple of kLargePage, aligned for any vector; uses large pages as far as `wanted` bytes fill them.
// nullptr if memory is short.
std::byte* reserveLargeMemory(std::size_t wanted, std::size_t bytes);
void releaseLargeMemory(std::byte* data, std::size_t bytes);

// Clears written bytes; gives whole pages back if the system can.
void clearLargeMemory(std::byte* data, std::size_t bytes);

// Gives back the pages of a block of `bytes` beyond the first `used`; only the first `touched` were written.
void trimLargeMemory(std::byte* data, std::size_t bytes, std::size_t used, std::size_t touched);

}  // namespace webnn
