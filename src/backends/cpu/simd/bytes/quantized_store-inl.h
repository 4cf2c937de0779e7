// Turns the sums of 8-bit convolutions into outputs, for kernels in simd/bytes. Include this in a kernel file after
// hwy/highway.h.

#if defined(WEBNN_CPU_SIMD_QUANTIZED_STORE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_QUANTIZED_STORE_INL_H
#undef WEBNN_CPU_SIMD_QUANTIZED_STORE_INL_H
#else
#define WEBNN_CPU_SIMD_QUANTIZED_STORE_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "backends/cpu/simd/bytes/quantized_conv.h"
#include "backends/cpu/simd/lanes/dots-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/lanes/unrolled-inl.h"

// 1 if storeLine() stores the codes of several vectors of columns at once.
#undef WEBNN_STORES_LINES
#define WEBNN_STORES_LINES (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2)

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Bytes = hn::Rebind<std::uint8_t, Ints>;
using SignedBytes = hn::Rebind<std::int8_t, Ints>;
using Kind = QuantizedOutput::Kind;

// The maximum number of vectors in a panel. `group`: the values per 32-bit lane, 2 or 4. The product with rowsOf() is the number
// of accumulators, which must fit in registers together with the weights, one pixel and a temporary.
constexpr std::size_t mostVectors(std::size_t group) { return group == 4 && HWY_TARGET != HWY_AVX2 && !HWY_ARCH_WASM ? 4 : 2; }

struct Place {
  std::size_t row = 0, column = 0, count = 0;  // stores min(count, lanes) columns
};

// Loads the addend minus its zero point. Lanes from `count` on are 0, so that arbitrary bytes there do not make quotient()
// divide.
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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_QUANTIZED_STORE_INL_H
