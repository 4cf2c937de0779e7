// clang-format off: foreach_target.h is first
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/bytes/quantized_conv.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "backends/cpu/simd/bytes/quantized_conv.h"
#include "backends/cpu/simd/bytes/quantized_store-inl.h"
#include "backends/cpu/simd/lanes/dots-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/lanes/unrolled-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t rowsOf(std::size_t vectors) {
  if (HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64) return vectors == 4 ? 6 : vectors == 3 ? 8 : 12;
  return HWY_TARGET == HWY_SSE4 || HWY_ARCH_WASM ? 4 : 6;
}

// --- Tiles

#if WEBNN_STORES_LINES
template <Way kWay, std::size_t kRows, std::size_t kWidth>
HWY_INLINE void storeRows(const QuantizedConvTile& tile, const Sums (&sums)[kRows][kWidth]) {
  const QuantizedConvTile t = tile;
  const QuantizedOutput o = *t.output;  // a local copy, which stores cannot alias
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r) {
    if (r >= t.pixels) break;
    storeLine<kWay, false>(t, o, sums[r], r, 0);
  }
}
#endif

template <std::size_t kRows, std::size_t kWidth>
HWY_INLINE void storeTile(const QuantizedConvTile& t, const Sums (&sums)[kRows][kWidth]) {
  const std::size_t lanes = hn::Lanes(Ints());
  if (!t.output) {
    auto* to = static_cast<std::int32_t*>(t.to);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r, to += t.stride) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kWidth; ++v) hn::StoreU(sums[r][v], Ints(), to + v * lanes);
    }
    return;
  }
#if WEBNN_STORES_LINES
  if (t.output->isPlain && !t.factor) {
    if (t.output->kind == Kind::totals) return storeRows<Way::fusedTotals>(t, sums);
    return storeRows<Way::plain>(t, sums);
  }
  if constexpr (kWidth == 4) {  // convolutions with addends usually have this width
    if (t.output->kind == Kind::totals && !t.factor) return storeRows<Way::totals>(t, sums);
  }
#endif
  HWY_ALIGN std::int32_t results[kRows * kWidth * hn::MaxLanes(Ints())];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kWidth; ++v) hn::Store(sums[r][v], Ints(), results + (r * kWidth + v) * lanes);
  }
  storeAll(t, results, kWidth);
}

// Computes kRows pixels times a panel of kWidth vectors of columns.
template <typename Dots, std::size_t kRows, std::size_t kWidth>
void tileOf(const QuantizedConvTile& t) {
  const Ints di;
  const std::size_t lanes = hn::Lanes(di);
  Sums sums[kRows][kWidth];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kWidth; ++v) sums[r][v] = hn::Zero(di);
  }
  const auto* weights = reinterpret_cast<const std::int32_t*>(t.weights);
  const std::byte* const* rows = t.rows;
  for (std::size_t s = 0; s < t.segments; ++s, rows += t.rowStep) {
    const std::byte* from[kRows];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) from[r] = rows[r];
    for (std::size_t g = 0; g < t.groups; ++g, weights += kWidth * lanes) {
      Sums w[kWidth];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kWidth; ++v) {
        w[v] = hn::Load(di, weights + v * lanes);
        // Prefetches each cache line from L2 earlier than the hardware prefetcher does.
        if (v * sizeof(w[v]) % 64 == 0) hwy::Prefetch(weights + (v + 8 * kWidth) * lanes);
      }
#pragma GCC unroll 16
      for (std::size_t r = 0; r < kRows; ++r) {
        std::uint32_t group = 0;
        std::memcpy(&group, from[r] + g * sizeof(group), sizeof(group));
        const Sums x = hn::Set(di, static_cast<std::int32_t>(group ^ Dots::kFlip * 0x01010101U));
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kWidth; ++v) sums[r][v] = Dots::add(sums[r][v], x, w[v]);
      }
    }
  }
  storeTile(t, sums);
}

// Calls tileOf() for a panel of `vectors` vectors, at most kMost.
template <typename Dots, std::size_t kRows, std::size_t kMost>
void tileOfRows(const QuantizedConvTile& t, std::size_t vectors) {
  if constexpr (kMost > 1) {
    if (vectors < kMost) return tileOfRows<Dots, kRows, kMost - 1>(t, vectors);
  }
  tileOf<Dots, kRows, kMost>(t);
}

