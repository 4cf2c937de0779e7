#include "backends/cpu/runtime/arena_pool.h"

#include <algorithm>
#include <utility>

#include "base/large_memory.h"

namespace webnn::cpu {

namespace {

constexpr std::string_view kCharged = "memory for values between steps";

// Grows the arena to at least `bytes` bytes and returns it, or null if the system cannot grow memory. Throws as makeArena() does.
std::unique_ptr<Arena> grown(std::unique_ptr<Arena> arena, std::size_t bytes, const std::shared_ptr<MemoryAccount>& account) {
  arena->charge = MemoryCharge();
  arena->charge = MemoryCharge(account, bytes, kCharged);
  arena->data = arena->memory.growAlone(bytes);
  arena->bytes = bytes;
  return arena->data ? std::move(arena) : nullptr;
}

}  // namespace

std::unique_ptr<Arena> makeArena(std::size_t bytes, const std::shared_ptr<MemoryAccount>& account) {
  auto arena = std::make_unique<Arena>();
  arena->bytes = bytes;
  arena->charge = MemoryCharge(account, bytes, kCharged);
  arena->data = arena->memory.takeAlone(bytes);
  return arena;
}

std::unique_ptr<Arena> ArenaPool::acquire(std::size_t bytes, const std::shared_ptr<MemoryAccount>& account) {
  std::unique_ptr<Arena> tooSmall;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Arena>* smallest = nullptr;
    for (std::unique_ptr<Arena>* at = &free_; *at; at = &(*at)->next) {
      if ((*at)->bytes >= bytes && (!smallest || (*at)->bytes < (*smallest)->bytes)) smallest = at;
    }
    if (smallest) {
      std::unique_ptr<Arena> arena = std::move(*smallest);
      *smallest = std::move(arena->next);
      return arena;
    }
    tooSmall = takeLargest();
    free_.reset();
  }
  if (tooSmall) {
    if (std::unique_ptr<Arena> arena = grown(std::move(tooSmall), bytes, account)) return arena;
  }
  return makeArena(bytes, account);
}

std::unique_ptr<Arena> ArenaPool::takeLargest() {
  std::unique_ptr<Arena>* largest = &free_;
  for (std::unique_ptr<Arena>* at = &free_; *at; at = &(*at)->next) {
    if ((*at)->bytes > (*largest)->bytes) largest = at;
  }
  if (!*largest) return nullptr;
  std::unique_ptr<Arena> arena = std::move(*largest);
  *largest = std::move(arena->next);
  return arena;
}

void ArenaPool::release(std::unique_ptr<Arena> arena) noexcept {
  const std::lock_guard lock(mutex_);
  if (const std::size_t need = largestNeed(); arena->bytes > need) return keepShrunk(std::move(arena), need);
  arena->next = std::move(free_);
  free_ = std::move(arena);
}

// Shrinks an arena that is larger than every graph needs to `need` bytes and keeps it. Releases the arena instead if another
// one is free, `need` is small, or shrinking fails.
void ArenaPool::keepShrunk(std::unique_ptr<Arena> arena, std::size_t need) noexcept {
  if (free_ || need < kLargePage || !shrinkLargeMemory(arena->data, need, arena->bytes)) return;
  arena->charge.giveBack(arena->bytes - need);
  arena->bytes = need;
  free_ = std::move(arena);
}

std::size_t ArenaPool::largestNeed() const {
  std::size_t most = 0;
  for (const ArenaUser* user = users_; user; user = user->next_) most = std::max(most, user->bytes_);
  return most;
}

ArenaUser::ArenaUser(std::shared_ptr<ArenaPool> pool, std::size_t bytes) : pool_(std::move(pool)), bytes_(bytes) {
  const std::lock_guard lock(pool_->mutex_);
  next_ = std::exchange(pool_->users_, this);
}

ArenaUser::~ArenaUser() {
  const std::lock_guard lock(pool_->mutex_);
  ArenaUser** at = &pool_->users_;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
  const std::size_t most = pool_->largestNeed();
  std::unique_ptr<Arena> tooLarge;
  for (std::unique_ptr<Arena>* arena = &pool_->free_; *arena;) {
    if ((*arena)->bytes > most) {
      std::unique_ptr<Arena> next = std::move((*arena)->next);
      tooLarge = std::exchange(*arena, std::move(next));
    } else {
      arena = &(*arena)->next;
    }
  }
  if (tooLarge) pool_->keepShrunk(std::move(tooLarge), most);
}

}  // namespace webnn::cpu
