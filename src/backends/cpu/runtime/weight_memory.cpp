#include "backends/cpu/runtime/weight_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "backends/cpu/runtime/compiler.h"
#include "base/large_memory.h"
#include "compiler/plan/alignment.h"
#include "webnn/error.h"

namespace webnn::cpu {

namespace {

std::byte* reserve(std::size_t wanted, std::size_t bytes) {
  std::byte* const memory = reserveLargeMemory(wanted, bytes);
  if (!memory) throw Error(ErrorKind::unknownError, "there is not enough memory for the graph's weights.");
  return memory;
}

// Hashes 256 words spread evenly over the bytes. Equal hashes are confirmed by comparing all bytes.
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

// Returns whether the bytes are equal. Returns false if this thread's budget is exhausted.
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
WeightBlock::~WeightBlock() { releaseLargeMemory(data, size); }

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
    const std::size_t size = std::max(roundUp(whole, kLargePage), kLargeBlock);
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
  clearLargeMemory(weights, whole);
  block.used -= whole;
  block.charge.giveBack(bytes);
  taken_ -= whole;
  if (std::ranges::find(borrowed_, found.block) == borrowed_.end() && std::ranges::find(blocks_, found.block) == blocks_.end())
    borrowed_.push_back(std::move(found.block));
  return found.at;
}

void WeightMemory::trim() {
  if (!blocks_.empty() && blocks_.back()->used == 0) blocks_.pop_back();
  if (blocks_.empty()) return;
  const WeightBlock& block = *blocks_.back();
  trimLargeMemory(block.data, block.size, block.used, block.touched);
}

}  // namespace webnn::cpu