template <typename Dots>
void tile(const QuantizedConvTile& t, std::size_t rows, std::size_t vectors) {
  if (t.pixels == 1) return tileOfRows<Dots, 1, mostVectors(Dots::kGroup)>(t, vectors);
  if constexpr (mostVectors(Dots::kGroup) > 2) {
    if (rows == rowsOf(2)) return tileOfRows<Dots, rowsOf(2), 2>(t, vectors);
    if (rows == rowsOf(3)) return tileOfRows<Dots, rowsOf(3), 3>(t, vectors);
  }
  tileOfRows<Dots, rowsOf(mostVectors(Dots::kGroup)), mostVectors(Dots::kGroup)>(t, vectors);
}

std::size_t tileRows(std::size_t vectors) { return rowsOf(vectors); }

// --- Depthwise: a 32-bit lane holds two taps of one channel, widened to int16

void depthwise(const QuantizedConvTile& tile) {
  const Ints di;
  const Bytes d;
  const hn::RebindToUnsigned<Ints> du;
  const QuantizedConvTile t = tile;
  const std::size_t lanes = hn::Lanes(di), pairs = (t.segments + 1) / 2;
  const QuantizedOutput o = *t.output;
  const auto flip = hn::Set(d, t.flip);
  const auto* weights = reinterpret_cast<const std::int32_t*>(t.weights);
  for (std::size_t column = 0; column < t.columns; column += lanes, weights += pairs * lanes) {
    const std::size_t count = t.columns - column;
    const auto load = [&](const std::byte* from) HWY_ATTR {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
      return hn::PromoteTo(du, hn::Xor(count >= lanes ? hn::LoadU(d, bytes) : loadSome(d, bytes, count), flip));
    };
    for (std::size_t r = 0; r < t.pixels; ++r) {
      Sums sum = hn::Zero(di);
      const std::byte* const* rows = t.rows + (t.pixelStep > 0 ? 0 : r);
      const std::size_t at = r * t.pixelStep + column;
      for (std::size_t p = 0; p < pairs; ++p, rows += 2 * t.rowStep) {
        auto pair = load(rows[0] + at);
        if (2 * p + 1 < t.segments) pair = hn::Or(pair, hn::ShiftLeft<16>(load(rows[t.rowStep] + at)));
        sum = PairDots::add(sum, hn::BitCast(di, pair), hn::Load(di, weights + p * lanes));
      }
      store(t, o, sum, {r, column, count});
    }
  }
}

#if HWY_TARGET == HWY_AVX2
// Loads the first `count` bytes, at most 16. The others are undefined.
HWY_INLINE __m128i loadBytes(const std::byte* from, std::size_t count) {
  if (count >= 16) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  if (count == 8) return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  alignas(16) std::byte buffer[16] = {};
  std::memcpy(buffer, from, count);
  return _mm_load_si128(reinterpret_cast<const __m128i*>(buffer));
}

// Computes 16 channels at a time: interleaves the bytes of two taps, and widens the pairs to int16.
template <Way kWay>
void depthwiseOfPairs(const QuantizedConvTile& tile) {
  const Ints di;
  const QuantizedConvTile t = tile;
  const QuantizedOutput o = *t.output;
  const std::size_t lanes = hn::Lanes(di), pairs = (t.segments + 1) / 2;
  const __m128i flip = _mm_set1_epi8(static_cast<char>(t.flip));
  const auto* weights = reinterpret_cast<const std::int32_t*>(t.weights);
  for (std::size_t column = 0; column < t.columns; column += 2 * lanes, weights += 2 * pairs * lanes) {
    const std::size_t count = t.columns - column;
    const auto* second = count > lanes ? weights + pairs * lanes : weights;
    const auto load = [&](const std::byte* from) WEBNN_INLINE_LAMBDA { return _mm_xor_si128(loadBytes(from, count), flip); };
    for (std::size_t r = 0; r < t.pixels; ++r) {
      Sums sums[2] = {hn::Zero(di), hn::Zero(di)};
      const std::byte* const* rows = t.rows + (t.pixelStep > 0 ? 0 : r);
      const std::size_t at = r * t.pixelStep + column;
      for (std::size_t p = 0; p < pairs; ++p, rows += 2 * t.rowStep) {
        const __m128i a = load(rows[0] + at);
        const __m128i b = 2 * p + 1 < t.segments ? load(rows[t.rowStep] + at) : _mm_setzero_si128();
        const Sums low{_mm256_cvtepu8_epi16(_mm_unpacklo_epi8(a, b))}, high{_mm256_cvtepu8_epi16(_mm_unpackhi_epi8(a, b))};
        sums[0] = PairDots::add(sums[0], low, hn::Load(di, weights + p * lanes));
        sums[1] = PairDots::add(sums[1], high, hn::Load(di, second + p * lanes));
      }
      storeLine<kWay, false>(t, o, sums, r, column);
    }
  }
}

