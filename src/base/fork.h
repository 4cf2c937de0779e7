#pragma once

#include <cstdint>

namespace webnn {

// Remembers the process that created it. Threads do not survive fork(), so isHere() must be checked before waiting for a thread.
class ProcessOfOrigin {
 public:
  // Returns false in a process that was forked after this object was created.
  bool isHere() const noexcept { return generation_ == current(); }

 private:
  static std::uint64_t current() noexcept;
  std::uint64_t generation_ = current();
};

}  // namespace webnn
