// Kernels of GEMM of a float32 A and a 4-bit B.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// A block of rows times one panel of columns. A word of the packed matrix holds eight signed 4-bit values of a column, the first
// in the top nibble; words are [k / 8][columns].
struct Int4Tile {
  const float* a = nullptr;   // the first row
  std::size_t rowStride = 0;  // elements from row to row
  std::size_t rows = 0, columns = 0, k = 0;
  const std::uint32_t* b = nullptr;
  std::size_t block = 0;  // values of a column that share a scale: k, or a multiple of 8
  // By block of k and column of the panel. Null zero points are all zero.
  const float *scale = nullptr, *zero = nullptr;
  const float* bias = nullptr;  // for each column of the panel, to its end
  bool relu = false;
  float* c = nullptr;
  std::size_t ldc = 0;
};

struct Int4GemmKernels {
  std::size_t mostRows = 0, columns = 0;  // of a tile
  void (*tile)(const Int4Tile& tile) = nullptr;
};

const Int4GemmKernels& int4GemmKernels(Isa isa);

}  // namespace webnn::cpu