void depthwiseOfPairs(const QuantizedConvTile& t) {
  const bool isPlain = t.output->isPlain;
  switch (t.output->kind) {
    case Kind::floats: return depthwise(t);
    case Kind::codes: return isPlain ? depthwiseOfPairs<Way::plain>(t) : depthwiseOfPairs<Way::codes>(t);
    case Kind::totals: return isPlain ? depthwiseOfPairs<Way::fusedTotals>(t) : depthwiseOfPairs<Way::totals>(t);
  }
}

// Computes a run of pixels for 16 channels, a column of taps at a time. An input pixel is interleaved and widened once, for all
// outputs that read it: sums[age] belongs to the output that began `age` steps ago. If kPlain, there are at least 16 channels
// left, and bytes are unsigned.
template <Way kWay, std::size_t kTaps, std::size_t kStep, bool kPlain>
HWY_INLINE void runOfBlock(const QuantizedConvTile& t, const QuantizedOutput& o, const std::int32_t* weights,
                           std::size_t column) {
  constexpr std::size_t kPairs = (kTaps + 1) / 2, kAges = (kTaps - 1) / kStep + 1;
  const Ints di;
  const std::size_t lanes = hn::Lanes(di), count = t.columns - column, pixel = t.pixelStep / kStep;
  const auto* second = count > lanes ? weights + kTaps * kPairs * lanes : weights;
  const __m128i flip = _mm_set1_epi8(static_cast<char>(t.flip));
  const auto load = [&](const std::byte* from) WEBNN_INLINE_LAMBDA {
    if constexpr (kPlain) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm_xor_si128(loadBytes(from, count), flip);
  };
  const std::byte* rows[2 * kPairs];
  for (std::size_t i = 0; i < 2 * kPairs; ++i) rows[i] = t.rows[i * t.rowStep] + column;
  Sums sums[kAges][2];
#pragma GCC unroll 8
  for (std::size_t age = 0; age < kAges; ++age) sums[age][0] = sums[age][1] = hn::Zero(di);
  const std::size_t inputs = (t.pixels - 1) * kStep + kTaps;
  for (std::size_t x = 0; x + 1 < t.pixels + kAges; ++x) {
#pragma GCC unroll 8
    for (std::size_t age = kAges - 1; age > 0; --age) sums[age][0] = sums[age - 1][0], sums[age][1] = sums[age - 1][1];
    sums[0][0] = sums[0][1] = hn::Zero(di);
#pragma GCC unroll 2
    for (std::size_t phase = 0; phase < kStep; ++phase) {
      const std::size_t input = x * kStep + phase;
      if (input >= inputs) break;
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kPairs; ++i) {
        const __m128i a = load(rows[2 * i] + input * pixel);
        const __m128i b = 2 * i + 1 < kTaps ? load(rows[2 * i + 1] + input * pixel) : _mm_setzero_si128();
        const Sums low{_mm256_cvtepu8_epi16(_mm_unpacklo_epi8(a, b))}, high{_mm256_cvtepu8_epi16(_mm_unpackhi_epi8(a, b))};
#pragma GCC unroll 8
        for (std::size_t age = 0; age < kAges; ++age) {
          const std::size_t tap = phase + age * kStep;
          if (tap >= kTaps) continue;
          sums[age][0] = PairDots::add(sums[age][0], low, hn::Load(di, weights + (tap * kPairs + i) * lanes));
          sums[age][1] = PairDots::add(sums[age][1], high, hn::Load(di, second + (tap * kPairs + i) * lanes));
        }
      }
    }
    if (x + 1 >= kAges) storeLine<kWay, false>(t, o, sums[kAges - 1], x + 1 - kAges, column);
  }
}

