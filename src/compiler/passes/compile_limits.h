// Limits of constant folding.
#pragma once

#include <cstddef>

namespace webnn::compiler {

// Operations on constants are folded at compile time within these limits; operations that would exceed them stay in the graph and
// run in each dispatch. The limits grow with the graph's constants, because legitimate folding converts and rearranges weights.
struct CompileLimits {
  // The maximum size of computed values that are alive at the same time: a fixed number of bytes, plus bytes per byte of
  // constants.
  std::size_t foldedBytes = std::size_t{32} << 20;
  std::size_t foldedBytesPerConstantByte = 2;
  // The maximum work of all folding (elements read, written or multiplied): a fixed amount, plus an amount per constant element.
  // 16 multiply-adds of a matrix product that the engine evaluates count as one element, so that products of all weights with 256
  // constant rows are folded.
  std::size_t foldingWork = std::size_t{1} << 24;
  std::size_t foldingWorkPerConstant = 16;
};

}  // namespace webnn::compiler
