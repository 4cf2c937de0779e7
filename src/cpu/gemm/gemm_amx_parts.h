// Floats as sums of bfloat16: see gemm_amx.h.
#pragma once

#include "cpu/runtime/amx_tiles.h"

#if defined(__x86_64__)
namespace webnn::cpu {

constexpr std::size_t kAmxKC = 192;   // the most steps of k in a block: so a tile of A, split, stays in the first cache
constexpr std::size_t kAmxStep = 32;  // steps of k that one instruction does
constexpr std::size_t kAmxSide = 32;  // rows of a tile of A, and columns of a panel of B: two registers' each
constexpr std::size_t kAmxParts = 3;
constexpr std::size_t kAmxTile = kTileRows * kTileBytes;  // bytes

// What numbers a matrix has.
struct AmxRange {
  std::uint32_t largest = 0;              // of the bits without the sign
  std::uint32_t smallest = 0xFFFF'FFFFU;  // of those less 1; zeros do not count
  std::uint32_t parts = 2;                // 3 if any number has a last part that is not 0

  // Whether the numbers are the sums of their parts.
  bool splits() const;
  // Whether no product of parts or sum of such is too large, or loses more than the last bits of a product by being too small.
  bool multiplies(const AmxRange& other) const;
};

// Of `rows` rows of `count` floats.
AmxRange rangeOf(const float* from, std::size_t ld, std::size_t rows, std::size_t count);

// Splits rows of A: [step of k][part][16 rows][16 rows][32 of k]. The rest of the steps and of 16 rows becomes 0.
AmxRange splitRows(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::byte* to);

// Splits k rows of `width` columns, 16 or 32, without gaps, to [step of k][part of `parts`][16 columns][pair of k][column][2].
void splitPanel(const float* from, std::size_t k, std::size_t width, std::size_t parts, std::byte* to);
// The reverse.
void joinPanel(const std::byte* from, std::size_t k, std::size_t width, std::size_t parts, float* to);

}  // namespace webnn::cpu
#endif
