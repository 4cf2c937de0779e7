// Sleeping until another process changes a word of shared memory.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>
#include <thread>

namespace webnn::service {

// Sleeps while the word is `value`, at most for `time`; may wake for no reason.
inline void futexWait(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec limit{static_cast<std::time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &limit, nullptr, 0);
}

inline void futexWake(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

// Tells the processor that this thread looks again and again.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits for a change of a word: looks for it for a while, which depends on how often that was worth it and is never longer than
// what it takes to be woken, then sleeps.
class Waiter {
 public:
  // Until `word` is no longer `value`, or `isOver`, asked each `interval` while it sleeps. `sleeps` tells the other side to wake
  // this one.
  template <typename IsOver>
  void wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::atomic<std::uint32_t>& sleeps,
            std::chrono::milliseconds interval, IsOver&& isOver) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    auto now = start;
    for (; now - start < time_; now = Clock::now()) {
      for (int i = 0; i < 32; ++i) {
        if (word.load(std::memory_order_acquire) != value) {
          inVain_ = 0;
          return;
        }
        relax();
      }
    }
    while (true) {
      sleeps.store(1);
      if (word.load() != value) break;
      futexWait(word, value, interval);
      if (word.load() != value || isOver()) break;
    }
    sleeps.store(0);
    if (Clock::now() - start >= kWorthwhile) {
      time_ /= 2;
    } else {  // what comes soon, but never soon enough, had better find the processor free
      time_ = ++inVain_ % 16 < 4 ? most_ : std::chrono::nanoseconds(0);
    }
  }

 private:
  static constexpr std::chrono::nanoseconds kWorthwhile{200'000};
  const std::chrono::nanoseconds most_{std::thread::hardware_concurrency() > 1 ? 50'000 : 0};
  std::chrono::nanoseconds time_ = most_;
  unsigned inVain_ = 0;  // looks since the last that saw a change
};

// Sets the word, and wakes who sleeps.
inline void announce(std::atomic<std::uint32_t>& word, std::uint32_t value, const std::atomic<std::uint32_t>& sleeps) {
  word.store(value);
  if (sleeps.load() != 0) futexWake(word);
}

}  // namespace webnn::service
