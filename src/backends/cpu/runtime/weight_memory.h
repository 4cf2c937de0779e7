// Memory for packed weights: in huge pages if available, released as a whole, and shared by graphs with equal weights.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/budget.h"

namespace webnn::cpu {

class SharedWeights;

// A contiguous range of memory, in large pages if `wanted` fills them, released when the last graph that uses it is destroyed.
struct WeightBlock {
  // `wanted` is the number of bytes that will probably be used. Throws UnknownError if there is too little memory.
  WeightBlock(std::size_t wanted, std::size_t bytes, std::shared_ptr<MemoryAccount> account);
  ~WeightBlock();
  WeightBlock(const WeightBlock&) = delete;
  WeightBlock& operator=(const WeightBlock&) = delete;

  std::byte* data;
  std::size_t size;
  std::size_t used = 0, touched = 0;
  MemoryCharge charge;
  std::shared_ptr<SharedWeights> registry;  // where pieces of the block are registered; the destructor removes them; may be null
};

// A constant's identity. While the owner lives, the bytes do not change.
struct ConstantKey {
  const std::byte* data = nullptr;  // null: the operand is absent
  std::size_t bytes = 0;
  std::shared_ptr<const void> owner;

  friend bool operator==(const ConstantKey& a, const ConstantKey& b) { return a.data == b.data && a.bytes == b.bytes; }
  friend auto operator<=>(const ConstantKey& a, const ConstantKey& b) {
    return a.data != b.data ? std::compare_three_way()(a.data, b.data) : a.bytes <=> b.bytes;
  }
};

// Identifies packed weights: the constants they come from, and everything else that their bytes depend on.
struct PackKey {
  std::string_view packing;  // name of the packing, a literal
  std::vector<ConstantKey> constants;
  std::vector<std::size_t> sizes;
  auto operator<=>(const PackKey&) const = default;

  void add(std::initializer_list<std::size_t> more) { sizes.insert(sizes.end(), more); }
};

// Registry of the packed weights of a backend's graphs, by key and by content. Does not keep the weights or the constants alive.
// Thread safe.
class SharedWeights {
 public:
  struct Piece {
    std::shared_ptr<WeightBlock> block;  // null: no packed weights
    std::byte* at = nullptr;
  };
  // Returns the first registered piece with equal bytes. If there is none, registers `piece`, which must not change any more.
  Piece find(const Piece& piece, std::size_t bytes);

  // Returns the piece that add() registered under an equal key, if it and the owners of its constants still live. Because the
  // same owners hold the same bytes, nothing is compared.
  Piece find(const PackKey& key);
  // Registers a piece under a key. Does nothing if a constant has no owner.
  void add(PackKey key, const Piece& piece);
  // Removes the pieces of a block from the registry. Called when the block is released.
  void forget(const WeightBlock* block) noexcept;

 private:
  struct Known {
    std::weak_ptr<WeightBlock> block;
    const WeightBlock* identity;
    std::byte* at;
    std::size_t bytes;
    std::vector<std::weak_ptr<const void>> owners;  // owners of the key's constants
  };
  std::mutex mutex_;
  std::map<PackKey, Known> byKey_;              // keys have null owners
  std::multimap<std::uint64_t, Known> byHash_;  // key: hash of some of the bytes
};

class WeightMemory {
 public:
  explicit WeightMemory(std::shared_ptr<MemoryAccount> account = nullptr) : account_(std::move(account)) {}
  WeightMemory(const WeightMemory&) = delete;
  WeightMemory& operator=(const WeightMemory&) = delete;

  // Allocates zeroed bytes, aligned to 64. Throws UnknownError if memory is short, OperationError if the account is exceeded.
  std::byte* take(std::size_t bytes);
  // Allocates a separate block that no account is charged for. It ends in small pages unless it fills at least 7/8 of its last
  // huge page.
  std::byte* takeAlone(std::size_t bytes);
  // Makes the only block, which takeAlone() returned, at least `bytes` long without releasing its pages. Returns its new address,
  // or null if the system cannot do that.
  std::byte* growAlone(std::size_t bytes);
  // Returns the packed weights registered in `all` under an equal key, or null.
  const std::byte* find(const PackKey& key, SharedWeights& all);
  // Registers `taken`, the result of the last take(), under the key; its bytes must not change any more. If `all` already has
  // equal bytes, 4 KiB or more, returns the registered bytes and releases `taken`.
  const std::byte* share(std::byte* taken, std::size_t bytes, PackKey key, const std::shared_ptr<SharedWeights>& all);
  // Releases the unused part of the last huge page if that is more than 1/8 of the page. Call it after the last take().
  void trim();
  // Returns the number of bytes taken, without the bytes that share() replaced.
  std::size_t bytesTaken() const { return taken_; }

 private:
  std::byte* borrow(SharedWeights::Piece piece);

  const std::shared_ptr<MemoryAccount> account_;
  std::vector<std::shared_ptr<WeightBlock>> blocks_, borrowed_;
  std::size_t taken_ = 0;
};

}  // namespace webnn::cpu
