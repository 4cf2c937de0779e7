// Memory for packed weights: in huge pages if available, released as a whole, and shared by graphs with equal weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/budget.h"

namespace webnn::cpu {

// A contiguous range of large pages, released when the last graph that uses it is destroyed.
struct WeightBlock {
  // `wanted` is the number of bytes that will probably be used. Throws UnknownError if there is too little memory.
  WeightBlock(std::size_t wanted, std::size_t bytes, std::shared_ptr<MemoryAccount> account);
  ~WeightBlock();
  WeightBlock(const WeightBlock&) = delete;
  WeightBlock& operator=(const WeightBlock&) = delete;

  std::byte* const data;
  const std::size_t size;
  std::size_t used = 0, touched = 0;
  MemoryCharge charge;
};

// Finds packed weights with equal bytes among all graphs of a backend. Does not keep them alive. Thread safe.
class SharedWeights {
 public:
  struct Piece {
    std::shared_ptr<WeightBlock> block;  // null: no piece
    std::byte* at = nullptr;
  };
  // Returns the first registered piece with equal bytes. If there is none, registers `piece`, which must not change any more.
  Piece find(const Piece& piece, std::size_t bytes);

 private:
  struct Known {
    std::weak_ptr<WeightBlock> block;
    std::byte* at;
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, Known> known_;  // key: hash of some of the bytes
  std::size_t most_ = 64;                                // number of entries at which expired ones are erased
};

class WeightMemory {
 public:
  explicit WeightMemory(std::shared_ptr<MemoryAccount> account = nullptr) : account_(std::move(account)) {}
  WeightMemory(const WeightMemory&) = delete;
  WeightMemory& operator=(const WeightMemory&) = delete;

  // Allocates zeroed bytes, aligned to 64. Throws UnknownError if memory is short, OperationError if the account is exceeded.
  std::byte* take(std::size_t bytes);
  // Allocates a separate block that no account is charged for. It ends in small pages if its last huge page would be mostly
  // empty.
  std::byte* takeAlone(std::size_t bytes);
  // Call after filling the bytes taken last. If `all` has equal bytes, releases the taken ones and returns those in `all`.
  std::byte* share(std::byte* taken, std::size_t bytes, SharedWeights& all);
  // Call after the last take(). Releases the unused part of the last huge page if it is large.
  void trim();
  // Returns the number of bytes taken, without those replaced by share().
  std::size_t bytesTaken() const { return taken_; }

 private:
  const std::shared_ptr<MemoryAccount> account_;
  std::vector<std::shared_ptr<WeightBlock>> blocks_, borrowed_;
  std::size_t taken_ = 0;
};

}  // namespace webnn::cpu
