// C = A * B: the one matrix product that matmul, gemm, convolution, attention and recurrent networks are made of.
//
// B is packed once into panels that suit the instruction set; A is copied by panels into cache-friendly rows while it is
// used, from plain memory or by a function (which is how convolution reads images without an im2col buffer). The result
// leaves the registers through an epilogue. The order of a sum depends on m, n, k and the instruction set alone, not on
// the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "cpu/runtime/isa.h"
#include "cpu/runtime/threads.h"

namespace webnn::cpu {

// Rows of A that can be read where they are, in runs of equal length: element (i, k) of the r-th run, k being counted within
// it, at start[i * rowStride + r * runStride + k].
struct Indirection {
  const float* start = nullptr;
  std::size_t rowStride = 0, runs = 1, runStride = 0;
};

// How the rows of A are read. Set one of `data`, `half` and `gather`.
struct AOperand {
  const float* data = nullptr;          // element (m, k) at data[m * lda + k]
  const std::uint16_t* half = nullptr;  // the same, of float16
  std::size_t lda = 0;
  // Writes the elements (row + i, k + j), i < rows, j < count, to to[i * ld + j].
  void (*gather)(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                 std::size_t ld) = nullptr;
  // Beside `gather`: whether the rows [row, row + rows) are in memory as they are, and where.
  bool (*indirection)(const void* context, std::size_t row, std::size_t rows, Indirection& indirection) = nullptr;
  const void* context = nullptr;
};

// What happens to finished elements, in this order.
struct GemmEpilogue {
  const float* bias = nullptr;  // added to each row; n elements
  bool clamps = false;          // to [minimum, maximum]; NaN stays
  float minimum = -std::numeric_limits<float>::infinity(), maximum = std::numeric_limits<float>::infinity();
  // Called on finished blocks while they are in cache: rows [row, row + rows), columns [column, column + columns), whose
  // first element is at `c` and whose rows are `ld` elements apart. Blocks differ with the number of threads.
  void (*apply)(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                std::size_t ld, unsigned worker) = nullptr;
  const void* context = nullptr;
};

struct Gemm {
  std::size_t m = 0, n = 0, k = 0;
  AOperand a;
  const std::byte* b = nullptr;  // packed by packB for the same k, n and isa
  // Where the result goes: one of `c` and `half`, or neither if `finish` takes it from the block that it is given. `half` is
  // rounded once, after the epilogue. Element (m, n) is at [m * ldc + n]; written only within m x n.
  float* c = nullptr;
  std::uint16_t* half = nullptr;
  std::size_t ldc = 0;
  GemmEpilogue epilogue;
  std::byte* scratch = nullptr;  // gemmScratch() bytes in all, aligned to 64
};

// The instruction set to multiply with, where `isa` may be used: tiles are for products that are large enough. `isConstant`: if B
// is packed once, not in each run. The functions below work with any instruction set and size.
Isa gemmIsa(Isa isa, std::size_t m, std::size_t n, std::size_t k, bool isConstant = true);

// Bytes of a packed B. Reading the packed bytes is aligned: give 64-byte aligned memory.
std::size_t packedBytes(Isa isa, std::size_t k, std::size_t n);

// Packs B, whose element (k, n) is at b[k * rowStride + n * columnStride].
void packB(Isa isa, std::size_t k, std::size_t n, const float* b, std::size_t rowStride, std::size_t columnStride,
           std::byte* packed);
void packB(Isa isa, std::size_t k, std::size_t n, const std::uint16_t* half, std::size_t rowStride, std::size_t columnStride,
           std::byte* packed);
// The same in pieces that may run at once: packBPieces(k, n) of them.
std::size_t packBPieces(Isa isa, std::size_t k, std::size_t n);
void packBPiece(Isa isa, std::size_t k, std::size_t n, const float* b, std::size_t rowStride, std::size_t columnStride,
                std::byte* packed, std::size_t piece);
void packBPiece(Isa isa, std::size_t k, std::size_t n, const std::uint16_t* half, std::size_t rowStride, std::size_t columnStride,
                std::byte* packed, std::size_t piece);

// One piece of a packed matrix, for those who compute its rows themselves: of instruction sets without tiles.
struct PackedPanel {
  float* start = nullptr;
  std::size_t column = 0, columns = 0;  // of the matrix
  std::size_t width = 0;                // floats from row to row; those after `columns` have to be zero
  std::size_t k = 0, kc = 0, blockStride = 0, panelStride = 0;

  float* row(std::size_t i) const {
    const std::size_t block = i / kc, first = block * kc;
    return start + block * blockStride + panelStride * (kc < k - first ? kc : k - first) + (i - first) * width;
  }
  // How many rows, counted from row i, lie one after another.
  std::size_t rowsFrom(std::size_t i) const {
    const std::size_t inBlock = kc - i % kc;
    return inBlock < k - i ? inBlock : k - i;
  }
};
PackedPanel packedPanel(Isa isa, std::size_t k, std::size_t n, std::byte* packed, std::size_t piece);

// Bytes of scratch that a product of these sizes needs in all, for a team of `threads`; isFloat: if its result goes to `c`.
std::size_t gemmScratch(Isa isa, std::size_t m, std::size_t n, std::size_t k, unsigned threads, bool isFloat = true);

// Computes C with the team.
void runGemm(Isa isa, Team& team, const Gemm& gemm);

// The same in chunks, for loops over many products: `gemmChunks` of them for the sizes and a number of threads (1: as few as
// suit the caches), each computed by gemmChunk, in any order, at once on several workers of the same team.
std::size_t gemmChunks(Isa isa, std::size_t m, std::size_t n, std::size_t k, unsigned threads);
void gemmChunk(Isa isa, const Gemm& gemm, unsigned threads, std::size_t chunk, unsigned worker);

}  // namespace webnn::cpu
