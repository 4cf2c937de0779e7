// GEMM micro-kernels, copying and packing for one instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// KC: the maximum number of steps of k accumulated in registers. Longer sums are accumulated in C.
constexpr std::size_t kGemmKC = 384;
// Leading dimension of a copied tile of A, in floats: an odd number of cache lines, so that its rows map to different cache
// sets.
constexpr std::size_t kTileLda = kGemmKC + 16;

// A micro-kernel's task: a tile of A times consecutive panels of B, over one block of k.
struct GemmTile {
  const float* a = nullptr;
  std::size_t lda = kTileLda;
  // Each row of A consists of `lines` times `runs` runs of runLength floats: see Indirection. Tiles of fewer than
  // GemmKernels::fewestIndirectRows rows must have one run: their order of summation would depend on the length of the runs.
  std::size_t lines = 1, lineStride = 0, runs = 1, runLength = 0, runStride = 0;

  bool isContiguous() const { return lines * runs == 1; }
  const float* b = nullptr;  // consecutive panels
  std::size_t k = 0;
  float* c = nullptr;
  std::size_t ldc = 0, columns = 0;
  bool adds = false;            // whether to add to C instead of overwriting it
  const float* bias = nullptr;  // bias of the first column, or null
  bool clamps = false;
  float minimum = 0, maximum = 0;
  std::size_t rows = 0;                // only AMX kernels read it
  bool isConverted = true;             // whether scratch holds the rows of A: see GemmKernels::convertRows
  std::byte* scratch = nullptr;        // for AMX and bfloat16 kernels: scratchBytes of GemmKernels, aligned to 64 bytes
  const std::byte* next = nullptr;     // memory to prefetch into L2 during the call
  std::size_t nextLines = 0;           // cache lines to prefetch per four steps of k
  const std::byte* nextEnd = nullptr;  // end of the memory to prefetch; only kernels for floats read it
};

struct GemmKernels {
  std::size_t mr;     // rows of a full tile
  std::size_t lanes;  // columns per vector; a panel has two vectors, but the last panel may have one
  // The micro-kernels, indexed by the number of rows less one.
  void (*const* multiply)(const GemmTile& tile);
  void (*copyRows)(const float* from, std::size_t rowStride, std::size_t rows, std::size_t count, float* to, std::size_t ld);
  void (*widenRows)(const std::uint16_t* from, std::size_t rowStride, std::size_t rows, std::size_t count, float* to,
                    std::size_t ld);
  // Copy from column-major memory: to[i * ld + j] = from[i + j * stride], i < rows, j < count.
  void (*copyColumns)(const float* from, std::size_t stride, std::size_t rows, std::size_t count, float* to, std::size_t ld);
  void (*widenColumns)(const std::uint16_t* from, std::size_t stride, std::size_t rows, std::size_t count, float* to,
                       std::size_t ld);
  void (*narrowRows)(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::uint16_t* to,
                     std::size_t rowStride);
  // Packs k rows of a panel of `width` columns. Columns from `columns` on are padding and become 0.
  void (*packPanel)(const float* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns,
                    std::size_t width, float* to);
  void (*packHalfPanel)(const std::uint16_t* b, std::size_t rowStride, std::size_t columnStride, std::size_t k,
                        std::size_t columns, std::size_t width, float* to);
  // Layout of packed B. `kc`: the maximum number of rows (of k) in a block. `kStep`: panels are padded to a multiple of this
  // number of rows. `headerBytes`: the bytes before the elements of a panel. `elementBytes`: the bytes per element.
  std::size_t kc = kGemmKC, kStep = 1, headerBytes = 0, elementBytes = sizeof(float);
  std::size_t fewestIndirectRows = 8;
  bool prefetchesRows = false;   // whether tiles prefetch the next rows of A; measured on Zen 3 and Granite Rapids
  std::size_t scratchBytes = 0;  // size of GemmTile::scratch, which each worker has, without converted rows
  // AMX kernels convert rows of A in GemmTile::scratch. Either the kernel does that (GemmTile::isConverted is false), or
  // convertRows() has done it for rows [row, row + rows) of the tile, at most convertedRows of them, to which GemmTile::a then
  // points. `row` is a multiple of convertedRows. convertedRows rows take convertedHeaderBytes, and convertedBytes per element.
  void (*convertRows)(const GemmTile& tile, std::size_t row, std::size_t rows) = nullptr;
  std::size_t convertedRows = 0, convertedHeaderBytes = 0, convertedBytes = 0;
};
const GemmKernels& gemmKernels(Isa isa);

}  // namespace webnn::cpu
