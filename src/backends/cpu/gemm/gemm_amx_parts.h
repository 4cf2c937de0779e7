// Floats as sums of bfloat16: see gemm_amx.h.
#pragma once

#include "backends/cpu/runtime/amx_tiles.h"

#if defined(__x86_64__)
namespace webnn::cpu {

constexpr std::size_t kAmxKC = 192;   // KC: a split tile of A then fits in L1
constexpr std::size_t kAmxStep = 32;  // steps of k per instruction
constexpr std::size_t kAmxSide = 32;  // rows of a tile of A and columns of a panel of B: two tile registers each
constexpr std::size_t kAmxParts = 3;
constexpr std::size_t kAmxTile = kTileRows * kTileBytes;  // bytes

// The range of a matrix's magnitudes, as float bits.
struct AmxRange {
  std::uint32_t largest = 0;
  std::uint32_t smallest = 0xFFFF'FFFFU;  // the smallest one, less 1; zeros do not count
  std::uint32_t parts = 2;                // 3 if any number has a nonzero last part

  // Whether every number equals the sum of its parts.
  bool splits() const;
  // Whether products of parts and their sums neither overflow nor lose more than the last bits of a product to underflow.
  bool multiplies(const AmxRange& other) const;
};

// The range of `rows` rows of `count` floats, `ld` floats apart.
AmxRange rangeOf(const float* from, std::size_t ld, std::size_t rows, std::size_t count);

// Splits rows of A to [step of k][part][2 tiles][16 rows][32 of k]. Steps and tiles are zero-padded.
AmxRange splitRows(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::byte* to);

// Splits k contiguous rows of `width` columns (16 or 32) to [step of k][part][tile of 16 columns][pair of k][column][2].
void splitPanel(const float* from, std::size_t k, std::size_t width, std::size_t parts, std::byte* to);
// The reverse of splitPanel().
void joinPanel(const std::byte* from, std::size_t k, std::size_t width, std::size_t parts, float* to);

}  // namespace webnn::cpu
#endif
