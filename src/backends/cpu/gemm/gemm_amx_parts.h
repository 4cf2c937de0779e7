// Splits floats into sums of bfloat16 parts (see gemm_amx.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/amx_tiles.h"

#if defined(__x86_64__)
namespace webnn::cpu {

constexpr std::size_t kAmxKC = 384;    // block length along K
constexpr std::size_t kAmxStep = 32;   // values of k per tile instruction
constexpr std::size_t kAmxSide = 32;   // rows of a tile of A and columns of a panel of B: two tile registers each
constexpr std::size_t kAmxRows = 256;  // rows of A that are split at a time; they stay in L2 while panels of B pass
constexpr std::size_t kAmxParts = 3;
constexpr std::size_t kAmxTile = kTileRows * kTileBytes;  // bytes per tile register

// The range of magnitudes in a matrix, as float bits.
struct AmxRange {
  std::uint32_t largest = 0;
  std::uint32_t smallest = 0xFFFF'FFFFU;  // the smallest nonzero magnitude, minus 1 so that zero wraps to the maximum
  std::uint32_t parts = 2;                // 3 if any number has a nonzero last part

  // Returns whether the largest magnitude is between 2^-24 and 2^17. Tiles round parts and products below 2^-126 to 0, and
  // numbers below 2^-110 to eight significant bits. In sums of up to 384 products of two moderate matrices, this changes less
  // than 2^-91, so that small numbers among them are harmless.
  bool isModerate() const;
  // Returns whether no part of any number is subnormal.
  bool hasNormalParts() const;
  // Returns whether tiles can multiply the range by some other range: no part becomes infinite, and all parts are normal or the
  // range is moderate.
  bool splits() const;
  // Returns whether sums of products with `other` cannot overflow, and underflow affects only the last bits of a product or is
  // harmless.
  bool multiplies(const AmxRange& other) const;
};

// Returns the range of `rows` rows of `count` floats. The rows are `ld` floats apart.
AmxRange rangeOf(const float* from, std::size_t ld, std::size_t rows, std::size_t count);

// In tiles, element i of a step of k stands next to element i + 16, because two vectors of 16 floats are then combined without
// moving lanes. Such two elements are a pair of k.

// Splits up to 32 rows of A into parts in the layout [step of k][part][2 tiles][16 rows][pair of k][2]. Steps and tiles are
// zero-padded. The work is divided into units of one row and one step of k, so that it can alternate with tile instructions,
// which leave the vector units idle.
class RowSplitter {
 public:
  RowSplitter() = default;  // has no units
  RowSplitter(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::byte* to);

  // Splits the next `units` units, or all that are left.
  void split(std::size_t units);
  // Splits all that is left, and returns the range of the rows.
  AmxRange finish();

 private:
  const float* from_ = nullptr;
  std::size_t ld_ = 0, rows_ = 0, count_ = 0;
  std::byte* to_ = nullptr;
  std::size_t row_ = 0, paddedRows_ = 0, k_ = 0;
  alignas(64) std::array<std::uint32_t, 16> largest_{}, smallest_{}, last_{};  // of each lane
};
// Converts the output of a RowSplitter back to floats.
void joinRows(const std::byte* from, std::size_t rows, std::size_t count, float* to, std::size_t ld);

// Splits k contiguous rows of `width` columns (16 or 32) into parts: [step of k][part][tile of 16 columns][pair of k][column][2].
void splitPanel(const float* from, std::size_t k, std::size_t width, std::size_t parts, std::byte* to);
// Converts the output of splitPanel() back to floats.
void joinPanel(const std::byte* from, std::size_t k, std::size_t width, std::size_t parts, float* to);

}  // namespace webnn::cpu
#endif
