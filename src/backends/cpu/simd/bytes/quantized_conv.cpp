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
#include "backends/cpu/simd/lanes/dots-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/lanes/unrolled-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Bytes = hn::Rebind<std::uint8_t, Ints>;
using SignedBytes = hn::Rebind<std::int8_t, Ints>;
using Kind = QuantizedOutput::Kind;

// 1 if storeLine() stores the codes of several vectors of columns at once.
#undef WEBNN_STORES_LINES
#define WEBNN_STORES_LINES (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2)

// The maximum number of vectors in a panel. `group`: the values per 32-bit lane, 2 or 4. The product with rowsOf() is the number
// of accumulators, which must fit in registers together with the weights, one pixel and a temporary.
constexpr std::size_t mostVectors(std::size_t group) { return group == 4 && HWY_TARGET != HWY_AVX2 && !HWY_ARCH_WASM ? 4 : 2; }
constexpr std::size_t rowsOf(std::size_t vectors) {
  if (HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64) return vectors == 4 ? 6 : vectors == 3 ? 8 : 12;
  return HWY_TARGET == HWY_SSE4 || HWY_ARCH_WASM ? 4 : 6;
}

// --- From sums to results, for one vector of columns of one pixel

struct Place {
  std::size_t row = 0, column = 0, count = 0;  // stores min(count, lanes) columns
};

// Loads the addend minus its zero point. Lanes from `count` on are 0, so that quotient() never finds them near a tie.
HWY_INLINE Sums loadAddend(const QuantizedConvTile& t, const QuantizedOutput& o, std::size_t at, std::size_t count) {
  const Ints di;
  const Bytes d;
  const std::size_t lanes = hn::Lanes(di);
#if HWY_TARGET == HWY_AVX3
  const auto codes = count >= lanes ? hn::LoadU(d, t.addend + at) : hn::MaskedLoad(hn::FirstN(d, count), d, t.addend + at);
#else
  const auto codes = count >= lanes ? hn::LoadU(d, t.addend + at) : loadSome(d, t.addend + at, count);
#endif
  const auto numbers = hn::Sub(o.addendIsSigned ? hn::PromoteTo(di, hn::BitCast(SignedBytes(), codes)) : hn::PromoteTo(di, codes),
                               hn::Set(di, o.addendZeroPoint));
  return count >= lanes ? numbers : hn::IfThenElseZero(hn::FirstN(di, count), numbers);
}

template <typename T>
HWY_INLINE void storeCodes(Sums codes, std::size_t count, T* to) {
  const hn::Rebind<T, Ints> d;
  const auto bytes = hn::DemoteTo(d, codes);
  if (count >= hn::Lanes(Ints())) {
    hn::StoreU(bytes, d, to);
  } else {
    storeSome(d, bytes, to, count);
  }
}

// Returns a value that rounds to the same integer as total / totalScale. Multiplies by the reciprocal, and divides only if a
// product is near a tie: see quantize.cpp.
HWY_INLINE hn::Vec<Floats> quotient(hn::Vec<Floats> total, const QuantizedOutput& output) {
  const Floats d;
  const auto near = hn::Mul(total, hn::Set(d, output.totalReciprocal));
  const auto distance = hn::Abs(hn::Sub(near, hn::Round(near)));
  if (hn::AllTrue(d, distance < hn::Set(d, 0.499F))) return near;
  return hn::Div(total, hn::Set(d, output.totalScale));
}

// Adding this constant to a value within +-2^22 rounds the value to an integer, ties to even, in the low bits of the sum, because
// the last bit of the sum stands for 1.
constexpr float kMagic = 0x1.8p23F;
constexpr std::int32_t kMagicBits = 0x4B400000;

HWY_INLINE Sums rounded(hn::Vec<Floats> value, std::int32_t zeroPoint) {
  const Ints di;
  return hn::Add(hn::BitCast(di, hn::Add(value, hn::Set(Floats(), kMagic))), hn::Set(di, zeroPoint - kMagicBits));
}

HWY_INLINE hn::Vec<Floats> clamped(hn::Vec<Floats> value, float low, float high) {
  return hn::Min(hn::Max(value, hn::Set(Floats(), low)), hn::Set(Floats(), high));
}

