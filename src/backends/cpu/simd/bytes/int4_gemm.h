// Kernels of GEMM of a float32 A and a 4-bit B.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// A block of rows times one panel of columns. A word of a packed panel holds eight signed 4-bit values of one column, for
// successive k, the first in the top nibble; the panel's words are [k / 8][column].
struct Int4Tile {
  const float* a = nullptr;   // the first row
  std::size_t rowStride = 0;  // elements from row to row
  std::size_t rows = 0, columns = 0, k = 0;
  const std::uint32_t* b = nullptr;
  std::size_t block = 0;  // values of a column that share a scale: k, or a multiple of 8
  // [block of k][column of the panel]. If `zero` is null, all zero points are 0.
  const float *scale = nullptr, *zero = nullptr;
  const float* bias = nullptr;  // one per column of the whole panel, even if `columns` is smaller
  bool relu = false;
  float* c = nullptr;
  std::size_t ldc = 0;
};

struct Int4GemmKernels {
  std::size_t mostRows = 0, columns = 0;  // mostRows: maximum number of rows in a tile; columns: columns of a panel
  void (*tile)(const Int4Tile& tile) = nullptr;
  // From this number of rows on, unpacking B to float32 and multiplying with GemmKernels is faster than tile().
  std::size_t fewestUnpackedRows = 0;
  // Writes rows [from, from + count) of the panel, dequantized, to `to`. Uses b, block, scale and zero of `tile`. `width`: the
  // columns to write in a row, which is `columns`, or half of it.
  void (*unpack)(const Int4Tile& tile, std::size_t from, std::size_t count, std::size_t width, float* to) = nullptr;
};

const Int4GemmKernels& int4GemmKernels(Isa isa);

}  // namespace webnn::cpu
