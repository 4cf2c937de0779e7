// Kernels of GEMM of a float32 A and a B of 4-bit or 8-bit weights.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// A block of rows times one panel of columns. A word of a packed panel holds eight signed 4-bit values, or four signed 8-bit
// values, of one column for successive k, the first in the top bits. The panel's words are [word of k][column].
struct WeightTile {
  const float* a = nullptr;   // the first row
  std::size_t rowStride = 0;  // elements from row to row
  std::size_t rows = 0, columns = 0, k = 0;
  const std::uint32_t* b = nullptr;
  std::size_t block = 0;  // values of a column that share a scale: k, or a multiple of the values in a word
  // [block of k][column of the panel]. If `zero` is null, all zero points of the signed values are 0.
  const float *scale = nullptr, *zero = nullptr;
  const float* bias = nullptr;  // one per column of the whole panel, even if `columns` is smaller
  bool relu = false;
  float* c = nullptr;
  std::size_t ldc = 0;
};

struct WeightGemmKernels {
  std::size_t mostRows = 0, columns = 0;  // mostRows: maximum number of rows in a tile; columns: columns of a panel
  void (*tile)(const WeightTile& tile) = nullptr;
  // From this number of rows on, unpacking B to float32 and multiplying with GemmKernels is faster than tile().
  std::size_t fewestUnpackedRows = 0;
  // Writes rows [from, from + count) of the panel, dequantized, to `to`. Uses b, block, scale and zero of `tile`. `width`: the
  // columns to write in a row, which is `columns`, or half of it.
  void (*unpack)(const WeightTile& tile, std::size_t from, std::size_t count, std::size_t width, float* to) = nullptr;
};

// `bits`: 4 or 8.
const WeightGemmKernels& weightGemmKernels(Isa isa, std::size_t bits);

}  // namespace webnn::cpu