template <Way kWay, std::size_t kTaps, std::size_t kStep>
void runOf(const QuantizedConvTile& tile) {
  const QuantizedConvTile t = tile;
  const QuantizedOutput o = *t.output;
  const auto* weights = reinterpret_cast<const std::int32_t*>(t.weights);
  for (std::size_t column = 0; column < t.columns; column += 16, weights += kTaps * (kTaps + 1) / 2 * 16) {
    if (t.columns - column >= 16 && t.flip == 0) {
      runOfBlock<kWay, kTaps, kStep, true>(t, o, weights, column);
    } else {
      runOfBlock<kWay, kTaps, kStep, false>(t, o, weights, column);
    }
  }
}

template <Way kWay>
void runOf(const QuantizedConvTile& t) {
  constexpr std::size_t kThree = 3 * 4;  // segments of 3 x 3 taps
  if (t.segments == kThree) return t.step == 1 ? runOf<kWay, 3, 1>(t) : runOf<kWay, 3, 2>(t);
  t.step == 1 ? runOf<kWay, 5, 1>(t) : runOf<kWay, 5, 2>(t);
}

void depthwiseOfRuns(const QuantizedConvTile& t) {
  if (t.output->kind != Kind::codes) return depthwiseOfPairs(t);
  t.output->isPlain ? runOf<Way::plain>(t) : runOf<Way::codes>(t);
}
#elif HWY_TARGET == HWY_AVX3
using ManyBytes = hn::Repartition<std::uint8_t, Ints>;

// Interleaves the bytes of four taps, so that a 32-bit lane holds four taps of one channel. Vector v gets channels 4 v to 4 v + 3
// of each 16; packing the results restores the order. Source: FBGEMM, src/GenerateI8Depthwise.cc.
HWY_INLINE void interleave(hn::Vec<ManyBytes> a, hn::Vec<ManyBytes> b, hn::Vec<ManyBytes> c, hn::Vec<ManyBytes> e,
                           Sums (&to)[4]) {
  const Ints di;
  const ManyBytes d;
  const hn::Repartition<std::uint16_t, Ints> ds;
  const auto lowFirst = hn::BitCast(ds, hn::InterleaveLower(d, a, b)), lowLast = hn::BitCast(ds, hn::InterleaveLower(d, c, e));
  const auto highFirst = hn::BitCast(ds, hn::InterleaveUpper(d, a, b)), highLast = hn::BitCast(ds, hn::InterleaveUpper(d, c, e));
  to[0] = hn::BitCast(di, hn::InterleaveLower(ds, lowFirst, lowLast));
  to[1] = hn::BitCast(di, hn::InterleaveUpper(ds, lowFirst, lowLast));
  to[2] = hn::BitCast(di, hn::InterleaveLower(ds, highFirst, highLast));
  to[3] = hn::BitCast(di, hn::InterleaveUpper(ds, highFirst, highLast));
}

// Depthwise kernel for any number of taps: multiplies the bytes of four taps at a time, for 64 channels.
template <Way kWay>
void depthwiseOfQuads(const QuantizedConvTile& tile) {
  const Ints di;
  const ManyBytes d;
  const QuantizedConvTile t = tile;
  const std::size_t lanes = hn::Lanes(di), block = hn::Lanes(d), quads = (t.segments + 3) / 4;
  const QuantizedOutput o = *t.output;
  const auto flip = hn::Set(d, t.flip);
  const auto* weights = reinterpret_cast<const std::int32_t*>(t.weights);
  for (std::size_t column = 0; column < t.columns; column += block, weights += quads * block) {
    const auto mask = hn::FirstN(d, std::min(t.columns - column, block));  // FirstN accepts at most 255
    for (std::size_t r = 0; r < t.pixels; ++r) {
      Sums sums[4] = {hn::Zero(di), hn::Zero(di), hn::Zero(di), hn::Zero(di)}, bytes[4];
      const auto load = [&](std::size_t tap) WEBNN_INLINE_LAMBDA {
        const std::byte* const* rows = t.rows + (tap < t.segments ? tap : 0) * t.rowStep;
        return hn::Xor(hn::MaskedLoad(mask, d, reinterpret_cast<const std::uint8_t*>(rows[r]) + column), flip);
      };
      for (std::size_t q = 0; q < quads; ++q) {
        interleave(load(4 * q), load(4 * q + 1), load(4 * q + 2), load(4 * q + 3), bytes);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < 4; ++v)
          sums[v] = ByteDots::add(sums[v], bytes[v], hn::Load(di, weights + (4 * q + v) * lanes));
      }
      storeLine<kWay, true>(t, o, sums, r, column);
    }
  }
}

