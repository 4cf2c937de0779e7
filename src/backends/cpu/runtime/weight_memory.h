// Memory for packed weights: in huge pages where available, freed as a whole, and shared by graphs that have equal ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/budget.h"

namespace webnn::cpu {

// A range of pages.
struct WeightBlock {
  // UnknownError if there is not enough memory. `wanted`: how many of the bytes will be used, as far as that is known.
  WeightBlock(std::size_t wanted, std::size_t bytes, std::shared_ptr<MemoryAccount> account);
  ~WeightBlock();
  WeightBlock(const WeightBlock&) = delete;
  WeightBlock& operator=(const WeightBlock&) = delete;

  std::byte* const data;
  const std::size_t size;
  std::size_t used = 0, touched = 0;
  MemoryCharge charge;
};

// The packed weights of all graphs of a backend, found by their bytes. Keeps none of them. Thread safe.
class SharedWeights {
 public:
  struct Piece {
    std::shared_ptr<WeightBlock> block;  // null: there is none
    std::byte* at = nullptr;
  };
  // The first of the pieces that are equal to this one. If there is none, this one is found from now on: it must not change any
  // more as long as its block lives.
  Piece find(const Piece& piece, std::size_t bytes);

 private:
  struct Known {
    std::weak_ptr<WeightBlock> block;
    std::byte* at;
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, Known> known_;  // by a hash of some of the bytes
  std::size_t most_ = 64;                                // before what is gone is left out
};

class WeightMemory {
 public:
  explicit WeightMemory(std::shared_ptr<MemoryAccount> account = nullptr) : account_(std::move(account)) {}
  WeightMemory(const WeightMemory&) = delete;
  WeightMemory& operator=(const WeightMemory&) = delete;

  // Zeroed, aligned to 64. UnknownError if there is not enough memory; OperationError if the account has not.
  std::byte* take(std::size_t bytes);
  // The same in a block of its own, which ends in small pages where its last huge page would not be nearly full. Of no account.
  std::byte* takeAlone(std::size_t bytes);
  // Of what was taken last, now that it is written: the same bytes among `all`, which this then keeps instead.
  std::byte* share(std::byte* taken, std::size_t bytes, SharedWeights& all);
  // Once all is taken: gives back what is unused of the last huge page, where that is much.
  void trim();
  // Without what is shared.
  std::size_t bytesTaken() const { return taken_; }

 private:
  const std::shared_ptr<MemoryAccount> account_;
  std::vector<std::shared_ptr<WeightBlock>> blocks_, borrowed_;
  std::size_t taken_ = 0;
};

}  // namespace webnn::cpu