// Returns sum * scale + rest, clamped to [low, high]. The caller has added the offset and subtracted the product with the row
// sum.
HWY_INLINE hn::Vec<Floats> resultOf(const QuantizedConvTile& t, const QuantizedOutput& o, Sums sum, std::size_t column) {
  const Floats d;
  // Does not use MulAdd, because it rounds once on some instruction sets and twice on others, but results must be equal on all.
  const auto product = hn::Mul(hn::ConvertTo(d, sum), hn::LoadU(d, t.scale + column));
  return clamped(hn::Add(product, hn::LoadU(d, t.rest + column)), o.low, o.high);
}
// Returns the total of the rounded `result` and `addend`, in units of totalScale: clamped, but not yet rounded.
HWY_INLINE hn::Vec<Floats> totalOf(const QuantizedOutput& o, hn::Vec<Floats> result, Sums addend) {
  const Floats d;
  const auto total =
      hn::Add(hn::Mul(hn::Round(result), hn::Set(d, o.scale)), hn::Mul(hn::ConvertTo(d, addend), hn::Set(d, o.addendScale)));
  return clamped(quotient(total, o), o.totalLow, o.totalHigh);
}
HWY_INLINE Sums withOffset(const QuantizedConvTile& t, Sums sum, std::size_t column) {
  return hn::Add(sum, hn::LoadU(Ints(), t.offset + column));
}

HWY_INLINE void store(const QuantizedConvTile& t, const QuantizedOutput& o, Sums sum, Place place) {
  const Ints di;
  const Floats d;
  sum = withOffset(t, sum, place.column);
  if (t.factor) sum = hn::Sub(sum, hn::Mul(hn::LoadU(di, t.factor + place.column), hn::Set(di, t.rowSums[place.row])));
  auto result = resultOf(t, o, sum, place.column);
  const std::size_t at = place.row * t.stride + place.column;
  if (o.kind == Kind::floats) {
    if (place.count >= hn::Lanes(d)) return hn::StoreU(result, d, static_cast<float*>(t.to) + at);
    return storeSome(d, result, static_cast<float*>(t.to) + at, place.count);
  }
  if (o.kind == Kind::totals) result = totalOf(o, result, loadAddend(t, o, at, place.count));
  const Sums codes = rounded(result, o.zeroPoint);
  if (o.isSigned) return storeCodes(codes, place.count, static_cast<std::int8_t*>(t.to) + at);
  storeCodes(codes, place.count, static_cast<std::uint8_t*>(t.to) + at);
}

#if WEBNN_STORES_LINES
// The computation of codes in storeLine(). plain: scale and saturate. codes: also add `rest` and clamp. totals: also add an
// addend. fusedTotals: add an addend with the scales of QuantizedOutput::fusedScale.
enum class Way { plain, codes, totals, fusedTotals };

// Rounds to integers, ties to even. A value out of range becomes the least integer.
HWY_INLINE Sums nearest(hn::Vec<Floats> value) {
#if HWY_TARGET == HWY_AVX3
  return Sums{_mm512_cvtps_epi32(value.raw)};
#else
  return Sums{_mm256_cvtps_epi32(value.raw)};
#endif
}

// Returns a total in units of totalScale that only needs rounding and saturation.
HWY_INLINE hn::Vec<Floats> fusedTotal(const QuantizedOutput& o, hn::Vec<Floats> number, Sums addend) {
  const Floats d;
  return hn::MulAdd(number, hn::Set(d, o.fusedScale), hn::Mul(hn::ConvertTo(d, addend), hn::Set(d, o.fusedAddendScale)));
}

bool fusesTotals(const QuantizedOutput& o) {
  if (o.totalHigh - o.totalLow != 255) return false;
  const Floats d;
  const Ints di;
  const float zero = static_cast<float>(o.zeroPoint);
  for (float number = o.low; number <= o.high; ++number) {
    for (std::int32_t code = 0; code < 256; code += static_cast<std::int32_t>(hn::Lanes(di))) {
      const auto addend = hn::Sub(hn::Iota(di, code - (o.addendIsSigned ? 128 : 0)), hn::Set(di, o.addendZeroPoint));
      const auto numbers = hn::Set(d, number);
      const Sums exact = rounded(totalOf(o, numbers, addend), o.zeroPoint);
      const Sums fused = nearest(fusedTotal(o, numbers, addend));
      const auto to16 = hn::Clamp(fused, hn::Set(di, -32768), hn::Set(di, 32767));
      const auto codes = hn::Clamp(hn::Add(to16, hn::Set(di, o.zeroPoint)), hn::ConvertTo(di, hn::Set(d, o.totalLow + zero)),
                                   hn::ConvertTo(di, hn::Set(d, o.totalHigh + zero)));
      if (!hn::AllTrue(di, hn::Eq(exact, codes))) return false;
    }
  }
  return true;
}