// Depthwise kernel for whole lines. kQuads is 3 for nine taps, and 0 if the number of quads is known only at run time.
template <Way kWay, std::size_t kQuads>
void depthwiseOfLines(const QuantizedConvTile& tile) {
  const Ints di;
  const ManyBytes d;
  QuantizedConvTile t = tile;
  const std::size_t lanes = hn::Lanes(di), block = hn::Lanes(d), quads = kQuads > 0 ? kQuads : (t.segments + 3) / 4;
  const QuantizedOutput o = *t.output;
  const auto* weights = reinterpret_cast<const std::int32_t*>(tile.weights);
  std::size_t column = 0;
  for (std::size_t at = 0; at < tile.pixels; at += block) {
    Sums sums[4] = {hn::Zero(di), hn::Zero(di), hn::Zero(di), hn::Zero(di)}, bytes[4];
    const std::int32_t* w = weights + column * quads;
    const auto load = [&](std::size_t tap)
                          WEBNN_INLINE_LAMBDA { return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(t.rows[tap]) + at); };
    const auto add = [&](std::size_t q) WEBNN_INLINE_LAMBDA {
      // For nine taps, each quad has three taps and a zero.
      interleave(load(4 * q), load(4 * q + 1), load(4 * q + 2), kQuads == 3 ? hn::Zero(d) : load(4 * q + 3), bytes);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < 4; ++v) sums[v] = ByteDots::add(sums[v], bytes[v], hn::Load(di, w + (4 * q + v) * lanes));
    };
    if constexpr (kQuads > 0) {
#pragma GCC unroll 8
      for (std::size_t q = 0; q < kQuads; ++q) add(q);
    } else {
      for (std::size_t q = 0; q < quads; ++q) add(q);
    }
    // storeLine() reads the scales at `column`, and stores at `to` + `column`, which must be position `at` of the line.
    t.to = static_cast<std::uint8_t*>(tile.to) + at - column;
    t.columns = tile.pixels - at + column;
    storeLine<kWay, true>(t, o, sums, 0, column);
    column = column + block < tile.columns ? column + block : 0;
  }
}
template <Way kWay>
void depthwiseOfLines(const QuantizedConvTile& t) {
  t.segments == 9 ? depthwiseOfLines<kWay, 3>(t) : depthwiseOfLines<kWay, 0>(t);
}
void depthwiseOfLines(const QuantizedConvTile& t) {
  t.output->isPlain ? depthwiseOfLines<Way::plain>(t) : depthwiseOfLines<Way::codes>(t);
}

