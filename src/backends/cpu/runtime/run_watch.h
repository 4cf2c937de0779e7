// How long-running kernels notice that their run should end. Includes no standard header but <cstddef>, because it is included by
// kernels that are compiled for several instruction sets.
#pragma once

#include <cstddef>

namespace webnn::cpu {

// Whether the run that this thread works for should end: for loops inside a chunk, or in nested work of singleThread(). Never
// changes back. Takes a few nanoseconds.
bool isRunOver();

// The same for loops of cheap iterations: checks the budget only now and then. Once true, it stays true.
class RunWatch {
 public:
  // `work`: about how many elements were read since the last call.
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
