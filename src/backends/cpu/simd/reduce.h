// Folds floats (sums, maxima and others) along rows or down columns. Elements are float32 (type 0) or float16 (type 1), at any
// alignment.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// Sums of elements, absolute values and squares; the greatest and the smallest element, which are NaN if any element is NaN.
enum class Fold { sum, absolutes, squares, greatest, least };

struct ReduceKernels {
  // Indexed by element type and Fold. Folds `n` elements.
  double (*row[2][5])(const std::byte* x, std::size_t n);
  // Folds each of `columns` columns; rows are `step` bytes apart. Sums are float32: with up to about a thousand rows, their error
  // is a few ulp of the sum of absolute values.
  void (*columns[2][5])(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, float* to);
  // Indexed by Fold. Folds each of `rows` rows of `n` float32 elements, where isShortRow(n), and divides by `divisor`. Returns
  // whether all results are finite.
  bool (*shortRows[5])(const std::byte* x, std::size_t rows, std::size_t n, float divisor, float* to);
  // Divides `n` numbers, and returns whether all results are finite.
  bool (*divide)(const float* x, std::size_t n, float divisor, float* to);
  // Returns the sum of exp(x - max), where max is finite and no element is greater.
  double (*exponentials[2])(const std::byte* x, std::size_t n, float max);
  void (*exponentialColumns[2])(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, const float* max,
                                float* to);
  // Returns the index of the first element that equals `value`, or of the first NaN if `value` is NaN. Such an element must
  // exist.
  std::size_t (*find[2])(const std::byte* x, std::size_t n, float value);
  // Stores, for each column, the row of the first smallest (second index 0) or greatest (1) element, or of the first NaN.
  void (*indices[2][2])(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, std::int32_t* to);
  // Multiplies `product` by `n` float32 elements, in several chains of double. Returns false, without storing, if a chain may
  // have overflowed or underflowed: the product from first to last may still be in range.
  bool (*product)(const std::byte* x, std::size_t n, double& product);
  // Adds a row of float32 elements to `sums` (the first row replaces them). Rounds and stores the new sums, or the previous
  // ones if `exclusive`.
  void (*addRow)(const std::byte* x, std::size_t n, bool isFirst, bool exclusive, double* sums, std::byte* to);
};

// Returns whether n is 2, 3, 4, or a product of two of these numbers.
constexpr bool isShortRow(std::size_t n) {
  return n == 2 || n == 3 || n == 4 || n == 6 || n == 8 || n == 9 || n == 12 || n == 16;
}

const ReduceKernels& reduceKernels(Isa isa);

}  // namespace webnn::cpu
