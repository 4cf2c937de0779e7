// Limits a rate.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace webnn::service {

// Holds up to one second's tokens and starts full.
class TokenBucket {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TokenBucket(std::uint64_t perSecond, Time now) : most_(static_cast<double>(perSecond)), tokens_(most_), filled_(now) {}

  // Returns false if it is empty. `now` must not go back.
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
