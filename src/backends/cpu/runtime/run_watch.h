// Tells long-running kernels that their run should end. Includes only <cstddef>, because kernels include it once per instruction
// set.
#pragma once

#include <cstddef>

namespace webnn::cpu {

// Returns whether the run of this thread should end, for loops inside a chunk or in nested work of singleThread(). Once true, it
// stays true. Takes a few nanoseconds.
bool isRunOver();

// The same for loops of cheap iterations: checks the budget only occasionally. Once true, it stays true.
class RunWatch {
 public:
  // `work`: roughly the number of elements read since the last call.
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
