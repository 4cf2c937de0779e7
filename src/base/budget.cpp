#include "base/budget.h"

#include <algorithm>

#include "base/text.h"

namespace webnn {

namespace {

Budget::Clock::time_point after(Budget::Clock::time_point start, std::chrono::nanoseconds duration) {
  duration = std::max(duration, std::chrono::nanoseconds(0));
  const auto most = std::chrono::duration_cast<std::chrono::nanoseconds>(Budget::Clock::time_point::max() - start);
  return duration >= most ? Budget::Clock::time_point::max()
                          : start + std::chrono::duration_cast<Budget::Clock::duration>(duration);
}

}  // namespace

void MemoryAccount::take(std::uint64_t bytes, std::string_view what) {
  if (parent_) parent_->take(bytes, what);
  std::uint64_t used = inUse_.load(std::memory_order_relaxed);
  do {
    if (used > limit_ || bytes > limit_ - used) {
      if (parent_) parent_->giveBack(bytes);
      refuse(bytes, used, what);
    }
  } while (!inUse_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  if (idle() > limit_ - (used + bytes)) releaseIdle();
}

void MemoryAccount::addOwner(const std::shared_ptr<IdleMemory>& owner) {
  if (parent_) parent_->addOwner(owner);
  const std::scoped_lock lock(mutex_);
  std::erase_if(owners_, [](const auto& one) { return one.expired(); });
  owners_.push_back(owner);
}

void MemoryAccount::addIdle(std::uint64_t bytes) noexcept {
  idle_.fetch_add(bytes, std::memory_order_relaxed);
  if (parent_) parent_->addIdle(bytes);
}

void MemoryAccount::endIdle(std::uint64_t bytes) noexcept {
  idle_.fetch_sub(bytes, std::memory_order_relaxed);
  if (parent_) parent_->endIdle(bytes);
}

void MemoryAccount::releaseIdle() const {
  // release() runs without the lock, because it may destroy the last reference to an owner.
  for (std::size_t i = 0;; ++i) {
    std::shared_ptr<IdleMemory> owner;
    {
      const std::scoped_lock lock(mutex_);
      if (i >= owners_.size()) return;
      owner = owners_[i].lock();
    }
    if (owner) owner->release();
  }
}

void MemoryAccount::giveBack(std::uint64_t bytes) noexcept {
  inUse_.fetch_sub(bytes, std::memory_order_relaxed);
  if (parent_) parent_->giveBack(bytes);
}

void MemoryAccount::require(std::uint64_t bytes, std::string_view what) const {
  if (parent_) parent_->require(bytes, what);
  const std::uint64_t used = inUse();
  if (used > limit_ || bytes > limit_ - used) refuse(bytes, used, what);
}

void MemoryAccount::refuse(std::uint64_t bytes, std::uint64_t inUse, std::string_view what) const {
  fail(ErrorKind::operationError, "{} of {} bytes is beyond the limit of memory (maxMemory, {} bytes, of which {} are in use).",
       what, bytes, limit_, inUse);
}

Limits stricter(const Limits& a, const Limits& b) {
  return {.maxMemory = std::min(a.maxMemory, b.maxMemory),
          .maxOperations = std::min(a.maxOperations, b.maxOperations),
          .maxElements = std::min(a.maxElements, b.maxElements),
          .maxCompileWork = std::min(a.maxCompileWork, b.maxCompileWork),
          .maxTime = std::min(a.maxTime, b.maxTime)};
}

thread_local const Budget* BudgetScope::current_ = nullptr;
thread_local std::string_view CallName::current_;

const Budget& Budget::none() {
  static const Budget budget("", {.maxCompileWork = ~std::uint64_t{0}}, nullptr, nullptr);
  return budget;
}

void Budget::limitCall(std::string_view method, const CallOptions& options, Clock::time_point start) {
  method_ = CallName::outermost(method);
  if (options.stop.stop_possible()) stop_ = options.stop;
  if (options.isInterrupted) interrupt_ = std::make_unique<Interrupt>(options.isInterrupted);
  if (options.onProgress) reporter_ = std::make_unique<Reporter>(options.onProgress);
  deadline_ = std::min({deadline_, after(start, options.timeout), after(Clock::now(), limits_.maxTime)});
}

namespace {
constexpr std::chrono::milliseconds kInterval{20};  // the minimum time between two polls, or two reports within a phase
}

bool Budget::Interrupt::isDue() {
  constexpr unsigned kLooks = 8;  // only every kLooks-th check reads the clock, to keep checks cheap
  if (when_ == everyLook) return true;
  if (std::this_thread::get_id() != thread_ || ++asked_ % kLooks != 0) return false;
  const Clock::time_point now = Clock::now();
  if (now - last_ < kInterval) return false;
  last_ = now;
  return true;
}

bool Budget::Interrupt::isOver() {
  if (isOver_.load(std::memory_order_relaxed)) return true;
  if (!isDue() || !ask_()) return false;
  isOver_.store(true, std::memory_order_relaxed);
  return true;
}

void Budget::Reporter::report(const CallProgress& progress) {
  if (std::this_thread::get_id() != thread_) return;
  const Clock::time_point now = Clock::now();
  const bool isEnd = progress.done == 0 || progress.done == progress.total;
  if (!isEnd && now - last_ < kInterval) return;
  last_ = now;
  tell_(progress);
}

void Budget::throwOver() const {
  if (lost_ && *lost_) fail(ErrorKind::invalidStateError, "{}: the context is lost.", method_);
  if (stop_.stop_requested()) fail(ErrorKind::abortError, "{}: a stop was requested.", method_);
  if (interrupt_ && interrupt_->isOver()) fail(ErrorKind::abortError, "{}: it was interrupted.", method_);
  fail(ErrorKind::timeoutError, "{}: the time that it may take is over.", method_);
}

void Budget::addOperation() {
  if (operations_ >= limits_.maxOperations)
    fail(ErrorKind::operationError, "the graph has more operations than maxOperations ({}).", limits_.maxOperations);
  ++operations_;
}

void Budget::addElements(std::uint64_t elements) {
  if (elements > limits_.maxElements - elements_) {
    fail(ErrorKind::operationError, "the operands of the graph have more elements than maxElements ({}).", limits_.maxElements);
  }
  elements_ += elements;
}

bool Budget::spendCompileWork(std::uint64_t work) const {
  std::uint64_t spent = compileWork_.load(std::memory_order_relaxed);
  do {
    if (spent > limits_.maxCompileWork || work > limits_.maxCompileWork - spent) return false;
  } while (!compileWork_.compare_exchange_weak(spent, spent + work, std::memory_order_relaxed));
  return true;
}

std::uint64_t Budget::compileWorkLeft() const {
  const std::uint64_t spent = compileWork_.load(std::memory_order_relaxed);
  return limits_.maxCompileWork - std::min(spent, limits_.maxCompileWork);
}

}  // namespace webnn
