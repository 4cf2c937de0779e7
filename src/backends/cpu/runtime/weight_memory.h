// Memory for packed weights: in huge pages if available, freed as a whole, and shared by graphs with equal weights.
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
  // Throws UnknownError if memory is short. `wanted`: how many of the bytes will probably be used.
  WeightBlock(std::size_t wanted, std::size_t bytes, std::shared_ptr<MemoryAccount> account);
  ~WeightBlock();
  WeightBlock(const WeightBlock&) = delete;
  WeightBlock& operator=(const WeightBlock&) = delete;

  std::byte* const data;
  const std::size_t size;
  std::size_t used = 0, touched = 0;
  MemoryCharge charge;
};

// The packed weights of a backend's graphs, found by their bytes. Does not keep them alive. Thread safe.
class SharedWeights {
 public:
  struct Piece {
    std::shared_ptr<WeightBlock> block;  // null: empty
    std::byte* at = nullptr;
  };
  // Returns the first piece equal to this one. If there is none, registers this one, which must not change while its block lives.
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

  // Allocates zeroed bytes, aligned to 64. Throws UnknownError if memory is short, OperationError if the account is.
  std::byte* take(std::size_t bytes);
  // Allocates a block of its own, which ends in small pages if its last huge page would be mostly empty. Not charged to an
  // account.
  std::byte* takeAlone(std::size_t bytes);
  // Call after the last taken bytes are written. Returns equal bytes from `all` if there are any, and then releases the taken
  // ones.
  std::byte* share(std::byte* taken, std::size_t bytes, SharedWeights& all);
  // Call when everything is taken: releases the unused part of the last huge page if it is large.
  void trim();
  // Returns the bytes taken, without shared ones.
  std::size_t bytesTaken() const { return taken_; }

 private:
  const std::shared_ptr<MemoryAccount> account_;
  std::vector<std::shared_ptr<WeightBlock>> blocks_, borrowed_;
  std::size_t taken_ = 0;
};

}  // namespace webnn::cpu
