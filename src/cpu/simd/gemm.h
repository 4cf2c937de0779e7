// The kernels of gemm.h, for one instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/runtime/isa.h"

namespace webnn::cpu {

// The most steps of k that are summed in registers; longer sums go through C.
constexpr std::size_t kGemmKC = 384;
// Floats from one row of a copied tile of A to the next: an odd number of cache lines, so that the rows lie in different sets
// of the cache.
constexpr std::size_t kTileLda = kGemmKC + 16;

// A tile of A against consecutive panels of B, for one block of k.
struct GemmTile {
  const float* a = nullptr;
  std::size_t lda = kTileLda;
  // Of Indirection. Several runs only in tiles whose sums are in the order of k: those of GemmKernels::fewestIndirectRows.
  std::size_t runs = 1, runLength = 0, runStride = 0;
  const float* b = nullptr;  // the panels, one after the other
  std::size_t k = 0;
  float* c = nullptr;
  std::size_t ldc = 0, columns = 0;
  bool adds = false;            // to what is in C
  const float* bias = nullptr;  // of the first column, or null
  bool clamps = false;
  float minimum = 0, maximum = 0;
  std::size_t rows = 0;             // read by kernels of tiles alone, like the one below
  std::byte* scratch = nullptr;     // GemmKernels::scratchBytes, aligned to 64
  const std::byte* next = nullptr;  // memory to bring into the second level of the cache meanwhile,
  std::size_t nextLines = 0;        // so many lines for each four steps of k
};

struct GemmKernels {
  std::size_t mr;     // rows of a full tile
  std::size_t lanes;  // a panel has two vectors of so many columns; the last one may have one vector
  // By the number of rows less one.
  void (*const* multiply)(const GemmTile& tile);
  // Copies rows of `count` elements.
  void (*copyRows)(const float* from, std::size_t rowStride, std::size_t rows, std::size_t count, float* to, std::size_t ld);
  void (*widenRows)(const std::uint16_t* from, std::size_t rowStride, std::size_t rows, std::size_t count, float* to,
                    std::size_t ld);
  // The same from memory in which columns are contiguous: to[i * ld + j] = from[i + j * stride], i < rows, j < count.
  void (*copyColumns)(const float* from, std::size_t stride, std::size_t rows, std::size_t count, float* to, std::size_t ld);
  void (*widenColumns)(const std::uint16_t* from, std::size_t stride, std::size_t rows, std::size_t count, float* to,
                       std::size_t ld);
  void (*narrowRows)(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::uint16_t* to,
                     std::size_t rowStride);
  // Writes k rows of a panel of `width` columns, of which `columns` are in B; the others become 0.
  void (*packPanel)(const float* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns,
                    std::size_t width, float* to);
  void (*packHalfPanel)(const std::uint16_t* b, std::size_t rowStride, std::size_t columnStride, std::size_t k,
                        std::size_t columns, std::size_t width, float* to);
  // Of packed B: the most rows of a panel, of which it has a multiple of `kStep`; the bytes before a panel's elements, and
  // of an element.
  std::size_t kc = kGemmKC, kStep = 1, headerBytes = 0, elementBytes = sizeof(float);
  std::size_t fewestIndirectRows = 8;
  std::size_t scratchBytes = 0;  // of GemmTile, for each worker
};
const GemmKernels& gemmKernels(Isa isa);

}  // namespace webnn::cpu
