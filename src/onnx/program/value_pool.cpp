#include "onnx/program/value_pool.h"

#include <bit>
#include <utility>

namespace webnn::formats::onnx {

namespace {

// malloc() keeps smaller blocks itself.
constexpr std::size_t kLeastKept = std::size_t{64} << 10;

// Rounds up by at most an eighth, so that a value that grows by a little with each run finds its memory of the last run.
std::size_t capacityFor(std::size_t size) {
  if (size < kLeastKept) return size;
  const std::size_t grain = std::bit_floor(size) / 8;
  return (size + grain - 1) / grain * grain;
}

// Frees a list one by one: destroying its head would recurse.
void freeAll(std::unique_ptr<ValueBytes> list) {
  while (list) list = std::move(list->next);
}

}  // namespace

void ValuePool::beginRun() {
  std::unique_ptr<ValueBytes> old;
  {
    const std::scoped_lock lock(mutex_);
    ++run_;
    for (std::unique_ptr<ValueBytes>* at = &free_; *at;) {
      if ((*at)->lastRun + kRuns >= run_) {
        at = &(*at)->next;
        continue;
      }
      std::unique_ptr<ValueBytes> rest = std::move((*at)->next);
      (*at)->next = std::move(old);
      old = std::move(*at);
      *at = std::move(rest);
    }
  }
  freeAll(std::move(old));
}

std::unique_ptr<ValueBytes> ValuePool::takeFree(std::size_t size) {
  const std::scoped_lock lock(mutex_);
  std::unique_ptr<ValueBytes>* best = nullptr;
  for (std::unique_ptr<ValueBytes>* at = &free_; *at; at = &(*at)->next) {
    const std::size_t capacity = (*at)->memory.size();
    if (capacity >= size && capacity / 2 <= size && (!best || capacity < (*best)->memory.size())) best = at;
  }
  if (!best) return nullptr;
  std::unique_ptr<ValueBytes> value = std::move(*best);
  *best = std::move(value->next);
  return value;
}

std::shared_ptr<ValueBytes> ValuePool::take(const Budget& budget, std::size_t size) {
  budget.check();
  std::unique_ptr<ValueBytes> value = size < kLeastKept ? nullptr : takeFree(size);
  if (!value) {
    const std::size_t capacity = capacityFor(size);
    if (size >= kLeastKept && budget.memory()) std::call_once(registered_, [&] { budget.memory()->addIdle(shared_from_this()); });
    value = std::make_unique<ValueBytes>();
    value->charge = MemoryCharge(budget.memory(), capacity + sizeof(ValueBytes), kMemoryOfValue);
    value->memory = UnsetVector<std::byte>(capacity);
  }
  value->bytes = std::span(value->memory).first(size);
  if (size < kLeastKept) return value;
  return {value.release(), [pool = weak_from_this()](ValueBytes* returned) {
            std::unique_ptr<ValueBytes> own(returned);
            if (const auto alive = pool.lock()) alive->giveBack(std::move(own));
          }};
}

void ValuePool::giveBack(std::unique_ptr<ValueBytes> value) noexcept {
  const std::scoped_lock lock(mutex_);
  value->lastRun = run_;
  value->next = std::move(free_);
  free_ = std::move(value);
}

void ValuePool::release() noexcept {
  std::unique_ptr<ValueBytes> all;
  {
    const std::scoped_lock lock(mutex_);
    all = std::move(free_);
  }
  freeAll(std::move(all));
}

}  // namespace webnn::formats::onnx
