// Limits of compile-time work, in one place so that a context can change them.
#pragma once

#include <cstddef>

namespace webnn::compiler {

// Operations on constants are folded at compile time within these budgets; the others run with the graph. The budgets grow with
// the graph's constants, because legitimate folding converts and rearranges weights.
struct CompileLimits {
  // Bytes of computed values held at the same time: a fixed amount, plus an amount per byte of a constant.
  std::size_t foldedBytes = std::size_t{32} << 20;
  std::size_t foldedBytesPerConstantByte = 2;
  // Elements read, written and multiplied in all: a fixed amount, plus an amount per element of a constant.
  std::size_t foldingWork = std::size_t{1} << 24;
  std::size_t foldingWorkPerConstant = 16;
};

}  // namespace webnn::compiler
