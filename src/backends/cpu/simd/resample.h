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

// The adjacent inputs that contain all inputs of a vector of output positions: one or two vectors from `first` on, or none
// if two vectors cannot contain them or the row is too short.
struct ResampleWindow {
  std::int32_t first = 0, vectors = 0;
};

// Computes output position i as the sum of input position indices[t * tapStride + i] * weights[t * tapStride + i] over t < taps.
struct ResampleColumns {
  const std::byte* from;
  const std::int32_t* indices;
  const float* weights;
  std::size_t taps, tapStride, positions;
  std::size_t inner;  // elements that lie together at each position
  // Set if `inner` is 1, there are two taps, and position 2x uses inputs x - 1 and x, and position 2x + 1 uses inputs x and x +
  // 1, with the same weights for all x except the first and last.
  bool isDoubled;
  const ResampleWindow* windows;  // if `inner` is 1: one for each whole vector of output positions; otherwise null
  std::byte* to;
  std::size_t stride;  // bytes from one output position to the next
};

// Computes positions from two rows, with two taps in each row. The sums of the two rows are weighted by `weights`.
struct ResamplePixels {
  const std::byte* rows[2];
  float weights[2];
  ResampleColumns columns;  // `from` and `windows` are not used
};

// Indexed by whether the input is float16 (otherwise float32), and by whether the output is.
struct ResampleKernels {
  void (*rows[2][2])(const ResampleRows& sum);
  void (*columns[2][2])(const ResampleColumns& sum);
  void (*pixels[2])(const ResamplePixels& sum);  // input and output have the same type
  std::size_t lanes;                             // floats in a vector
};

const ResampleKernels& resampleKernels(Isa isa);

}  // namespace webnn::cpu
