#include "base/large_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/divide_up.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace webnn {

#if defined(__linux__)

namespace {

// Returns how many of `bytes` (a multiple of the huge page size) to put in huge pages if `wanted` bytes are used. A remainder
// that fills less than 7/8 of a huge page gets small pages.
std::size_t largeBytes(std::size_t wanted, std::size_t bytes) {
  const std::size_t whole = wanted / kLargePage * kLargePage, rest = wanted - whole;
  return rest < kLargePage * 7 / 8 ? whole : bytes;
}

void adviseSizeOfPages(std::byte* data, std::size_t wanted, std::size_t bytes) {
  const std::size_t large = largeBytes(wanted, bytes);
  if (large > 0) madvise(data, large, MADV_HUGEPAGE);
  if (large < bytes) madvise(data + large, bytes - large, MADV_NOHUGEPAGE);
}

}  // namespace

std::byte* reserveLargeMemory(std::size_t wanted, std::size_t bytes) {
  // Reserves one additional huge page, so that the start can be aligned to a huge page.
  void* memory = mmap(nullptr, bytes + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = roundUp(start, kLargePage);
  if (first > start) munmap(memory, first - start);
  munmap(reinterpret_cast<void*>(first + bytes), start + kLargePage - first);
  auto* const data = reinterpret_cast<std::byte*>(first);
  adviseSizeOfPages(data, wanted, bytes);
  return data;
}

void releaseLargeMemory(std::byte* data, std::size_t bytes) { munmap(data, bytes); }

std::byte* growLargeMemory(std::byte* data, std::size_t old, std::size_t wanted, std::size_t bytes) {
  std::byte* const grown = reserveLargeMemory(wanted, bytes);
  if (!grown) return nullptr;
  // A block consists of several mappings: a part with huge pages and a part without, or more after trimLargeMemory(). Before
  // Linux 6.17, one mremap() cannot move several mappings (EFAULT). Pieces of kLargePage never span two mappings.
  std::size_t moved = 0;
  while (moved < old && mremap(data + moved, kLargePage, kLargePage, MREMAP_MAYMOVE | MREMAP_FIXED, grown + moved) != MAP_FAILED)
    moved += kLargePage;
  if (moved < old) {  // the process has too many mappings
    std::memcpy(grown + moved, data + moved, old - moved);
    munmap(data + moved, old - moved);
  }
  adviseSizeOfPages(grown, wanted, bytes);  // merges the mappings
  return grown;
}

bool shrinkLargeMemory(std::byte* data, std::size_t used, std::size_t touched) {
  trimLargeMemory(data, used, touched);
  return true;
}

void reuseLargeMemory(std::byte* data, std::size_t wanted, std::size_t bytes) { adviseSizeOfPages(data, wanted, bytes); }

void clearLargeMemory(std::byte* data, std::size_t bytes) {
  const auto start = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = roundUp(start, kLargePage), end = (start + bytes) / kLargePage * kLargePage;
  if (first >= end) {
    std::memset(data, 0, bytes);
    return;
  }
  std::memset(data, 0, first - start);
  madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
  std::memset(reinterpret_cast<void*>(end), 0, start + bytes - end);
}

void trimLargeMemory(std::byte* data, std::size_t used, std::size_t touched) {
  const std::size_t large = largeBytes(used, roundUp(used, kLargePage)), end = roundUp(touched, kLargePage);
  if (large >= end) return;
  madvise(data + large, end - large, MADV_NOHUGEPAGE);
  const std::size_t unused = std::max(large, roundUp(used, static_cast<std::size_t>(getpagesize())));
  madvise(data + unused, end - unused, MADV_DONTNEED);
}

#else

std::byte* reserveLargeMemory(std::size_t, std::size_t bytes) {
  constexpr std::size_t kAlignment = 64;  // a cache line and the widest vector
  void* memory = std::aligned_alloc(kAlignment, bytes);
  if (memory) std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
}

void releaseLargeMemory(std::byte* data, std::size_t) { std::free(data); }

std::byte* growLargeMemory(std::byte*, std::size_t, std::size_t, std::size_t) { return nullptr; }

bool shrinkLargeMemory(std::byte*, std::size_t, std::size_t) { return false; }

void reuseLargeMemory(std::byte*, std::size_t, std::size_t) {}

void clearLargeMemory(std::byte* data, std::size_t bytes) { std::memset(data, 0, bytes); }

void trimLargeMemory(std::byte*, std::size_t, std::size_t) {}

#endif

}  // namespace webnn