// Depthwise kernel for nine taps (3 x 3). A filter column of three taps is interleaved once and shared by up to three
// neighboring pixels. With 32 or 16 channels, kPixels = 2 or 4 pixels are computed as one pixel of 64 channels.
template <bool kFlips, Way kWay, std::size_t kPixels>
void depthwiseOfNine(const QuantizedConvTile& tile) {
  const Ints di;
  const ManyBytes d;
  QuantizedConvTile t = tile;
  const std::size_t lanes = hn::Lanes(di), block = hn::Lanes(d);
  const QuantizedOutput o = *t.output;
  const auto flip = hn::Set(d, t.flip);
  const auto* weights = reinterpret_cast<const std::int32_t*>(t.weights);
  const std::size_t pixels = (t.pixels + kPixels - 1) / kPixels;
  if (kPixels > 1) t.stride = block, t.columns = block;
  for (std::size_t column = 0; column < t.columns; column += block, weights += 3 * block) {
    const auto mask = hn::FirstN(d, std::min(t.columns - column, block));  // FirstN accepts at most 255
    Sums kept[12], bytes[3][4] = {};
#pragma GCC unroll 12
    for (std::size_t i = 0; i < 12; ++i) kept[i] = hn::Load(di, weights + i * lanes);
    for (std::size_t r = 0; r < pixels; ++r) {
      const auto load = [&](std::size_t tap) WEBNN_INLINE_LAMBDA {
        const std::byte* const* rows = t.rows + tap * t.rowStep + r * kPixels;
        const auto at = [&](std::size_t i) { return reinterpret_cast<const std::uint8_t*>(rows[i]); };
        auto loaded = hn::Zero(d);
        if constexpr (kPixels == 4) {
          __m512i quarters = _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at(0))));
          quarters = _mm512_inserti32x4(quarters, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at(1))), 1);
          quarters = _mm512_inserti32x4(quarters, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at(2))), 2);
          loaded.raw = _mm512_inserti32x4(quarters, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at(3))), 3);
        } else if constexpr (kPixels == 2) {
          const hn::Half<ManyBytes> dHalf;
          loaded = hn::Combine(d, hn::LoadU(dHalf, at(1)), hn::LoadU(dHalf, at(0)));
        } else {
          loaded = hn::MaskedLoad(mask, d, at(0) + column);
        }
        return kFlips ? hn::Xor(loaded, flip) : loaded;
      };
      const auto loadColumn = [&](std::size_t i)
                                  WEBNN_INLINE_LAMBDA { interleave(load(i), load(3 + i), load(6 + i), hn::Zero(d), bytes[i]); };
      const auto move = [&](std::size_t from, std::size_t to) WEBNN_INLINE_LAMBDA {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < 4; ++v) bytes[to][v] = bytes[from][v];
      };
      const std::size_t shared = kPixels == 1 && t.shared ? t.shared[r] : 0;
      if (shared == 2) {
        move(1, 0), move(2, 1);
      } else {
        if (shared == 1) {
          move(2, 0);
        } else {
          loadColumn(0);
        }
        loadColumn(1);
      }
      loadColumn(2);
      Sums sums[4];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < 4; ++v) {
        sums[v] = ByteDots::add(ByteDots::add(ByteDots::add(hn::Zero(di), bytes[0][v], kept[v]), bytes[1][v], kept[4 + v]),
                                bytes[2][v], kept[8 + v]);
      }
      if (kPixels > 1 && kPixels * (r + 1) > tile.pixels) t.columns = (tile.pixels - kPixels * r) * tile.columns;
      storeLine<kWay, true>(t, o, sums, r, column);
    }
  }
}

template <bool kFlips, Way kWay>
void depthwiseOfNine(const QuantizedConvTile& t) {
  const bool isDense = t.stride == t.columns;
  if (isDense && t.columns == 16) return depthwiseOfNine<kFlips, kWay, 4>(t);
  if (isDense && t.columns == 32) return depthwiseOfNine<kFlips, kWay, 2>(t);
  depthwiseOfNine<kFlips, kWay, 1>(t);
}

void depthwiseOfBytes(const QuantizedConvTile& t) {
  if (t.segments != 9) return t.output->isPlain ? depthwiseOfQuads<Way::plain>(t) : depthwiseOfQuads<Way::codes>(t);
  if (!t.output->isPlain) return depthwiseOfNine<true, Way::codes>(t);
  t.flip ? depthwiseOfNine<true, Way::plain>(t) : depthwiseOfNine<false, Way::plain>(t);
}
#endif

void widenPixels(const std::uint8_t* from, std::size_t pixels, std::uint8_t flip, std::uint8_t* to) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto flips = hn::Set(d, flip);
  const std::size_t lanes = hn::Lanes(d);
  for (; pixels >= lanes; pixels -= lanes, from += 3 * lanes, to += 4 * lanes) {
    hn::Vec<decltype(d)> a, b, c;
    hn::LoadInterleaved3(d, from, a, b, c);
    hn::StoreInterleaved4(hn::Xor(a, flips), hn::Xor(b, flips), hn::Xor(c, flips), hn::Zero(d), d, to);
  }
  for (; pixels > 0; --pixels, from += 3, to += 4) {
    for (std::size_t i = 0; i < 3; ++i) to[i] = from[i] ^ flip;
    to[3] = 0;
  }
}

void repeatBytes(const std::uint8_t* from, std::size_t count, std::size_t repeats, std::uint8_t flip, std::uint8_t* to) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto flips = hn::Set(d, flip);
  for (; count >= lanes; count -= lanes, from += lanes, to += repeats * lanes) {
    const auto v = hn::Xor(hn::LoadU(d, from), flips);
    if (repeats == 2) hn::StoreInterleaved2(v, v, d, to);
    if (repeats == 3) hn::StoreInterleaved3(v, v, v, d, to);
    if (repeats == 4) hn::StoreInterleaved4(v, v, v, v, d, to);
  }
  for (; count > 0; --count, ++from) {
    for (std::size_t i = 0; i < repeats; ++i) *to++ = *from ^ flip;
  }
}

