// How often something may happen.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace webnn::service {

// Holds as much as a second brings, and is full at first.
class TokenBucket {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TokenBucket(std::uint64_t perSecond, Time now) : most_(static_cast<double>(perSecond)), tokens_(most_), filled_(now) {}

  // False if it is empty. `now` does not go back.
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
