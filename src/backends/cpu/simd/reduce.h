// Folding floats: along rows, and down columns. Elements are float32 (type 0) or float16 (type 1), at any alignment.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// Sums of elements, of their absolute values, of their squares; the greatest and the least, NaN if any is NaN.
enum class Fold { sum, absolutes, squares, greatest, least };

struct ReduceKernels {
  // Of `n` elements.
  double (*row[2][5])(const std::byte* x, std::size_t n);
  // Of each of `columns` columns; rows are `step` bytes apart. Sums of up to about a thousand rows are exact to a few ulp.
  void (*columns[2][5])(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, float* to);
  // The sum of exp(x - max), max being the greatest element, which is finite.
  double (*exponentials[2])(const std::byte* x, std::size_t n, float max);
  void (*exponentialColumns[2])(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, const float* max,
                                float* to);
  // The first element that equals `value`, which one does; the first NaN if that is NaN.
  std::size_t (*find[2])(const std::byte* x, std::size_t n, float value);
  // For each column the row of the first least (0) or greatest (1) element, of the first NaN if there is one.
  void (*indices[2][2])(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, std::int32_t* to);
};

const ReduceKernels& reduceKernels(Isa isa);

}  // namespace webnn::cpu
