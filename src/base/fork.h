#pragma once

#include <cstdint>

namespace webnn {

// The process that created this object. Threads do not survive fork(): check isHere() before waiting for one.
class ProcessOfOrigin {
 public:
  // Returns false in a child forked since.
  bool isHere() const noexcept { return generation_ == current(); }

 private:
  static std::uint64_t current() noexcept;
  std::uint64_t generation_ = current();
};

}  // namespace webnn
