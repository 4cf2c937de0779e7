// Tells long-running kernels that their run should end. Must stay small, because kernels include it once per instruction set.
#pragma once

#include <cstddef>

namespace webnn::cpu {

// Returns whether this thread's run should end, because it is cancelled or out of time, or its context is lost. Once true, the
// result stays true. Takes a few nanoseconds; meant to be polled in loops inside a chunk of Team::forEach.
bool isRunOver();

// Like isRunOver(), for loops with cheap iterations: calls isRunOver() only after a certain amount of work.
class RunWatch {
 public:
  // `work` is roughly the number of elements processed since the last call.
  bool isOver(std::size_t work) {
    if ((counted_ += work) < kInterval) [[likely]]
      return false;
    counted_ = counted_ >= kOver || isRunOver() ? kOver : 0;
    return counted_ != 0;
  }

 private:
  static constexpr std::size_t kInterval = std::size_t{1} << 18, kOver = ~std::size_t{0} / 4;
  std::size_t counted_ = 0;
};

}  // namespace webnn::cpu
