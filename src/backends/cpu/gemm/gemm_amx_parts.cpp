#include "backends/cpu/gemm/gemm_amx_parts.h"

#if defined(__x86_64__)
#include <algorithm>

#include "base/divide_up.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kLanes = 16;
constexpr int kUpper = static_cast<int>(0xFFFF0000);

// The bits of a float's parts, each in the upper half of a lane. A part is the remainder so far, rounded to eight significant
// bits. The last remainder has at most eight bits and needs no rounding.
struct Parts {
  __m512i bits[kAmxParts];
};
WEBNN_TILES_INLINE Parts partsOf(__m512 value) {
  const __m512i half = _mm512_set1_epi32(0x8000), upper = _mm512_set1_epi32(kUpper);
  const auto round = [&](__m512 x)
                         WEBNN_TILES { return _mm512_and_si512(_mm512_add_epi32(_mm512_castps_si512(x), half), upper); };
  Parts parts;
  parts.bits[0] = round(value);
  const __m512 rest = _mm512_sub_ps(value, _mm512_castsi512_ps(parts.bits[0]));
  parts.bits[1] = round(rest);
  parts.bits[2] = _mm512_castps_si512(_mm512_sub_ps(rest, _mm512_castsi512_ps(parts.bits[1])));
  return parts;
}

// Accumulates the AmxRange of the numbers passed to add().
struct Ranger {
  WEBNN_TILES_INLINE Ranger() : largest(_mm512_setzero_si512()), smallest(_mm512_set1_epi32(-1)), last(_mm512_setzero_si512()) {}
  WEBNN_TILES_INLINE void add(__m512 value, __m512i lastPart) {
    const __m512i bits = _mm512_and_si512(_mm512_castps_si512(value), _mm512_set1_epi32(0x7FFFFFFF));
    largest = _mm512_max_epu32(largest, bits);
    smallest = _mm512_min_epu32(smallest, _mm512_sub_epi32(bits, _mm512_set1_epi32(1)));
    last = _mm512_or_si512(last, lastPart);
  }
  WEBNN_TILES_INLINE AmxRange result() const {
    // The last part may be -0 if the first two parts already add up to the number.
    const bool hasLast = _mm512_test_epi32_mask(last, _mm512_set1_epi32(0x7FFFFFFF)) != 0;
    return {_mm512_reduce_max_epu32(largest), _mm512_reduce_min_epu32(smallest), hasLast ? 3U : 2U};
  }
  __m512i largest, smallest, last;
};

WEBNN_TILES_INLINE __mmask16 firstLanes(std::size_t count) {
  return static_cast<__mmask16>(count >= kLanes ? 0xFFFFU : (1U << count) - 1);
}

// Returns the upper halves of the lanes of two vectors, concatenated.
WEBNN_TILES_INLINE __m512i upperHalves(__m512i first, __m512i second) {
  alignas(64) static constexpr std::uint16_t kOdd[32] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                                         33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
  return _mm512_permutex2var_epi16(first, _mm512_load_si512(kOdd), second);
}

constexpr std::uint32_t exponentOf(std::uint32_t bits) { return bits >> 23; }

}  // namespace

