#include "backends/cpu/runtime/arena_pool.h"

#include <algorithm>
#include <utility>

namespace webnn::cpu {

std::unique_ptr<Arena> ArenaPool::acquire(std::size_t bytes, const std::shared_ptr<MemoryAccount>& account) {
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Arena>* smallest = nullptr;
    for (std::unique_ptr<Arena>& arena : free_) {
      if (arena->bytes >= bytes && (!smallest || arena->bytes < (*smallest)->bytes)) smallest = &arena;
    }
    if (smallest) {
      std::swap(*smallest, free_.back());
      std::unique_ptr<Arena> arena = std::move(free_.back());
      free_.pop_back();
      return arena;
    }
    count_ -= free_.size();
    free_.clear();  // the new one takes the place of the smaller ones
  }
  auto arena = std::make_unique<Arena>();
  arena->bytes = bytes;
  arena->charge = MemoryCharge(account, bytes, "memory for values between steps");
  arena->data = arena->memory.takeAlone(bytes);
  const std::lock_guard lock(mutex_);
  free_.reserve(count_ + 1);  // so that release() allocates nothing
  ++count_;
  return arena;
}

void ArenaPool::release(std::unique_ptr<Arena> arena) noexcept {
  const std::lock_guard lock(mutex_);
  if (arena->bytes <= largestNeed()) {
    free_.push_back(std::move(arena));
  } else {
    --count_;
  }
}

std::size_t ArenaPool::largestNeed() const {
  std::size_t most = 0;
  for (const std::size_t bytes : needs_) most = std::max(most, bytes);
  return most;
}

void ArenaPool::join(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  needs_.push_back(bytes);
}

void ArenaPool::leave(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  needs_.erase(std::find(needs_.begin(), needs_.end(), bytes));
  const std::size_t most = largestNeed();
  count_ -= std::erase_if(free_, [&](const auto& arena) { return arena->bytes > most; });
}

}  // namespace webnn::cpu
