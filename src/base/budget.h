// The limits, cancellation and progress reports of a load, build or run, in one object. The limits are memory, operations,
// elements, compile work and time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "webnn/limits.h"

namespace webnn {

// Memory that is not in use, but kept for later use.
class IdleMemory {
 public:
  virtual ~IdleMemory() = default;
  // Frees the memory. Called by any thread.
  virtual void release() noexcept = 0;
};

// Counts bytes in use against a limit. Thread safe. Idle memory never makes an account refuse bytes: if the bytes in use and the
// idle ones exceed the limit together, the account releases the idle ones.
class MemoryAccount {
 public:
  // The bytes also count against the parent account, if there is one.
  explicit MemoryAccount(std::uint64_t limit, std::shared_ptr<MemoryAccount> parent = nullptr)
      : limit_(limit), parent_(std::move(parent)) {}
  // Adds `bytes` to the account. Throws OperationError, which names `what`, if the limit would be exceeded.
  void take(std::uint64_t bytes, std::string_view what);
  void giveBack(std::uint64_t bytes) noexcept;
  // Throws the error that take() would throw. Does not change the account.
  void require(std::uint64_t bytes, std::string_view what) const;
  // Registers the owner of idle memory until it is destroyed, also with the parent accounts.
  void addOwner(const std::shared_ptr<IdleMemory>& owner);
  // Count idle bytes, also in the parent accounts.
  void addIdle(std::uint64_t bytes) noexcept;
  void endIdle(std::uint64_t bytes) noexcept;
  std::uint64_t idle() const { return idle_.load(std::memory_order_relaxed); }
  std::uint64_t inUse() const { return inUse_.load(std::memory_order_relaxed); }

