#include "backends/cpu/runtime/weight_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

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

// Returns whether the bytes are equal. Returns false early if this thread's call is cancelled or out of time.
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
WeightBlock::~WeightBlock() {
  if (registry) registry->forget(this);
  releaseLargeMemory(data, size);
}

SharedWeights::Piece SharedWeights::find(const Piece& piece, std::size_t bytes) {
  const std::uint64_t hash = hashOf(piece.at, bytes);
  std::vector<Piece> candidates;
  {
    const std::lock_guard lock(mutex_);
    for (auto [known, end] = byHash_.equal_range(hash); known != end; ++known) {
      if (known->second.bytes != bytes) continue;
      if (auto block = known->second.block.lock()) candidates.push_back({std::move(block), known->second.at});
    }
  }
  for (Piece& candidate : candidates) {
    if (areEqual(candidate.at, piece.at, bytes)) return std::move(candidate);
  }
  const std::lock_guard lock(mutex_);
  byHash_.emplace(hash, Known{piece.block, piece.block.get(), piece.at, bytes, {}});
  return {};
}

SharedWeights::Piece SharedWeights::find(const PackKey& key) {
  const std::lock_guard lock(mutex_);
  const auto known = byKey_.find(key);
  if (known == byKey_.end()) return {};
  for (std::size_t i = 0; i < key.constants.size(); ++i) {
    const std::shared_ptr<const void>& owner = key.constants[i].owner;
    const std::weak_ptr<const void>& before = known->second.owners[i];
    // The old owner may be destroyed, and another constant may now have its address.
    if (key.constants[i].data && (before.expired() || before.owner_before(owner) || owner.owner_before(before))) return {};
  }
  return {known->second.block.lock(), known->second.at};
}

void SharedWeights::add(PackKey key, const Piece& piece) {
  Known known{piece.block, piece.block.get(), piece.at, 0, {}};
  for (ConstantKey& constant : key.constants) {
    if (constant.data && !constant.owner) return;
    known.owners.emplace_back(std::exchange(constant.owner, nullptr));
  }
  const std::lock_guard lock(mutex_);
  byKey_.insert_or_assign(std::move(key), std::move(known));
}

void SharedWeights::forget(const WeightBlock* block) noexcept {
  const std::lock_guard lock(mutex_);
  const auto isOfBlock = [&](const auto& entry) { return entry.second.identity == block; };
  std::erase_if(byKey_, isOfBlock);
  std::erase_if(byHash_, isOfBlock);
}

std::byte* WeightMemory::takeAlone(std::size_t bytes) {
  bytes = aligned(bytes);
  const std::size_t size = roundUp(bytes, kLargePage);
  blocks_.push_back(std::make_shared<WeightBlock>(bytes, size, nullptr));
  blocks_.back()->used = size;
  taken_ += bytes;
  return blocks_.back()->data;
}

std::byte* WeightMemory::growAlone(std::size_t bytes) {
  WeightBlock& block = *blocks_.back();
  bytes = aligned(bytes);
  if (block.size < bytes) {
    // Grow by half, so that a series of slightly larger sizes seldom moves the block. Growing reserves only address space.
    const std::size_t wanted = std::max(bytes, block.size + block.size / 2), size = roundUp(wanted, kLargePage);
    std::byte* const grown = growLargeMemory(block.data, block.size, wanted, size);
    if (!grown) return nullptr;
    block.data = grown;
    block.size = block.used = size;
  } else {
    reuseLargeMemory(block.data, bytes, block.size);
  }
  taken_ = std::max(taken_, bytes);
  return block.data;
}

std::byte* WeightMemory::take(std::size_t bytes) {
  const std::size_t whole = aligned(bytes);
  if (blocks_.empty() || blocks_.back()->size - blocks_.back()->used < whole) {
    // If the first piece is small, its block has ordinary pages: clearing a large page takes longer than compiling a small graph.
    const bool isSmall = blocks_.empty() && whole <= kLargePage / 4;
    const std::size_t size = isSmall ? kLargePage : std::max(roundUp(whole, kLargePage), kLargeBlock);
    blocks_.push_back(std::make_shared<WeightBlock>(isSmall ? 1 : size, size, account_));
  }
  WeightBlock& block = *blocks_.back();
  block.charge.add(bytes, "build: packed weights");
  std::byte* at = block.data + block.used;
  block.used += whole;
  block.touched = std::max(block.touched, block.used);
  taken_ += whole;
  return at;
}

std::byte* WeightMemory::borrow(SharedWeights::Piece piece) {
  if (std::ranges::find(borrowed_, piece.block) == borrowed_.end() && std::ranges::find(blocks_, piece.block) == blocks_.end())
    borrowed_.push_back(std::move(piece.block));
  return piece.at;
}

const std::byte* WeightMemory::find(const PackKey& key, SharedWeights& all) {
  SharedWeights::Piece found = all.find(key);
  return found.block ? borrow(std::move(found)) : nullptr;
}

const std::byte* WeightMemory::share(std::byte* weights, std::size_t bytes, PackKey key,
                                     const std::shared_ptr<SharedWeights>& all) {
  constexpr std::size_t kLeast = 4096;
  const std::size_t whole = aligned(bytes);
  WeightBlock& block = *blocks_.back();
  const SharedWeights::Piece piece{blocks_.back(), weights};
  if (!block.registry) block.registry = all;
  SharedWeights::Piece found = bytes < kLeast ? SharedWeights::Piece{} : all->find(piece, bytes);
  all->add(std::move(key), found.block ? found : piece);
  if (!found.block) return weights;
  clearLargeMemory(weights, whole);
  block.used -= whole;
  block.charge.giveBack(bytes);
  taken_ -= whole;
  return borrow(std::move(found));
}

void WeightMemory::trim() {
  if (!blocks_.empty() && blocks_.back()->used == 0) blocks_.pop_back();
  if (blocks_.empty()) return;
  const WeightBlock& block = *blocks_.back();
  trimLargeMemory(block.data, block.used, block.touched);
}

}  // namespace webnn::cpu
