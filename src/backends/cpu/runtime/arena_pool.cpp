#include "backends/cpu/runtime/arena_pool.h"

#include <algorithm>
#include <utility>

namespace webnn::cpu {

std::unique_ptr<Arena> makeArena(std::size_t bytes, const std::shared_ptr<MemoryAccount>& account) {
  auto arena = std::make_unique<Arena>();
  arena->bytes = bytes;
  arena->charge = MemoryCharge(account, bytes, "memory for values between steps");
  arena->data = arena->memory.takeAlone(bytes);
  return arena;
}

std::unique_ptr<Arena> ArenaPool::acquire(std::size_t bytes, const std::shared_ptr<MemoryAccount>& account) {
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
    free_.reset();  // all free arenas are too small
  }
  return makeArena(bytes, account);
}

void ArenaPool::release(std::unique_ptr<Arena> arena) noexcept {
  const std::lock_guard lock(mutex_);
  if (arena->bytes > largestNeed()) return;
  arena->next = std::move(free_);
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
  for (std::unique_ptr<Arena>* arena = &pool_->free_; *arena;) {
    if ((*arena)->bytes > most) {
      *arena = std::move((*arena)->next);
    } else {
      arena = &(*arena)->next;
    }
  }
}

}  // namespace webnn::cpu
