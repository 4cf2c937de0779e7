#include "cpu/runtime/weight_memory.h"

#include <algorithm>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#else
#include <cstdlib>
#include <cstring>
#endif

#include "cpu/runtime/alignment.h"
#include "webnn/error.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;
constexpr std::size_t kBlock = 16 * kLargePage;  // of address space; pages are committed when they are first written

[[noreturn]] void failMemory() { throw Error(ErrorKind::unknownError, "there is not enough memory for the graph's weights."); }

// How many of `bytes`, a multiple of the huge page size, to put in huge pages if `wanted` of them are used: a tail is not worth
// one that it does not nearly fill.
[[maybe_unused]] std::size_t largeBytes(std::size_t wanted, std::size_t bytes) {
  const std::size_t whole = wanted / kLargePage * kLargePage, rest = wanted - whole;
  return rest < kLargePage * 7 / 8 ? whole : bytes;
}

std::byte* reserve([[maybe_unused]] std::size_t wanted, std::size_t bytes) {
#if defined(__linux__)
  // One huge page more, so that the start can be aligned to a page.
  void* memory = mmap(nullptr, bytes + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) failMemory();
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = roundUp(start, kLargePage);
  if (first > start) munmap(memory, first - start);
  munmap(reinterpret_cast<void*>(first + bytes), start + kLargePage - first);
  const std::size_t large = largeBytes(wanted, bytes);
  if (large > 0) madvise(reinterpret_cast<void*>(first), large, MADV_HUGEPAGE);
  if (large < bytes) madvise(reinterpret_cast<void*>(first + large), bytes - large, MADV_NOHUGEPAGE);
  return reinterpret_cast<std::byte*>(first);
#else
  void* memory = std::aligned_alloc(kAlignment, bytes);
  if (!memory) failMemory();
  std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
#endif
}

void release(std::byte* data, [[maybe_unused]] std::size_t size) {
#if defined(__linux__)
  munmap(data, size);
#else
  std::free(data);
#endif
}

}  // namespace

WeightMemory::~WeightMemory() {
  for (const Block& block : blocks_) release(block.data, block.size);
}

std::byte* WeightMemory::takeAlone(std::size_t bytes) {
  bytes = aligned(bytes);
  const std::size_t size = roundUp(bytes, kLargePage);
  blocks_.push_back({reserve(bytes, size), size, size});
  taken_ += bytes;
  return blocks_.back().data;
}

std::byte* WeightMemory::take(std::size_t bytes) {
  bytes = aligned(bytes);
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < bytes) {
    const std::size_t size = std::max(roundUp(bytes, kLargePage), kBlock);
    blocks_.push_back({reserve(size, size), size, 0});
  }
  Block& block = blocks_.back();
  std::byte* at = block.data + block.used;
  block.used += bytes;
  taken_ += bytes;
  return at;
}

void WeightMemory::trim() {
#if defined(__linux__)
  if (blocks_.empty()) return;
  const Block& block = blocks_.back();
  const std::size_t large = largeBytes(block.used, block.size), end = roundUp(block.used, kLargePage);
  if (large >= end) return;
  madvise(block.data + large, end - large, MADV_NOHUGEPAGE);
  const std::size_t unused = roundUp(block.used, static_cast<std::size_t>(getpagesize()));
  madvise(block.data + unused, end - unused, MADV_DONTNEED);
#endif
}

}  // namespace webnn::cpu