using Shorts = hn::Vec<hn::Repartition<std::int16_t, Ints>>;

// Narrows columns from int16 to unsigned bytes with saturation, and stores the first `count` bytes XOR `shift`. `low` holds two
// vectors of columns, or `low` and `high` hold four, in the order of hn::ReorderDemote2To().
template <bool kInterleaved>
HWY_INLINE void storeNarrowed(Shorts low, [[maybe_unused]] Shorts high, std::int32_t shift, std::size_t count, std::uint8_t* to) {
#if HWY_TARGET == HWY_AVX3
  const Ints di;
  const hn::Repartition<std::uint8_t, Ints> du;
  const auto packed = hn::Vec<decltype(du)>{_mm512_packus_epi16(low.raw, high.raw)};
  auto bytes = hn::BitCast(di, hn::Xor(packed, hn::Set(du, static_cast<std::uint8_t>(shift))));
  if constexpr (!kInterleaved) {
    alignas(64) static constexpr std::int32_t kOrder[] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    bytes = hn::TableLookupLanes(bytes, hn::SetTableIndices(di, kOrder));
  }
  if (count == hn::Lanes(du)) return hn::StoreU(hn::BitCast(du, bytes), du, to);
  hn::BlendedStore(hn::BitCast(du, bytes), hn::FirstN(du, count), du, to);
#else
  static_assert(!kInterleaved);
  const __m256i packed = _mm256_packus_epi16(low.raw, low.raw);  // columns 0-3, 8-11 twice; 4-7, 12-15 twice
  const __m128i ordered = _mm_unpacklo_epi32(_mm256_castsi256_si128(packed), _mm256_extracti128_si256(packed, 1));
  const __m128i bytes = _mm_xor_si128(ordered, _mm_set1_epi8(static_cast<char>(shift)));
  if (count == 16) return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  if (count == 8) return _mm_storel_epi64(reinterpret_cast<__m128i*>(to), bytes);
  alignas(16) std::uint8_t buffer[16];
  _mm_store_si128(reinterpret_cast<__m128i*>(buffer), bytes);
  std::memcpy(to, buffer, count);
#endif
}

// Stores the codes of up to kWidth vectors of columns of one row. If kInterleaved, the sums are in the order of
// interleavedColumn(), and narrowing them to bytes restores the order of the columns.
template <Way kWay, bool kInterleaved, std::size_t kWidth>
HWY_INLINE void storeLine(const QuantizedConvTile& t, const QuantizedOutput& o, const Sums (&sums)[kWidth], std::size_t row,
                          std::size_t column) {
  const Ints di;
  const Floats d;
  const hn::Repartition<std::int16_t, Ints> ds;
  const std::size_t lanes = hn::Lanes(di), place = row * t.stride + column, count = t.columns - column;
  const bool isWhole = count >= kWidth * lanes;
  const std::int32_t shift = o.isSigned ? 128 : 0;  // codes are narrowed to unsigned bytes, so int8 codes are shifted by 128
  const auto numbers = [&](auto index) WEBNN_INLINE_LAMBDA {
    constexpr std::size_t kIndex = index();
    if constexpr (kIndex >= kWidth) return hn::Zero(di);
    const std::size_t first = kIndex * lanes;
    const Sums sum = withOffset(t, sums[kIndex < kWidth ? kIndex : 0], column + first);
    // Way::plain needs no clamp here: narrowing saturates to 16 and then to 8 bits.
    if constexpr (kWay == Way::plain) {
      return nearest(hn::Mul(hn::ConvertTo(d, sum), hn::LoadU(d, t.scale + column + first)));
    }
    const auto addend = [&]() WEBNN_INLINE_LAMBDA {
      return loadAddend(t, o, place + first, isWhole ? lanes : count > first ? count - first : 0);
    };
    if constexpr (kWay == Way::fusedTotals) {
      const auto product = hn::Mul(hn::ConvertTo(d, sum), hn::LoadU(d, t.scale + column + first));
      return nearest(fusedTotal(o, hn::Round(clamped(product, o.low, o.high)), addend()));
    }
    auto result = resultOf(t, o, sum, column + first);
    if constexpr (kWay == Way::totals) result = totalOf(o, result, addend());
    return nearest(result);
  };
  using std::integral_constant;
  const auto zeroPoint = hn::Set(ds, static_cast<std::int16_t>(o.zeroPoint + shift));
  const auto pair = [&](auto first, auto second) WEBNN_INLINE_LAMBDA {
    return hn::SaturatedAdd(hn::ReorderDemote2To(ds, numbers(first), numbers(second)), zeroPoint);
  };
  const auto low = pair(integral_constant<std::size_t, 0>(), integral_constant<std::size_t, 1>());
  auto high = low;
  if constexpr (kWidth > 2) high = pair(integral_constant<std::size_t, 2>(), integral_constant<std::size_t, 3>());
  storeNarrowed<kInterleaved>(low, high, shift, std::min(count, kWidth * lanes), static_cast<std::uint8_t*>(t.to) + place);
}