bool AmxRange::splits() const {
  // A magnitude with the maximum exponent could round to infinity. The last part's exponent is up to 23 lower than the number's
  // and must not be subnormal.
  return exponentOf(largest) <= 253 && (smallest == 0xFFFF'FFFFU || exponentOf(smallest + 1) >= 24);
}

bool AmxRange::multiplies(const AmxRange& other) const {
  if (largest == 0 || other.largest == 0) return true;
  constexpr std::uint32_t kBias = 127, kDepthBits = 8;
  // A value is below 2^(exponent + 1), and rounding yields at most that bound.
  const bool fits = exponentOf(largest) + exponentOf(other.largest) + 2 + kDepthBits + 1 <= 2 * kBias + 127;
  const bool keeps = exponentOf(smallest + 1) + exponentOf(other.smallest + 1) >= 2 * kBias - 100;
  return fits && keeps;
}

WEBNN_TILES AmxRange rangeOf(const float* from, std::size_t ld, std::size_t rows, std::size_t count) {
  Ranger range;
  for (std::size_t row = 0; row < rows; ++row, from += ld) {
    for (std::size_t i = 0; i < count; i += kLanes) {
      const __m512 value = _mm512_maskz_loadu_ps(firstLanes(count - i), from + i);
      range.add(value, partsOf(value).bits[2]);
    }
  }
  return range.result();
}

WEBNN_TILES AmxRange splitRows(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::byte* to) {
  Ranger range;
  const std::size_t padded = roundUp(rows, kTileRows);
  for (std::size_t row = 0; row < padded; ++row) {
    std::byte* line = to + row * kTileBytes;  // the two tiles of 16 rows are contiguous
    for (std::size_t k = 0; k < count; k += kAmxStep, line += kAmxParts * 2 * kAmxTile) {
      Parts first{}, second{};
      if (row < rows) {
        const float* at = from + row * ld + k;
        const std::size_t left = count - k;
        const __m512 a = _mm512_maskz_loadu_ps(firstLanes(left), at);
        const __m512 b = _mm512_maskz_loadu_ps(firstLanes(left > kLanes ? left - kLanes : 0), at + kLanes);
        first = partsOf(a);
        second = partsOf(b);
        range.add(a, first.bits[2]);
        range.add(b, second.bits[2]);
      }
      for (std::size_t p = 0; p < kAmxParts; ++p) {
        _mm512_store_si512(line + p * 2 * kAmxTile, upperHalves(first.bits[p], second.bits[p]));
      }
    }
  }
  return range.result();
}

WEBNN_TILES void splitPanel(const float* from, std::size_t k, std::size_t width, std::size_t parts, std::byte* to) {
  const std::size_t partBytes = width / kTileRows * kAmxTile;
  const std::size_t padded = roundUp(k, kAmxStep);
  for (std::size_t row = 0; row < padded; row += 2) {
    std::byte* pair = to + row / kAmxStep * parts * partBytes + row % kAmxStep / 2 * kTileBytes;
    for (std::size_t column = 0; column < width; column += kLanes, pair += kAmxTile) {
      const float* at = from + row * width + column;
      const Parts even = row < k ? partsOf(_mm512_loadu_ps(at)) : Parts{};
      const Parts odd = row + 1 < k ? partsOf(_mm512_loadu_ps(at + width)) : Parts{};
      for (std::size_t p = 0; p < parts; ++p) {
        const __m512i upper = _mm512_and_si512(odd.bits[p], _mm512_set1_epi32(kUpper));
        _mm512_store_si512(pair + p * partBytes, _mm512_or_si512(upper, _mm512_srli_epi32(even.bits[p], 16)));
      }
    }
  }
}

WEBNN_TILES void joinPanel(const std::byte* from, std::size_t k, std::size_t width, std::size_t parts, float* to) {
  const std::size_t partBytes = width / kTileRows * kAmxTile;
  for (std::size_t row = 0; row < k; ++row) {
    const std::byte* line = from + row / kAmxStep * parts * partBytes + row % kAmxStep / 2 * kTileBytes;
    for (std::size_t column = 0; column < width; column += kLanes, line += kAmxTile) {
      __m512 sum = _mm512_setzero_ps();
      for (std::size_t p = 0; p < parts; ++p) {
        const __m512i pair = _mm512_load_si512(line + p * partBytes);
        const __m512i bits = row % 2 == 0 ? _mm512_slli_epi32(pair, 16) : _mm512_and_si512(pair, _mm512_set1_epi32(kUpper));
        sum = _mm512_add_ps(sum, _mm512_castsi512_ps(bits));
      }
      _mm512_storeu_ps(to + row * width + column, sum);
    }
  }
}

}  // namespace webnn::cpu
#endif
