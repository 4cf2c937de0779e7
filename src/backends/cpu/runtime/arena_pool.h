// Memory for the values between a graph's steps. Graphs of one backend share the memory if they run one after the other.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "backends/cpu/runtime/weight_memory.h"
#include "base/budget.h"

namespace webnn::cpu {

struct Arena {
  MemoryCharge charge;
  WeightMemory memory;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::unique_ptr<Arena> next;  // next arena in the list of free arenas
};

// Throws UnknownError if memory is short, OperationError if the account is exceeded.
std::unique_ptr<Arena> makeArena(std::size_t bytes, const std::shared_ptr<MemoryAccount>& account);

class ArenaUser;

// Keeps arenas between runs. A run takes an arena that is large enough for its graph, so graphs that run one after the other
// need only the memory of the largest. If an arena grows for a larger graph, it keeps its pages, because the system would have
// to zero new pages. Arenas larger than every living graph needs are released, except that one may be kept, shrunk to the
// largest need. Thread safe. Lists are linked, so that returning an arena allocates nothing.
class ArenaPool {
 public:
  // Returns the smallest free arena of at least `bytes` bytes. If there is none, releases all free arenas except the largest, and
  // grows that one. Makes a new arena if none is free or the system cannot grow memory. The arena's contents are arbitrary.
  // Throws the errors of makeArena().
  std::unique_ptr<Arena> acquire(std::size_t bytes, const std::shared_ptr<MemoryAccount>& account);
  void release(std::unique_ptr<Arena> arena) noexcept;

 private:
  friend class ArenaUser;
  std::size_t largestNeed() const;
  void keepShrunk(std::unique_ptr<Arena> arena, std::size_t need) noexcept;
  std::unique_ptr<Arena> takeLargest();

  std::mutex mutex_;
  ArenaUser* users_ = nullptr;  // linked list with an object per living graph
  std::unique_ptr<Arena> free_;
};

// Registers with a pool the arena size that a graph needs, until the object is destroyed.
class ArenaUser {
 public:
  ArenaUser(std::shared_ptr<ArenaPool> pool, std::size_t bytes);
  ~ArenaUser();
  ArenaUser(const ArenaUser&) = delete;
  ArenaUser& operator=(const ArenaUser&) = delete;
  ArenaPool& pool() const { return *pool_; }

 private:
  friend class ArenaPool;
  const std::shared_ptr<ArenaPool> pool_;
  const std::size_t bytes_;
  ArenaUser* next_;
};

}  // namespace webnn::cpu
