#include "backends/cpu/gemm/gemm_amx_parts.h"

#if defined(__x86_64__)
#include <algorithm>
#include <limits>

#include "base/divide_up.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kLanes = 16;
constexpr int kUpper = static_cast<int>(0xFFFF0000);
constexpr std::uint32_t kBias = 127;                      // of a float's exponent
constexpr std::uint32_t kNoExactParts = (kBias - 110) << 23;  // bits of 2^-110: parts cannot hold the last bits of smaller numbers

// The bits of a float's parts, each in the upper half of a lane.
struct Parts {
  __m512i bits[kAmxParts];
};

// Returns bits [8, 16), or [0, 8), of each lane as the sign and mantissa of a subnormal bfloat16 in the upper half of the lane.
template <int kShift>
WEBNN_TILES_INLINE __m512i asSubnormal(__m512i bits) {
  return _mm512_or_si512(_mm512_and_si512(_mm512_slli_epi32(bits, kShift + 8), _mm512_set1_epi32(static_cast<int>(0x8000'0000))),
                         _mm512_and_si512(_mm512_slli_epi32(bits, kShift), _mm512_set1_epi32(0x007F'0000)));
}
// The inverse of asSubnormal().
template <int kShift>
WEBNN_TILES_INLINE __m512i fromSubnormal(__m512i part) {
  return _mm512_or_si512(_mm512_and_si512(_mm512_srli_epi32(part, kShift + 8), _mm512_set1_epi32(0x80 << (16 - kShift))),
                         _mm512_and_si512(_mm512_srli_epi32(part, kShift), _mm512_set1_epi32(0x7F << (16 - kShift))));
}

// A part is the remainder so far, rounded to eight significant bits. The last remainder has at most eight bits and needs no
// rounding. A number below 2^-110 keeps its upper half in part 0. Its other bits are in parts 1 and 2 as subnormals, which tiles
// read as 0.
WEBNN_TILES_INLINE Parts partsOf(__m512 value) {
  const __m512i half = _mm512_set1_epi32(0x8000), upper = _mm512_set1_epi32(kUpper);
  const auto round = [&](__m512 x)
                         WEBNN_TILES { return _mm512_and_si512(_mm512_add_epi32(_mm512_castps_si512(x), half), upper); };
  Parts parts;
  parts.bits[0] = round(value);
  const __m512 rest = _mm512_sub_ps(value, _mm512_castsi512_ps(parts.bits[0]));
  parts.bits[1] = round(rest);
  parts.bits[2] = _mm512_castps_si512(_mm512_sub_ps(rest, _mm512_castsi512_ps(parts.bits[1])));
  const __m512i bits = _mm512_castps_si512(value), magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(0x7FFF'FFFF));
  // Zeros become the largest number, because they have exact parts.
  const __mmask16 isSmall = _mm512_cmplt_epu32_mask(_mm512_sub_epi32(magnitude, _mm512_set1_epi32(1)),
                                                    _mm512_set1_epi32(static_cast<int>(kNoExactParts - 1)));
  if (isSmall != 0) {
    parts.bits[0] = _mm512_mask_and_epi32(parts.bits[0], isSmall, bits, upper);
    parts.bits[1] = _mm512_mask_mov_epi32(parts.bits[1], isSmall, asSubnormal<8>(bits));
    // The lowest bit of the lane, which is in no part, tells Ranger that the number needs three parts.
    parts.bits[2] = _mm512_mask_or_epi32(parts.bits[2], isSmall, asSubnormal<16>(bits), _mm512_set1_epi32(1));
  }
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
    // The last part is 0 or -0 if the first two parts already add up to the number.
    const bool hasLast = _mm512_test_epi32_mask(last, _mm512_set1_epi32(0x7FFFFFFF)) != 0;
    return {_mm512_reduce_max_epu32(largest), _mm512_reduce_min_epu32(smallest), hasLast ? 3U : 2U};
  }
  __m512i largest, smallest, last;
};

WEBNN_TILES_INLINE __mmask16 firstLanes(std::size_t count) {
  return static_cast<__mmask16>(count >= kLanes ? 0xFFFFU : (1U << count) - 1);
}

// Combines the upper halves of the lanes of two vectors into pairs.
WEBNN_TILES_INLINE __m512i pairsOf(__m512i first, __m512i second) {
  return _mm512_mask_blend_epi16(0xAAAA'AAAA, _mm512_srli_epi32(first, 16), second);
}

// The inverse of partsOf().
WEBNN_TILES_INLINE __m512 joined(const Parts& parts) {
  const auto part = [&](std::size_t p) WEBNN_TILES { return _mm512_castsi512_ps(parts.bits[p]); };
  const __m512 sum = _mm512_add_ps(_mm512_add_ps(part(0), part(1)), part(2));
  const __m512i magnitude = _mm512_and_si512(parts.bits[0], _mm512_set1_epi32(0x7FFF'FFFF));
  const __mmask16 isSmall = _mm512_cmplt_epu32_mask(magnitude, _mm512_set1_epi32(static_cast<int>(kNoExactParts)));
  const __m512i lower = _mm512_or_si512(fromSubnormal<8>(parts.bits[1]), fromSubnormal<16>(parts.bits[2]));
  return _mm512_mask_mov_ps(sum, isSmall, _mm512_castsi512_ps(_mm512_or_si512(parts.bits[0], lower)));
}

// Reads the parts of 16 pairs of numbers. The parts are `stride` bytes apart.
WEBNN_TILES_INLINE void joinPairs(const std::byte* from, std::size_t stride, std::size_t parts, __m512& first, __m512& second) {
  Parts one{}, other{};
  for (std::size_t p = 0; p < parts; ++p) {
    const __m512i pairs = _mm512_load_si512(from + p * stride);
    one.bits[p] = _mm512_slli_epi32(pairs, 16);
    other.bits[p] = _mm512_and_si512(pairs, _mm512_set1_epi32(kUpper));
  }
  first = joined(one);
  second = joined(other);
}

constexpr std::uint32_t exponentOf(std::uint32_t bits) { return bits >> 23; }

}  // namespace

bool AmxRange::isModerate() const { return exponentOf(largest) >= kBias - 24 && exponentOf(largest) <= kBias + 16; }

// The last part's exponent is up to 23 lower than the number's.
bool AmxRange::hasNormalParts() const { return smallest == 0xFFFF'FFFFU || exponentOf(smallest + 1) >= 24; }

bool AmxRange::splits() const {
  // A magnitude with the maximum exponent could round to infinity.
  return exponentOf(largest) <= 253 && (hasNormalParts() || isModerate());
}

bool AmxRange::multiplies(const AmxRange& other) const {
  if (largest == 0 || other.largest == 0 || (isModerate() && other.isModerate())) return true;
  constexpr std::uint32_t kDepthBits = 9;
  // A value is below 2^(exponent + 1), and rounding yields at most that bound.
  const bool fits = exponentOf(largest) + exponentOf(other.largest) + 2 + kDepthBits + 1 <= 2 * kBias + 127;
  const bool keeps = exponentOf(smallest + 1) + exponentOf(other.smallest + 1) >= 2 * kBias - 100;
  return hasNormalParts() && other.hasNormalParts() && fits && keeps;
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

RowSplitter::RowSplitter(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::byte* to)
    : from_(from), ld_(ld), rows_(rows), count_(count), to_(to), paddedRows_(roundUp(rows, kTileRows)) {
  smallest_.fill(~0U);
}

WEBNN_TILES void RowSplitter::split(std::size_t units) {
  Ranger range;
  range.largest = _mm512_load_si512(largest_.data());
  range.smallest = _mm512_load_si512(smallest_.data());
  range.last = _mm512_load_si512(last_.data());
  for (; units > 0 && row_ < paddedRows_; --units) {
    std::byte* line = to_ + k_ / kAmxStep * kAmxParts * 2 * kAmxTile + row_ * kTileBytes;  // the two tiles are contiguous
    Parts first{}, second{};
    if (row_ < rows_) {
      const float* at = from_ + row_ * ld_ + k_;
      const std::size_t left = count_ - k_;
      const __m512 a = _mm512_maskz_loadu_ps(firstLanes(left), at);
      const __m512 b = _mm512_maskz_loadu_ps(firstLanes(left > kLanes ? left - kLanes : 0), at + kLanes);
      first = partsOf(a);
      second = partsOf(b);
      range.add(a, first.bits[2]);
      range.add(b, second.bits[2]);
    }
    for (std::size_t p = 0; p < kAmxParts; ++p) {
      _mm512_store_si512(line + p * 2 * kAmxTile, pairsOf(first.bits[p], second.bits[p]));
    }
    k_ += kAmxStep;
    if (k_ >= count_) k_ = 0, ++row_;
  }
  _mm512_store_si512(largest_.data(), range.largest);
  _mm512_store_si512(smallest_.data(), range.smallest);
  _mm512_store_si512(last_.data(), range.last);
}

WEBNN_TILES AmxRange RowSplitter::finish() {
  split(std::numeric_limits<std::size_t>::max());
  Ranger range;
  range.largest = _mm512_load_si512(largest_.data());
  range.smallest = _mm512_load_si512(smallest_.data());
  range.last = _mm512_load_si512(last_.data());
  return range.result();
}

WEBNN_TILES void joinRows(const std::byte* from, std::size_t rows, std::size_t count, float* to, std::size_t ld) {
  for (std::size_t row = 0; row < rows; ++row, to += ld) {
    const std::byte* line = from + row * kTileBytes;
    for (std::size_t k = 0; k < count; k += kAmxStep, line += kAmxParts * 2 * kAmxTile) {
      __m512 first, second;
      joinPairs(line, 2 * kAmxTile, kAmxParts, first, second);
      const std::size_t left = count - k;
      _mm512_mask_storeu_ps(to + k, firstLanes(left), first);
      _mm512_mask_storeu_ps(to + k + kLanes, firstLanes(left > kLanes ? left - kLanes : 0), second);
    }
  }
}

WEBNN_TILES void splitPanel(const float* from, std::size_t k, std::size_t width, std::size_t parts, std::byte* to) {
  const std::size_t partBytes = width / kTileRows * kAmxTile;
  for (std::size_t step = 0; step < k; step += kAmxStep, to += parts * partBytes) {
    for (std::size_t pair = 0; pair < kLanes; ++pair) {
      const std::size_t row = step + pair;
      for (std::size_t column = 0; column < width; column += kLanes) {
        const float* at = from + row * width + column;
        const Parts first = row < k ? partsOf(_mm512_loadu_ps(at)) : Parts{};
        const Parts second = row + kLanes < k ? partsOf(_mm512_loadu_ps(at + kLanes * width)) : Parts{};
        std::byte* line = to + column / kLanes * kAmxTile + pair * kTileBytes;
        for (std::size_t p = 0; p < parts; ++p) _mm512_store_si512(line + p * partBytes, pairsOf(first.bits[p], second.bits[p]));
      }
    }
  }
}

WEBNN_TILES void joinPanel(const std::byte* from, std::size_t k, std::size_t width, std::size_t parts, float* to) {
  const std::size_t partBytes = width / kTileRows * kAmxTile;
  for (std::size_t step = 0; step < k; step += kAmxStep, from += parts * partBytes) {
    for (std::size_t row = step; row < std::min(k, step + kLanes); ++row) {
      for (std::size_t column = 0; column < width; column += kLanes) {
        const std::byte* line = from + column / kLanes * kAmxTile + (row - step) * kTileBytes;
        __m512 first, second;
        joinPairs(line, partBytes, parts, first, second);
        float* at = to + row * width + column;
        _mm512_storeu_ps(at, first);
        if (row + kLanes < k) _mm512_storeu_ps(at + kLanes * width, second);
      }
    }
  }
}

}  // namespace webnn::cpu
#endif
