// Lets a session's builds run at the same time, and repeats a build alone if memory was short.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "base/function_ref.h"
#include "webnn/error.h"

namespace webnn::formats {

// The builds of one session that run now. Thread safe.
class BuildTurns {
 public:
  // Returns the result of build(). If build() throws OperationError while other builds run, waits until they end, and calls
  // build() again while no other build runs: two builds of the same model may pack the same weights at the same time, and each
  // counts them against the limit of memory until one of them finds the other's. Calls check() while it waits; check() may throw.
  template <typename Build>
  auto run(FunctionRef<void()> check, const Build& build) {
    bool mayRepeat = false;
    try {
      const Turn turn(*this, false, check);
      try {
        return build();
      } catch (...) {
        mayRepeat = turn.overlaps();
        throw;
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::operationError || !mayRepeat) throw;
    }
    const Turn turn(*this, true, check);
    return build();
  }

 private:
  // A build between its begin and its end.
  class Turn {
   public:
    Turn(BuildTurns& turns, bool isAlone, FunctionRef<void()> check) : turns_(turns) {
      std::unique_lock lock(turns.mutex_);
      // A callback of a build may build another graph on the same thread, which must not wait for itself.
      const std::thread::id self = std::this_thread::get_id();
      isNested_ = std::ranges::find(turns.running_, self) != turns.running_.end();
      while (!isNested_ && (turns.isAlone_ || (isAlone && !turns.running_.empty()))) {
        constexpr std::chrono::milliseconds kBetweenChecks{20};
        turns.changed_.wait_for(lock, kBetweenChecks);
        lock.unlock();
        check();
        lock.lock();
      }
      hadOthers_ = !turns.running_.empty();
      turns.running_.push_back(self);
      number_ = ++turns.begun_;
      if (isAlone && !isNested_) turns.isAlone_ = isAlone_ = true;
    }
    ~Turn() {
      const std::lock_guard lock(turns_.mutex_);
      turns_.running_.erase(std::ranges::find(turns_.running_, std::this_thread::get_id()));
      if (isAlone_) turns_.isAlone_ = false;
      turns_.changed_.notify_all();
    }
    Turn(const Turn&) = delete;
    // Returns whether a build of another thread ran at some time during this one.
    bool overlaps() const {
      const std::lock_guard lock(turns_.mutex_);
      return !isNested_ && (hadOthers_ || turns_.begun_ != number_);
    }

   private:
    BuildTurns& turns_;
    bool isNested_ = false, hadOthers_ = false, isAlone_ = false;
    std::uint64_t number_ = 0;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread::id> running_;  // the thread of each build
  std::uint64_t begun_ = 0;               // number of builds that have begun
  bool isAlone_ = false;                  // whether the running build waited for all others
};

}  // namespace webnn::formats
