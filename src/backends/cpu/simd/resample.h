// Linear resampling: computes one row of the output from two rows of the input.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"
#include "webnn/types.h"

namespace webnn::cpu {

// The taps of a resampled dimension: the value at output position i is input element lower[i] * lowerWeight[i] + element upper[i]
// * upperWeight[i].
struct ResampleTaps {
  const std::int32_t *lower, *upper;
  const float *lowerWeight, *upperWeight;
  // Whether position 2x uses elements x - 1 and x, and position 2x + 1 uses elements x and x + 1, with the same weights for all
  // x except the first and last.
  bool isDoubled;
};

struct ResampleRow {
  const std::byte *lower, *upper;  // the two rows
  float lowerWeight, upperWeight;
  ResampleTaps columns;  // arrays with one element per output position
  std::size_t positions;
  std::size_t inner;            // elements that lie together at each position
  std::ptrdiff_t outputStride;  // bytes from one output position to the next
  std::byte* to;
  std::size_t width;  // elements in an input row, if `inner` is 1
  float* line;        // if `inner` is 1: memory for `width` floats
};

using ResampleKernel = void (*)(const ResampleRow& row);

// Returns the kernel for float32 or float16. `isLine`: for rows whose `inner` is 1.
ResampleKernel resampleKernel(Isa isa, DataType type, bool isLine);

}  // namespace webnn::cpu
