// Splits floats into sums of bfloat16 parts (see gemm_amx.h).
#pragma once

#include "backends/cpu/runtime/amx_tiles.h"

#if defined(__x86_64__)
namespace webnn::cpu {

constexpr std::size_t kAmxKC = 192;   // block length along K; a split tile of A then fits in L1
constexpr std::size_t kAmxStep = 32;  // values of k per tile instruction
constexpr std::size_t kAmxSide = 32;  // rows of a tile of A and columns of a panel of B: two tile registers each
constexpr std::size_t kAmxParts = 3;
constexpr std::size_t kAmxTile = kTileRows * kTileBytes;  // bytes per tile register

// The range of magnitudes in a matrix, as float bits.
struct AmxRange {
  std::uint32_t largest = 0;
  std::uint32_t smallest = 0xFFFF'FFFFU;  // the smallest nonzero magnitude, minus 1 so that zero wraps to the maximum
  std::uint32_t parts = 2;                // 3 if any number has a nonzero last part

  // Returns whether every number in the range equals the sum of its parts.
  bool splits() const;
  // Returns whether sums of products with `other` cannot overflow, and underflow affects only the last bits of a product.
  bool multiplies(const AmxRange& other) const;
};

// Returns the range of `rows` rows of `count` floats. The rows are `ld` floats apart.
AmxRange rangeOf(const float* from, std::size_t ld, std::size_t rows, std::size_t count);

// Splits rows of A into parts in the layout [step of k][part][2 tiles][16 rows][32 of k], and returns their range. Steps and
// tiles are zero-padded.
AmxRange splitRows(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::byte* to);

// Splits k contiguous rows of `width` columns (16 or 32) into parts: [step of k][part][tile of 16 columns][pair of k][column][2].
void splitPanel(const float* from, std::size_t k, std::size_t width, std::size_t parts, std::byte* to);
// Converts the output of splitPanel() back to floats.
void joinPanel(const std::byte* from, std::size_t k, std::size_t width, std::size_t parts, float* to);

}  // namespace webnn::cpu
#endif
