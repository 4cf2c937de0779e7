// C = A * B: the one matrix product that matmul, gemm, convolution, attention and recurrent networks are made of.
//
// B is packed once into panels that suit the instruction set; A is copied by panels into cache-friendly rows while it is
// used, from plain memory or by a function (which is how convolution reads images without an im2col buffer). The result
// leaves the registers through an epilogue. Sums run in the order of k, whatever the number of threads.
#pragma once

#include <cstddef>
#include <limits>

#include "cpu/isa.h"
#include "cpu/threads.h"

namespace webnn::cpu {

// How the rows of A are read. Set either `data` or `gather`.
struct RowSource {
  const float* data = nullptr;  // element (m, k) at data[m * rowStride + k]
  std::size_t rowStride = 0;
  // Writes the elements (row + i, k + j), i < rows, j < count, to to[i * pitch + j].
  void (*gather)(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                 std::size_t pitch) = nullptr;
  const void* context = nullptr;
};

// What happens to finished elements, in this order.
struct GemmEpilogue {
  const float* bias = nullptr;  // added to each row; n elements
  bool clamps = false;          // to [minimum, maximum]; NaN stays
  float minimum = -std::numeric_limits<float>::infinity(), maximum = std::numeric_limits<float>::infinity();
  // Called on finished blocks while they are in cache: rows [row, row + rows), columns [column, column + columns), whose
  // first element is at `c` and whose rows are `pitch` elements apart.
  void (*finish)(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                 std::size_t pitch, unsigned worker) = nullptr;
  const void* context = nullptr;
};

struct Gemm {
  std::size_t m = 0, n = 0, k = 0;
  RowSource a;
  const std::byte* b = nullptr;  // packed by packB for the same k, n and isa
  float* c = nullptr;            // element (m, n) at c[m * cPitch + n]; written only within m x n
  std::size_t cPitch = 0;
  GemmEpilogue epilogue;
  std::byte* scratch = nullptr;  // gemmScratch() bytes, aligned to 64, for each worker of the team
};

// Bytes of a packed B. Reading the packed bytes is aligned: give 64-byte aligned memory.
std::size_t packedBytes(Isa isa, std::size_t k, std::size_t n);
// Packs B, whose element (k, n) is at b[k * rowStride + n * columnStride].
void packB(Isa isa, std::size_t k, std::size_t n, const float* b, std::size_t rowStride, std::size_t columnStride,
           std::byte* packed);

// Bytes of scratch that a product of these sizes needs in all, for a team of `threads`.
std::size_t gemmScratch(Isa isa, std::size_t m, std::size_t n, std::size_t k, unsigned threads);

void gemm(Isa isa, Team& team, const Gemm& product);

}  // namespace webnn::cpu
