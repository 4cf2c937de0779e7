// How kernels that may run for long see that their run should end. Without any header of the standard library but <cstddef>:
// kernels include it, which are compiled for several instruction sets.
#pragma once

#include <cstddef>

namespace webnn::cpu {

// Whether the run that this thread works for should end: for loops deep inside of a chunk, or of nested work of singleThread().
// Never changes back. Takes some nanoseconds.
bool isRunOver();

// The same in loops of cheap rounds: looks at the budget once in a while. Once over, it always says so.
class RunWatch {
 public:
  // `work`: elements that are read, about, since it was asked the last time.
  bool isOver(std::size_t work) {
    if ((counted_ += work) < kInterval) [[likely]]
      return false;
    if (counted_ < kOver) counted_ = isRunOver() ? kOver : 0;
    return counted_ != 0;
  }

 private:
  static constexpr std::size_t kInterval = std::size_t{1} << 18, kOver = std::size_t{1} << 62;
  std::size_t counted_ = 0;
};

}  // namespace webnn::cpu
