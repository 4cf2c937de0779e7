// Waits until another process changes a word in shared memory.
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

// Sleeps while the word is `value`, for at most `time`. May wake spuriously.
inline void futexWait(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec limit{static_cast<std::time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &limit, nullptr, 0);
}

inline void futexWake(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

// Tells the processor that this is a spin-wait loop.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits for a change of a word. Spins first, then sleeps. The spinning time adapts to past success and never exceeds the cost of
// a wake-up.
class Waiter {
 public:
  // Waits until `word` differs from `value` or isOver() is true; isOver is called every `interval` while this thread sleeps. Sets
  // `sleeps` so that the other process knows that it must wake this thread.
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
    } else {  // the word changed soon after the spinning: if that repeats, spin in only 4 of 16 waits, to save CPU time
      time_ = ++inVain_ % 16 < 4 ? most_ : std::chrono::nanoseconds(0);
    }
  }

 private:
  static constexpr std::chrono::nanoseconds kWorthwhile{200'000};
  const std::chrono::nanoseconds most_{std::thread::hardware_concurrency() > 1 ? 50'000 : 0};
  std::chrono::nanoseconds time_ = most_;
  unsigned inVain_ = 0;  // waits that ended soon after the spinning, since spinning last succeeded
};

// Sets the word, and wakes the other process if it sleeps.
inline void announce(std::atomic<std::uint32_t>& word, std::uint32_t value, const std::atomic<std::uint32_t>& sleeps) {
  word.store(value);
  if (sleeps.load() != 0) futexWake(word);
}

}  // namespace webnn::service