void widen(const std::uint8_t* from, std::size_t count, bool isSigned, std::int32_t zeroPoint, std::int16_t* to) {
  const hn::ScalableTag<std::int16_t> ds;
  const hn::Rebind<std::uint8_t, decltype(ds)> d;
  const hn::RebindToSigned<decltype(d)> dSigned;
  const auto zero = hn::Set(ds, static_cast<std::int16_t>(zeroPoint));
  std::size_t i = 0;
  for (; i + hn::Lanes(ds) <= count; i += hn::Lanes(ds)) {
    const auto bytes = hn::LoadU(d, from + i);
    hn::StoreU(hn::Sub(isSigned ? hn::PromoteTo(ds, hn::BitCast(dSigned, bytes)) : hn::PromoteTo(ds, bytes), zero), ds, to + i);
  }
  for (; i < count; ++i) {
    const std::int32_t value = isSigned ? static_cast<std::int8_t>(from[i]) : from[i];
    to[i] = static_cast<std::int16_t>(value - zeroPoint);
  }
}

template <typename Dots>
QuantizedConvKernels kernelsWith() {
  QuantizedConvKernels kernels{.lanes = hn::Lanes(Ints()),
                               .mostVectors = mostVectors(Dots::kGroup),
                               .group = Dots::kGroup,
                               .subtracted = Dots::kFlip,
                               .rows = tileRows,
                               .tile = tile<Dots>,
                               .store = storeAll,
                               .depthwise = depthwise,
                               .depthwiseOfBytes = nullptr,
                               .depthwiseOfLines = nullptr,
                               .fusesTotals = nullptr,
                               .widenPixels = widenPixels,
                               .repeatBytes = repeatBytes,
                               .widen = widen};
#if WEBNN_STORES_LINES
  kernels.fusesTotals = fusesTotals;
#endif
#if HWY_TARGET == HWY_AVX2
  kernels.depthwise = depthwiseOfPairs;
  kernels.depthwiseOfRuns = depthwiseOfRuns;
#endif
  return kernels;
}

const QuantizedConvKernels& kernels() {
  static const QuantizedConvKernels table = kernelsWith<PairDots>();
  return table;
}

#if HWY_TARGET == HWY_AVX3
const QuantizedConvKernels& dotKernels(Isa) {
  static const QuantizedConvKernels table = [] {
    QuantizedConvKernels kernels = kernelsWith<ByteDots>();
    kernels.depthwiseOfBytes = depthwiseOfBytes;
    kernels.depthwiseOfLines = depthwiseOfLines;
    return kernels;
  }();
  return table;
}
#elif HWY_TARGET == HWY_AVX2
const QuantizedConvKernels& dotKernels(Isa isa) {
  static const QuantizedConvKernels vex = kernelsWith<ByteDots<true> >(), evex = kernelsWith<ByteDots<false> >();
  return mayUse(isa, CpuFeature::avxVnni) ? vex : evex;
}
#elif HWY_ARCH_ARM_A64
const QuantizedConvKernels& dotKernels(Isa isa) {
  static const QuantizedConvKernels mixed = kernelsWith<MixedDots>(), ofSigned = kernelsWith<SignedDots>();
  return isa == Isa::i8mm ? mixed : ofSigned;
}
#elif WEBNN_HAS_BYTE_DOTS
const QuantizedConvKernels& dotKernels(Isa isa) {
  static const QuantizedConvKernels mixed = kernelsWith<MixedDots>(), ofSigned = kernelsWith<SignedDots>();
  return mayUse(isa, CpuFeature::mixedDots) ? mixed : ofSigned;
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const QuantizedConvKernels& quantizedConvKernels(Isa isa, bool dots) {
#if HWY_ARCH_X86_64
  if (dots) return isa == Isa::avx2 ? N_AVX2::dotKernels(isa) : N_AVX3::dotKernels(isa);
#elif HWY_ARCH_ARM_A64 || WEBNN_HAS_BYTE_DOTS
  if (dots) return HWY_STATIC_DISPATCH(dotKernels)(isa);
#else
  static_cast<void>(dots);
#endif
  WEBNN_SELECT(isa, kernels);
}
}  // namespace webnn::cpu
#endif
