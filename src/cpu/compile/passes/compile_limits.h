// What compiling a graph may cost. One place for these numbers, so that a context can be given others.
#pragma once

#include <cstddef>

namespace webnn::cpu {

// Operations of constants are computed while a graph is compiled, as far as these allow; what they do not runs with the
// graph. Budgets grow with the graph's constants, as honest folding converts and rearranges weights.
struct CompileLimits {
  // Bytes of computed values that are held at the same time: so many, and so many for each byte of a constant.
  std::size_t foldedBytes = std::size_t{32} << 20;
  std::size_t foldedBytesPerConstantByte = 2;
  // Elements read, written and multiplied in all: so many, and so many for each element of a constant.
  std::size_t foldingWork = std::size_t{1} << 24;
  std::size_t foldingWorkPerConstant = 16;
};

}  // namespace webnn::cpu