 private:
  void releaseIdle() const;
  [[noreturn]] void refuse(std::uint64_t bytes, std::uint64_t inUse, std::string_view what) const;
  const std::uint64_t limit_;
  const std::shared_ptr<MemoryAccount> parent_;
  std::atomic<std::uint64_t> inUse_{0}, idle_{0};
  mutable std::mutex mutex_;  // protects owners_
  std::vector<std::weak_ptr<IdleMemory>> owners_;
};

// Bytes taken from an account. The destructor returns them.
class MemoryCharge {
 public:
  MemoryCharge() = default;  // a charge without an account counts nothing
  explicit MemoryCharge(std::shared_ptr<MemoryAccount> account) : account_(std::move(account)) {}
  MemoryCharge(std::shared_ptr<MemoryAccount> account, std::uint64_t bytes, std::string_view what)
      : MemoryCharge(std::move(account)) {
    add(bytes, what);
  }
  MemoryCharge(MemoryCharge&& other) noexcept : account_(std::move(other.account_)), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryCharge& operator=(MemoryCharge&& other) noexcept {
    std::swap(account_, other.account_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryCharge() {
    if (account_) account_->giveBack(bytes_);
  }

  void add(std::uint64_t bytes, std::string_view what) {
    if (!account_) return;
    account_->take(bytes, what);
    bytes_ += bytes;
  }
  void giveBack(std::uint64_t bytes) noexcept {
    if (!account_) return;
    account_->giveBack(bytes);
    bytes_ -= bytes;
  }

 private:
  std::shared_ptr<MemoryAccount> account_;
  std::uint64_t bytes_ = 0;
};

// Returns limits that take the stricter value of `a` and `b` for each limit.
Limits stricter(const Limits& a, const Limits& b);

// Names the public call that a thread runs while the object exists. Budgets that inner calls set up on the thread take this name
// for their error messages, so that a message of Session::run() begins with "run:", no matter which part of the run failed.
class CallName {
 public:
  // `method` must outlive all budgets that are made while this object exists; use a literal.
  explicit CallName(std::string_view method) : outer_(std::exchange(current_, current_.empty() ? method : current_)) {}
  ~CallName() { current_ = outer_; }
  CallName(const CallName&) = delete;
  CallName& operator=(const CallName&) = delete;
  // Returns the name of the outermost call, or `method` if there is none.
  static std::string_view outermost(std::string_view method) { return current_.empty() ? method : current_; }

 private:
  static thread_local std::string_view current_;
  const std::string_view outer_;
};

// The limits of one call. Its const functions are thread safe. Once a budget is exceeded, it stays exceeded, so that later work
// can detect that earlier work was skipped.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  Budget() = default;  // a budget without an account, cancellation or time limit, and with the default limits
  // `method` must outlive the budget. Error messages begin with it ("load"), or with the name of the outermost CallName on this
  // thread.
  Budget(std::string_view method, const Limits& limits, std::shared_ptr<MemoryAccount> memory,
         std::shared_ptr<const std::atomic<bool>> lost)
      : method_(CallName::outermost(method)), limits_(limits), memory_(std::move(memory)), lost_(std::move(lost)) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  static const Budget& none();

  // Adds the cancellation and callbacks of `options`, options.timeout (counted from `start`) and limits().maxTime (counted from
  // now). The callbacks will be called on this thread.
  void limitCall(std::string_view method, const CallOptions& options, Clock::time_point start = Clock::now());

  // For tests that count checks: calls isOver() at each check, on any thread. When it returns true, the budget is exceeded.
  void endWhen(std::function<bool()> isOver) {
    interrupt_ = std::make_unique<Interrupt>(std::move(isOver), Interrupt::everyLook);
  }

  // Reports progress to the caller's function: only on the caller's thread, and at a limited rate within a phase.
  void report(std::string_view phase, std::uint64_t done, std::uint64_t total) const {
    if (reporter_) reporter_->report({phase, done, total});
  }

  const Limits& limits() const { return limits_; }
  // Returns whether isOver() can become true for a reason other than a lost context.
  bool mayEnd() const { return stop_.stop_possible() || deadline_ != Clock::time_point::max() || interrupt_; }
  // The account that counts memory; null if memory is not counted.
  const std::shared_ptr<MemoryAccount>& memory() const { return memory_; }

  // Returns whether the work should stop, because it is cancelled or out of time, or its context is lost. Cheap: reads flags,
  // and the clock if there is a time limit or an interrupt function, which it calls at a limited rate.
  bool isOver() const noexcept {
    return stop_.stop_requested() || (lost_ && lost_->load(std::memory_order_relaxed)) ||
           (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) || (interrupt_ && interrupt_->isOver());
  }
  // Throws AbortError, TimeoutError or InvalidStateError if isOver().
  void check() const {
    if (isOver()) throwOver();
  }

  // Count operations and elements of the graph under construction. Throw OperationError beyond the limit.
  void addOperation();
  void addElements(std::uint64_t elements);
  // Deducts compile work (Limits::maxCompileWork). Returns false, and deducts nothing, if less than `work` is left.
  bool spendCompileWork(std::uint64_t work) const;
  std::uint64_t compileWorkLeft() const;

 private:
  // Polls an interrupt function: with `nowAndThen`, only on the caller's thread and at a limited rate; with `everyLook`
  // (tests), at each check on any thread.
  class Interrupt {
   public:
    enum When { nowAndThen, everyLook };
    explicit Interrupt(std::function<bool()> ask, When when = nowAndThen) : ask_(std::move(ask)), when_(when) {}
    bool isOver();

   private:
    bool isDue();
    const std::function<bool()> ask_;
    const When when_;
    const std::thread::id thread_ = std::this_thread::get_id();
    unsigned asked_ = 0;
    Clock::time_point last_ = Clock::now();
    std::atomic<bool> isOver_{false};
  };

  class Reporter {
   public:
    explicit Reporter(std::function<void(const CallProgress&)> tell) : tell_(std::move(tell)) {}
    void report(const CallProgress& progress);

   private:
    const std::function<void(const CallProgress&)> tell_;
    const std::thread::id thread_ = std::this_thread::get_id();
    Clock::time_point last_;
  };

  [[noreturn]] void throwOver() const;
  std::string_view method_;
  Limits limits_;
  std::shared_ptr<MemoryAccount> memory_;
  std::shared_ptr<const std::atomic<bool>> lost_;
  std::stop_token stop_;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::unique_ptr<Interrupt> interrupt_;
  std::unique_ptr<Reporter> reporter_;
  std::uint64_t operations_ = 0, elements_ = 0;
  mutable std::atomic<std::uint64_t> compileWork_{0};
};

// Makes a budget the current budget of this thread, for loops in functions that do not receive it.
class BudgetScope {
 public:
  explicit BudgetScope(const Budget& budget) : outer_(std::exchange(current_, &budget)) {}
  ~BudgetScope() { current_ = outer_; }
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;
  static const Budget& current() { return current_ ? *current_ : Budget::none(); }

 private:
  static thread_local const Budget* current_;
  const Budget* outer_;
};

}  // namespace webnn
