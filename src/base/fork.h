// Processes that fork.
#pragma once

#include <cstdint>

namespace webnn {

// The process in which this was made. Threads do not survive fork(): who has some asks before waiting for them.
class ProcessOfOrigin {
 public:
  // False in a child that was forked since.
  bool isHere() const noexcept { return generation_ == current(); }

 private:
  static std::uint64_t current() noexcept;
  std::uint64_t generation_ = current();
};

}  // namespace webnn
