#include "onnx/program/value_pool.h"

#include <bit>
#include <new>
#include <utility>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

// Smaller blocks are not pooled, because malloc() reuses them without returning their pages to the system.
constexpr std::size_t kLeastKept = std::size_t{64} << 10;

// Rounds up by at most an eighth, so that a value that grows slightly in each run can reuse its memory of the last run. The
// surplus is not charged, because its pages are never written.
std::size_t capacityFor(std::size_t size) {
  if (size < kLeastKept) return size;
  const std::size_t grain = std::bit_floor(size) / 8;
  return (size + grain - 1) / grain * grain;
}

// Returns the index of a capacity among those that capacityFor() returns, from kLeastKept on.
std::size_t indexOf(std::size_t capacity) {
  const std::size_t power = std::bit_floor(capacity);
  const auto octave = static_cast<std::size_t>(std::countr_zero(power) - std::countr_zero(kLeastKept));
  return octave * 8 + (capacity - power) / (power / 8);
}

}  // namespace

void ValuePool::beginRun() {
  std::unique_ptr<ValueBytes> old;
  {
    const std::scoped_lock lock(mutex_);
    ++run_;
    // Each list has the most recently used object first, so all objects after an old one are old too.
    for (std::unique_ptr<ValueBytes>& list : free_) {
      std::unique_ptr<ValueBytes>* at = &list;
      while (*at && (*at)->lastRun + kRuns >= run_) at = &(*at)->next;
      while (*at) {
        std::unique_ptr<ValueBytes> rest = std::move((*at)->next);
        (*at)->next = std::move(old);
        old = std::move(*at);
        *at = std::move(rest);
      }
    }
  }
  free(std::move(old));
}

std::unique_ptr<ValueBytes> ValuePool::takeFree(std::size_t capacity) {
  const std::scoped_lock lock(mutex_);
  std::unique_ptr<ValueBytes>& list = free_[indexOf(capacity)];
  std::unique_ptr<ValueBytes> value = std::move(list);
  if (value) list = std::move(value->next);
  if (value && account_) account_->endIdle(capacity);
  return value;
}

// Frees a list one by one: destroying its head would recurse.
void ValuePool::free(std::unique_ptr<ValueBytes> list) noexcept {
  for (; list; list = std::move(list->next)) {
    if (account_) account_->endIdle(list->memory.size());
  }
}

std::shared_ptr<ValueBytes> ValuePool::take(const Budget& budget, std::size_t size) {
  budget.check();
  const bool isKept = size >= kLeastKept;
  const std::size_t capacity = capacityFor(size);
  if (isKept) {
    std::call_once(registered_, [&] {
      account_ = budget.memory();
      if (account_) account_->addOwner(shared_from_this());
    });
  }
  MemoryCharge charge(budget.memory(), size + sizeof(ValueBytes) + sizeof(ImportedValue), kMemoryOfValue);
  std::unique_ptr<ValueBytes> value = isKept ? takeFree(capacity) : nullptr;
  if (!value) {
    value = std::make_unique<ValueBytes>();
    try {
      value->memory = UnsetVector<std::byte>(capacity);
    } catch (const std::bad_alloc&) {
      release();
      value->memory = UnsetVector<std::byte>(capacity);
    }
  }
  value->charge = std::move(charge);
  value->bytes = std::span(value->memory).first(size);
  if (!isKept) return value;
  return {value.release(), [pool = weak_from_this()](ValueBytes* returned) {
            std::unique_ptr<ValueBytes> own(returned);
            if (const auto alive = pool.lock()) alive->giveBack(std::move(own));
          }};
}

void ValuePool::giveBack(std::unique_ptr<ValueBytes> value) noexcept {
  value->charge = MemoryCharge();
  if (account_) account_->addIdle(value->memory.size());
  const std::scoped_lock lock(mutex_);
  value->lastRun = run_;
  std::unique_ptr<ValueBytes>& list = free_[indexOf(value->memory.size())];
  value->next = std::move(list);
  list = std::move(value);
}

void ValuePool::release() noexcept {
  std::array<std::unique_ptr<ValueBytes>, kCapacities> all;
  {
    const std::scoped_lock lock(mutex_);
    all.swap(free_);
  }
  for (std::unique_ptr<ValueBytes>& list : all) free(std::move(list));
}

}  // namespace webnn::formats::onnx
