#include "backends/cpu/runtime/arena_pool.h"

#include <algorithm>
#include <utility>

namespace webnn::cpu {

std::unique_ptr<Arena> ArenaPool::acquire(std::size_t bytes, const std::shared_ptr<MemoryAccount>& account) {
  {
    const std::lock_guard lock(mutex_);
    const auto isLess = [](const auto& a, const auto& b) { return a->bytes < b->bytes; };
    std::ranges::sort(free_, isLess);
    const auto found = std::ranges::find_if(free_, [&](const auto& arena) { return arena->bytes >= bytes; });
    if (found != free_.end()) {
      std::unique_ptr<Arena> arena = std::move(*found);
      free_.erase(found);
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

void ArenaPool::join(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  needs_.insert(bytes);
}

void ArenaPool::leave(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  needs_.erase(needs_.find(bytes));
  count_ -= std::erase_if(free_, [&](const auto& arena) { return arena->bytes > largestNeed(); });
}

}  // namespace webnn::cpu
