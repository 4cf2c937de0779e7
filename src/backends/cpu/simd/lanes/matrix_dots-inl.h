// GEMM of 8-bit values with i8mm's matrix products: two rows by two columns of eight values each. Include this in a kernel file
// after hwy/highway.h.

#if defined(WEBNN_CPU_SIMD_MATRIX_DOTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_MATRIX_DOTS_INL_H
#undef WEBNN_CPU_SIMD_MATRIX_DOTS_INL_H
#else
#define WEBNN_CPU_SIMD_MATRIX_DOTS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/simd/bytes/quantized_gemm.h"

#if HWY_ARCH_ARM_A64
HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {

// A tile has up to 8 rows and 8 columns; a register holds the sums of 2 x 2. Packed operands are [group of 8 values of k][row or
// column][8].
inline constexpr std::size_t kOctet = 8;

inline std::size_t packedPairsOfRows(std::size_t rows) { return rows <= 2 ? 2 : rows <= 4 ? 4 : kOctet; }

HWY_INLINE int32x4_t addMatrix(int32x4_t sums, uint8x16_t rows, int8x16_t columns) {
  __asm__(".arch armv8.2-a+i8mm\n\tusmmla %0.4s, %1.16b, %2.16b" : "+w"(sums) : "w"(rows), "w"(columns));
  return sums;
}

// Computes the sums of a tile of 2 * kPairs rows. `results` is [row][8 columns].
template <std::size_t kPairs>
HWY_INLINE void sumMatrices(const QuantizedTile& t, std::int32_t* results) {
  int32x4_t sums[kPairs][4];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kPairs; ++r) {
#pragma GCC unroll 4
    for (std::size_t c = 0; c < 4; ++c) sums[r][c] = vdupq_n_s32(0);
  }
  const auto* a = reinterpret_cast<const std::uint8_t*>(t.a);
  const auto* b = reinterpret_cast<const std::int8_t*>(t.b);
  for (std::size_t g = 0; g < t.groups; ++g, a += kPairs * 16, b += 64) {
    int8x16_t columns[4];
#pragma GCC unroll 4
    for (std::size_t c = 0; c < 4; ++c) columns[c] = vld1q_s8(b + c * 16);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kPairs; ++r) {
      const uint8x16_t rows = vld1q_u8(a + r * 16);
#pragma GCC unroll 4
      for (std::size_t c = 0; c < 4; ++c) sums[r][c] = addMatrix(sums[r][c], rows, columns[c]);
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kPairs; ++r) {
#pragma GCC unroll 4
    for (std::size_t c = 0; c < 4; ++c) {
      vst1_s32(results + 2 * r * kOctet + 2 * c, vget_low_s32(sums[r][c]));
      vst1_s32(results + (2 * r + 1) * kOctet + 2 * c, vget_high_s32(sums[r][c]));
    }
  }
}

inline void packRowOfOctets(const std::uint8_t* from, std::size_t k, std::uint8_t flip, std::size_t rows, std::size_t row,
                            std::byte* to) {
  const std::uint64_t flips = flip * 0x0101010101010101U;
  to += row * kOctet;
  for (std::size_t i = 0; i < k; i += kOctet, to += rows * kOctet) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, std::min(k - i, kOctet));
    word ^= flips;
    std::memcpy(to, &word, kOctet);
  }
}

// Transposes 8 x 8 bytes, each XOR `flip`.
inline void transposeOctets(const std::uint8_t* from, std::size_t stride, std::uint8_t flip, std::byte* to) {
  const auto pair = [&](std::size_t row) {
    const uint8x8x2_t both = vzip_u8(vld1_u8(from + row * stride), vld1_u8(from + (row + 1) * stride));
    return vreinterpretq_u16_u8(veorq_u8(vcombine_u8(both.val[0], both.val[1]), vdupq_n_u8(flip)));
  };
  const uint16x8x2_t low = vzipq_u16(pair(0), pair(2)), high = vzipq_u16(pair(4), pair(6));
  auto* bytes = reinterpret_cast<std::uint8_t*>(to);
  for (std::size_t half = 0; half < 2; ++half) {
    const uint32x4x2_t columns = vzipq_u32(vreinterpretq_u32_u16(low.val[half]), vreinterpretq_u32_u16(high.val[half]));
    vst1q_u8(bytes + 32 * half, vreinterpretq_u8_u32(columns.val[0]));
    vst1q_u8(bytes + 32 * half + 16, vreinterpretq_u8_u32(columns.val[1]));
  }
}

inline void packPanelOfOctets(const QuantizedPanel& p, std::byte* to) {
  const std::uint8_t flip = p.isSigned ? 0 : 0x80;
  std::size_t first = 0;
  if (p.columns == kOctet && p.columnStride == 1) {
    for (; first + kOctet <= p.k; first += kOctet, to += kOctet * kOctet)
      transposeOctets(p.from + first * p.rowStride, p.rowStride, flip, to);
  }
  for (; first < p.k; first += kOctet, to += kOctet * kOctet) {
    std::memset(to, 0, kOctet * kOctet);
    for (std::size_t column = 0; column < p.columns; ++column) {
      const std::uint8_t* from = p.from + first * p.rowStride + column * p.columnStride;
      for (std::size_t i = 0; i < std::min(p.k - first, kOctet); ++i)
        to[column * kOctet + i] = static_cast<std::byte>(from[i * p.rowStride] ^ flip);
    }
  }
}

inline void columnSumsOfOctets(const std::byte* panel, std::size_t groups, std::int32_t* sums) {
  const auto* bytes = reinterpret_cast<const std::int8_t*>(panel);
  int32x4_t totals[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
  for (std::size_t g = 0; g < groups; ++g, bytes += kOctet * kOctet) {
    const auto pairs = [&](std::size_t column) { return vpaddlq_s16(vpaddlq_s8(vld1q_s8(bytes + column * kOctet))); };
    for (std::size_t half = 0; half < 2; ++half)
      totals[half] = vaddq_s32(totals[half], vpaddq_s32(pairs(4 * half), pairs(4 * half + 2)));
  }
  vst1q_s32(sums, totals[0]);
  vst1q_s32(sums + 4, totals[1]);
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif  // WEBNN_CPU_SIMD_MATRIX_DOTS_INL_H
