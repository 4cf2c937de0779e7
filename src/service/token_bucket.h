// A token bucket, which limits a rate.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace webnn::service {

// Holds at most the tokens of one second, and starts full.
class TokenBucket {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TokenBucket(std::uint64_t perSecond, Time now) : most_(static_cast<double>(perSecond)), tokens_(most_), filled_(now) {}

  // Takes a token. Returns false if there is none. `now` must not decrease between calls.
  bool take(Time now) {
    tokens_ = std::min(most_, tokens_ + most_ * std::chrono::duration<double>(now - filled_).count());
    filled_ = now;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

 private:
  double most_, tokens_;
  Time filled_;
};

}  // namespace webnn::service
