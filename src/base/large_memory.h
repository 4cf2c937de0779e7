// Memory in large blocks, of which pages take no room until they are first written.
#pragma once

#include <cstddef>

namespace webnn {

#if defined(__linux__)
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;
inline constexpr std::size_t kLargeBlock = 16 * kLargePage;  // of address space; pages are committed when they are first written
#else
inline constexpr std::size_t kLargePage = 4096;              // there are no huge pages
inline constexpr std::size_t kLargeBlock = 64 * kLargePage;  // all of it is written at once
#endif

// Zeros, `bytes` of them, a multiple of kLargePage, aligned for any vector; large pages where the system has them, as far as
// `wanted` bytes fill those. nullptr if there is not enough.
std::byte* reserveLargeMemory(std::size_t wanted, std::size_t bytes);
void releaseLargeMemory(std::byte* data, std::size_t bytes);

// Makes what was written of it zeros again; pages that were written as a whole are given back where the system can.
void clearLargeMemory(std::byte* data, std::size_t bytes);

// Of a block of `bytes`, of which the first `touched` were written, no more than the first `used` are needed: gives the rest back
// where the system can.
void trimLargeMemory(std::byte* data, std::size_t bytes, std::size_t used, std::size_t touched);

}  // namespace webnn
