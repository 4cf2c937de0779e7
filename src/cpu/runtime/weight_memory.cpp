#include "cpu/runtime/weight_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#else
#include <cstdlib>
#endif

#include "cpu/runtime/alignment.h"
#include "webnn/error.h"

namespace webnn::cpu {

namespace {

#if defined(__linux__)
constexpr std::size_t kLargePage = std::size_t{2} << 20;
constexpr std::size_t kBlock = 16 * kLargePage;  // of address space; pages are committed when they are first written
#else
constexpr std::size_t kLargePage = 4096;         // there are no huge pages
constexpr std::size_t kBlock = 64 * kLargePage;  // all of it is written at once
#endif

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

// Makes what was written zeros again; pages that were written as a whole are given back.
void clear(std::byte* data, std::size_t size) {
#if defined(__linux__)
  const auto start = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = roundUp(start, kLargePage), end = (start + size) / kLargePage * kLargePage;
  if (first < end) {
    std::memset(data, 0, first - start);
    madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
    std::memset(reinterpret_cast<void*>(end), 0, start + size - end);
    return;
  }
#endif
  std::memset(data, 0, size);
}

// Of some words in all parts of the bytes: whether pieces are equal is known once they are compared.
std::uint64_t hashOf(const std::byte* data, std::size_t bytes) {
  constexpr std::size_t kWords = 256;
  std::uint64_t hash = bytes;
  for (std::size_t i = 0; i < kWords; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + (bytes - sizeof word) / kWords * i, sizeof word);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  return hash;
}

// False, too, if the budget of this thread is over.
bool areEqual(const std::byte* a, const std::byte* b, std::size_t bytes) {
  constexpr std::size_t kPart = std::size_t{1} << 20;
  for (std::size_t begin = 0; begin < bytes; begin += kPart) {
    if (BudgetScope::current().isOver() || std::memcmp(a + begin, b + begin, std::min(kPart, bytes - begin)) != 0) return false;
  }
  return true;
}

}  // namespace

WeightBlock::WeightBlock(std::size_t wanted, std::size_t bytes, std::shared_ptr<MemoryAccount> account)
    : data(reserve(wanted, bytes)), size(bytes), charge(std::move(account)) {}
WeightBlock::~WeightBlock() { release(data, size); }

SharedWeights::Piece SharedWeights::find(const Piece& piece, std::size_t bytes) {
  const std::uint64_t hash = hashOf(piece.at, bytes);
  std::vector<Piece> candidates;
  {
    const std::lock_guard lock(mutex_);
    for (auto [known, end] = known_.equal_range(hash); known != end; ++known) {
      if (known->second.bytes != bytes) continue;
      if (auto block = known->second.block.lock()) candidates.push_back({std::move(block), known->second.at});
    }
  }
  for (Piece& candidate : candidates) {
    if (areEqual(candidate.at, piece.at, bytes)) return std::move(candidate);
  }
  const std::lock_guard lock(mutex_);
  if (known_.size() >= most_) {
    std::erase_if(known_, [](const auto& entry) { return entry.second.block.expired(); });
    most_ = std::max<std::size_t>(64, 2 * known_.size());
  }
  known_.emplace(hash, Known{piece.block, piece.at, bytes});
  return {};
}

std::byte* WeightMemory::takeAlone(std::size_t bytes) {
  bytes = aligned(bytes);
  const std::size_t size = roundUp(bytes, kLargePage);
  blocks_.push_back(std::make_shared<WeightBlock>(bytes, size, nullptr));
  blocks_.back()->used = size;
  taken_ += bytes;
  return blocks_.back()->data;
}

std::byte* WeightMemory::take(std::size_t bytes) {
  const std::size_t whole = aligned(bytes);
  if (blocks_.empty() || blocks_.back()->size - blocks_.back()->used < whole) {
    const std::size_t size = std::max(roundUp(whole, kLargePage), kBlock);
    blocks_.push_back(std::make_shared<WeightBlock>(size, size, account_));
  }
  WeightBlock& block = *blocks_.back();
  block.charge.add(bytes, "build: packed weights");
  std::byte* at = block.data + block.used;
  block.used += whole;
  block.touched = std::max(block.touched, block.used);
  taken_ += whole;
  return at;
}

std::byte* WeightMemory::share(std::byte* weights, std::size_t bytes, SharedWeights& all) {
  constexpr std::size_t kLeast = 4096;
  const std::size_t whole = aligned(bytes);
  WeightBlock& block = *blocks_.back();
  if (bytes < kLeast || weights + whole != block.data + block.used) return weights;
  SharedWeights::Piece found = all.find({blocks_.back(), weights}, bytes);
  if (!found.block) return weights;
  clear(weights, whole);
  block.used -= whole;
  block.charge.giveBack(bytes);
  taken_ -= whole;
  if (std::ranges::find(borrowed_, found.block) == borrowed_.end() && std::ranges::find(blocks_, found.block) == blocks_.end())
    borrowed_.push_back(std::move(found.block));
  return found.at;
}

void WeightMemory::trim() {
  if (!blocks_.empty() && blocks_.back()->used == 0) blocks_.pop_back();
#if defined(__linux__)
  if (blocks_.empty()) return;
  const WeightBlock& block = *blocks_.back();
  const std::size_t large = largeBytes(block.used, block.size), end = roundUp(block.touched, kLargePage);
  if (large >= end) return;
  madvise(block.data + large, end - large, MADV_NOHUGEPAGE);
  const std::size_t unused = roundUp(block.used, static_cast<std::size_t>(getpagesize()));
  madvise(block.data + unused, end - unused, MADV_DONTNEED);
#endif
}

}  // namespace webnn::cpu
