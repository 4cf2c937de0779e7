// Resampling: weighted sums of rows, and weighted sums of the positions of a row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// Computes the sum of rows[t] * weights[t] over t < taps, for `blocks` blocks of `size` elements each.
struct ResampleRows {
  const std::byte* const* rows;
  const float* weights;
  std::size_t taps, blocks, size;
  std::byte* to;
  std::size_t stride;  // bytes from one block of the output to the next; blocks of the input are contiguous
};

// Computes output position i as the sum of input position indices[t * tapStride + i] * weights[t * tapStride + i] over t < taps.
struct ResampleColumns {
  const std::byte* from;
  const std::int32_t* indices;
  const float* weights;
  std::size_t taps, tapStride, positions;
  std::size_t inner;  // elements that lie together at each position
  // If `inner` is 1, one number for each vector of output positions: the first of 2 * lanes adjacent inputs that contain its
  // inputs, or -1 if there are none. Otherwise null.
  const std::int32_t* windows;
  std::byte* to;
  std::size_t stride;  // bytes from one output position to the next
};

// Indexed by whether the input is float16 (otherwise float32), and by whether the output is.
struct ResampleKernels {
  void (*rows[2][2])(const ResampleRows& sum);
  void (*columns[2][2])(const ResampleColumns& sum);
  std::size_t lanes;  // floats in a vector
};

const ResampleKernels& resampleKernels(Isa isa);

}  // namespace webnn::cpu