// Calls storeLine() for all rows. `sums` holds `width` vectors, at most kWidth, for each row.
template <Way kWay, std::size_t kWidth = mostVectors(4)>
void storeLines(const QuantizedConvTile& t, const QuantizedOutput& o, const std::int32_t* sums, std::size_t width) {
  if constexpr (kWidth > 1) {
    if (width < kWidth) return storeLines<kWay, kWidth - 1>(t, o, sums, width);
  }
  const std::size_t lanes = hn::Lanes(Ints());
  for (std::size_t r = 0; r < t.pixels; ++r) {
    Sums line[kWidth];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kWidth; ++v, sums += lanes) line[v] = hn::Load(Ints(), sums);
    storeLine<kWay, false>(t, o, line, r, 0);
  }
}
#endif

// Stores the results of all rows. `sums` holds `width` vectors of columns for each row.
HWY_NOINLINE void storeAll(const QuantizedConvTile& tile, const std::int32_t* sums, std::size_t width) {
  const QuantizedConvTile t = tile;
  const QuantizedOutput o = *t.output;  // a local copy, which stores cannot alias
  const std::size_t lanes = hn::Lanes(Ints());
#if WEBNN_STORES_LINES
  if (o.isPlain && !t.factor) {
    if (o.kind == Kind::totals) return storeLines<Way::fusedTotals>(t, o, sums, width);
    return storeLines<Way::plain>(t, o, sums, width);
  }
  if (o.kind == Kind::totals && !t.factor) return storeLines<Way::totals>(t, o, sums, width);
  if (o.kind == Kind::codes && !t.factor) return storeLines<Way::codes>(t, o, sums, width);
#endif
  for (std::size_t r = 0; r < t.pixels; ++r) {
    for (std::size_t v = 0; v < width; ++v, sums += lanes)
      store(t, o, hn::Load(Ints(), sums), {r, v * lanes, t.columns - v * lanes});
  }
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
    const auto load = [&](const std::byte* from) WEBNN_INLINE_LAMBDA {
      const auto* bytes = reinterpret_cast<const __m128i*>(from);
      if (count >= 16) return _mm_xor_si128(_mm_loadu_si128(bytes), flip);
      if (count == 8) return _mm_xor_si128(_mm_loadl_epi64(bytes), flip);
      alignas(16) std::byte buffer[16] = {};
      std::memcpy(buffer, bytes, count);
      return _mm_xor_si128(_mm_load_si128(reinterpret_cast<const __m128i*>(buffer)), flip);
    };
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
// neighbouring pixels. With 32 or 16 channels, kPixels = 2 or 4 pixels are computed as one pixel of 64 channels.
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
  static const QuantizedConvKernels vex = kernelsWith<ByteDots<true>>(), evex = kernelsWith<ByteDots<false>>();
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
