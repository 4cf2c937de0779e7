// clang-format off: foreach_target.h is first
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/bytes/quantize.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <hwy/cache_control.h>

#include <cstring>
#include <limits>
#include <type_traits>

#include "backends/cpu/simd/bytes/quantize.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using HalfFloats = hn::Half<Floats>;
using Doubles = hn::RepartitionToWide<Floats>;

// --- float16, held as its bits

struct HalfBits {
  std::uint16_t bits;
};

// Converts float16 to float32, exactly for all values on all instruction sets. Multiplying by 2^112 corrects the exponent and
// normalizes float16 denormals; infinity and NaN get the greatest exponent.
HWY_INLINE hn::Vec<Floats> loadFloats(const HalfBits* from) {
  const Floats d;
  const hn::RebindToUnsigned<Floats> du;
  const hn::Rebind<std::uint16_t, Floats> dh;
  const auto bits = hn::PromoteTo(du, hn::LoadU(dh, reinterpret_cast<const std::uint16_t*>(from)));
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFU));
  const auto sign = hn::ShiftLeft<16>(hn::Sub(bits, magnitude));
  const auto value = hn::Mul(hn::BitCast(d, hn::ShiftLeft<13>(magnitude)), hn::Set(d, 0x1p112F));
  const auto isSpecial = hn::BitCast(du, hn::VecFromMask(Ints(), hn::BitCast(Ints(), magnitude) > hn::Set(Ints(), 0x7BFF)));
  const auto special = hn::And(isSpecial, hn::Set(du, 0x7F800000U));
  return hn::BitCast(d, hn::Or(hn::Or(hn::BitCast(du, value), special), sign));
}
HWY_INLINE hn::Vec<Floats> loadFloats(const float* from) { return hn::LoadU(Floats(), from); }

// Rounds to float16, ties to even. Normal results are rounded in integers. Denormal results are rounded by adding 0.5: the last
// bit of 0.5 in float32 is 2^-24, the unit of float16 denormals.
HWY_INLINE void storeFloats(hn::Vec<Floats> value, HalfBits* to) {
  const Floats d;
  const Ints di;
  const hn::Rebind<std::uint16_t, Floats> dh;
  const auto bits = hn::BitCast(di, value);
  const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
  const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(di, 0x8000));
  // Normal results: adds half a unit of the last kept bit, minus one, and one more if that bit is 1.
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(di, 1));
  const auto rounded = hn::Add(hn::Add(magnitude, hn::Set(di, 0xFFF)), odd);
  const auto normal = hn::Min(hn::ShiftRight<13>(hn::Sub(rounded, hn::Set(di, 112 << 23))), hn::Set(di, 0x7C00));
  const auto shifted = hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5F));
  const auto small = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, hn::Set(d, 0.5F)));
  auto half = hn::IfThenElse(magnitude < hn::Set(di, 113 << 23), small, normal);
  half = hn::IfThenElse(magnitude > hn::Set(di, 0x7F800000), hn::Set(di, 0x7E00), half);
  const hn::RebindToUnsigned<Ints> du;
  hn::StoreU(hn::DemoteTo(dh, hn::BitCast(di, hn::Or(hn::BitCast(du, half), hn::BitCast(du, sign)))), dh,
             reinterpret_cast<std::uint16_t*>(to));
}
HWY_INLINE void storeFloats(hn::Vec<Floats> value, float* to) { hn::StoreU(value, Floats(), to); }

template <typename Float>
HWY_INLINE hn::Vec<Floats> loadScale(const Float* from) {
  Float copies[hn::MaxLanes(Floats())];
  for (std::size_t i = 0; i < hn::MaxLanes(Floats()); ++i) copies[i] = *from;
  return loadFloats(copies);
}

// --- 8 bits: exact in float32

template <typename T>
HWY_INLINE hn::Vec<Ints> loadBytes(const T* from) {
  return hn::PromoteTo(Ints(), hn::LoadU(hn::Rebind<T, Ints>(), from));
}

// If a quotient is closer than kFarFromTie to the nearest integer, all values within 2^-13 of the quotient round to the same
// integer.
constexpr float kFarFromTie = 0.4998F;

template <typename Float, typename T>
struct Bytes {
  static HWY_INLINE void quantize(hn::Vec<Floats> x, hn::Vec<Floats> scale, hn::Vec<Ints> zeroPoint, T* to) {
    storeQuotient(hn::Div(x, scale), zeroPoint, to);
  }
  // Quantizes by the reciprocal of the scale, which must be neither huge nor tiny. The product's relative error is below 2^-22,
  // and values above 2^9 saturate. The product therefore rounds like the quotient unless it is near a tie. Returns false, without
  // storing, if any value is near a tie or NaN.
  static HWY_INLINE bool quantizeFast(hn::Vec<Floats> x, hn::Vec<Floats> reciprocal, hn::Vec<Ints> zeroPoint, T* to) {
    const Floats d;
    const auto quotient = hn::Mul(x, reciprocal);
    const auto distance = hn::Abs(hn::Sub(quotient, hn::Round(quotient)));
    if (!hn::AllTrue(d, distance < hn::Set(d, kFarFromTie))) return false;
    storeQuotient(quotient, zeroPoint, to);
    return true;
  }
#if HWY_TARGET == HWY_AVX3
  // Does the same as quantizeFast() for four vectors.
  static HWY_INLINE bool quantizeFour(const Float* x, hn::Vec<Floats> reciprocal, std::int16_t zeroPoint, T* to) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    hn::Vec<Ints> integers[4];
    auto isNear = hn::FirstN(d, lanes);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto quotient = hn::Mul(loadFloats(x + i * lanes), reciprocal);
      // Values outside the int32 range become INT_MIN, fail the comparison below and take the slow path.
      integers[i] = hn::Vec<Ints>{_mm512_cvtps_epi32(quotient.raw)};
      const auto distance = hn::Abs(hn::Sub(quotient, hn::ConvertTo(d, integers[i])));
      isNear = hn::And(isNear, hn::Lt(distance, hn::Set(d, kFarFromTie)));
    }
    if (!hn::AllTrue(d, isNear)) return false;
    const __m512i zero = _mm512_set1_epi16(zeroPoint);
    const __m512i low = _mm512_adds_epi16(_mm512_packs_epi32(integers[0].raw, integers[1].raw), zero),
                  high = _mm512_adds_epi16(_mm512_packs_epi32(integers[2].raw, integers[3].raw), zero);
    const __m512i packed = std::is_signed_v<T> ? _mm512_packs_epi16(low, high) : _mm512_packus_epi16(low, high);
    // The pack instructions interleave 128-bit blocks of their operands; this permutation restores the order.
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_storeu_si512(to, _mm512_permutexvar_epi32(order, packed));
    return true;
  }
#endif
  static HWY_INLINE void storeQuotient(hn::Vec<Floats> quotient, hn::Vec<Ints> zeroPoint, T* to) {
    const Floats d;
    const auto isNumber = quotient == quotient;
    // The limit is beyond the range of bytes, and small enough for a 16-bit sum: DemoteTo narrows via 16 bits and, on AVX2, loses
    // the sign of larger values.
    const auto limit = hn::Set(d, 16384.0F);
    const auto bounded = hn::Max(hn::Min(hn::IfThenElseZero(isNumber, quotient), limit), hn::Neg(limit));
    const auto sum = hn::Add(hn::NearestInt(bounded), zeroPoint);
    const auto result = hn::IfThenElseZero(hn::RebindMask(Ints(), isNumber), sum);
    const hn::Rebind<T, Ints> dt;
    hn::StoreU(hn::DemoteTo(dt, result), dt, to);
  }
  static HWY_INLINE void dequantize(hn::Vec<Ints> x, hn::Vec<Floats> scale, hn::Vec<Ints> zeroPoint, Float* to) {
    storeFloats(hn::Mul(hn::ConvertTo(Floats(), hn::Sub(x, zeroPoint)), scale), to);
  }
  static HWY_INLINE hn::Vec<Ints> load(const T* from) { return loadBytes(from); }
  static HWY_INLINE hn::Vec<Ints> set(T value) { return hn::Set(Ints(), static_cast<std::int32_t>(value)); }
};

// --- 32 bits: sums and products are computed in double. Unsigned values are shifted into the signed range, which leaves their
// differences unchanged

template <typename T>
inline constexpr std::int32_t kFlip = std::is_signed_v<T> ? 0 : std::numeric_limits<std::int32_t>::min();

HWY_INLINE hn::Vec<Doubles> lowDoubles(hn::Vec<Floats> v) { return hn::PromoteTo(Doubles(), hn::LowerHalf(HalfFloats(), v)); }
HWY_INLINE hn::Vec<Doubles> highDoubles(hn::Vec<Floats> v) { return hn::PromoteTo(Doubles(), hn::UpperHalf(HalfFloats(), v)); }
using HalfInts = hn::Half<Ints>;
HWY_INLINE hn::Vec<Doubles> lowDoubles(hn::Vec<Ints> v) { return hn::PromoteTo(Doubles(), hn::LowerHalf(HalfInts(), v)); }
HWY_INLINE hn::Vec<Doubles> highDoubles(hn::Vec<Ints> v) { return hn::PromoteTo(Doubles(), hn::UpperHalf(HalfInts(), v)); }

template <typename Float, typename T>
struct Words {
  static HWY_INLINE hn::Vec<HalfInts> quantizeHalf(hn::Vec<Doubles> rounded, hn::Vec<Doubles> zeroPoint) {
    const Doubles d;
    // Unsigned zero points and results are offset by -2^31.
    const auto sum = hn::Add(rounded, zeroPoint);
    const auto bounded = hn::Max(hn::Min(sum, hn::Set(d, 2147483647.0)), hn::Set(d, -2147483648.0));
    return hn::DemoteTo(HalfInts(), bounded);
  }
  static HWY_INLINE void quantize(hn::Vec<Floats> x, hn::Vec<Floats> scale, hn::Vec<Ints> zeroPoint, T* to) {
    const Ints di;
    const auto quotient = hn::Div(x, scale);
    const auto isNumber = quotient == quotient;
    const auto rounded = hn::Round(hn::IfThenElseZero(isNumber, quotient));
    const auto low = quantizeHalf(lowDoubles(rounded), lowDoubles(zeroPoint));
    const auto high = quantizeHalf(highDoubles(rounded), highDoubles(zeroPoint));
    const auto result = hn::Xor(hn::Combine(di, high, low), hn::Set(di, kFlip<T>));
    hn::StoreU(hn::IfThenElseZero(hn::RebindMask(di, isNumber), result), di, reinterpret_cast<std::int32_t*>(to));
  }
  static HWY_INLINE hn::Vec<HalfFloats> dequantizeHalf(hn::Vec<Doubles> difference, hn::Vec<Doubles> scale) {
    auto product = hn::Mul(difference, scale);
    if constexpr (std::is_same_v<Float, HalfBits>) {
      // Rounds to odd, so that the two conversions, to float and then to float16, together round only once.
      const hn::RebindToUnsigned<Doubles> du;
      const auto bits = hn::BitCast(du, product);
      const auto lost = hn::And(bits, hn::Set(du, 0x1FFFFFFFU));
      const auto sticky = hn::IfThenZeroElse(lost == hn::Zero(du), hn::Set(du, 0x20000000U));
      const auto odd = hn::BitCast(Doubles(), hn::Or(hn::Sub(bits, lost), sticky));
      // Keeps infinity and NaN, which come from an infinite or NaN scale.
      product = hn::IfThenElse(hn::Abs(product) < hn::Set(Doubles(), 1e300), odd, product);
    }
    return hn::DemoteTo(HalfFloats(), product);
  }
  static HWY_INLINE void dequantize(hn::Vec<Ints> x, hn::Vec<Floats> scale, hn::Vec<Ints> zeroPoint, Float* to) {
    const auto low = dequantizeHalf(hn::Sub(lowDoubles(x), lowDoubles(zeroPoint)), lowDoubles(scale));
    const auto high = dequantizeHalf(hn::Sub(highDoubles(x), highDoubles(zeroPoint)), highDoubles(scale));
    storeFloats(hn::Combine(Floats(), high, low), to);
  }
  static HWY_INLINE hn::Vec<Ints> load(const T* from) {
    return hn::Xor(hn::LoadU(Ints(), reinterpret_cast<const std::int32_t*>(from)), hn::Set(Ints(), kFlip<T>));
  }
  static HWY_INLINE hn::Vec<Ints> set(T value) {
    return hn::Set(Ints(), static_cast<std::int32_t>(static_cast<std::uint32_t>(value) ^ static_cast<std::uint32_t>(kFlip<T>)));
  }
};

template <typename Float, typename T>
using Numbers = std::conditional_t<sizeof(T) == 1, Bytes<Float, T>, Words<Float, T>>;

// Quantizes `count` elements. With kEach, each element has its own scale and zero point. The tail, shorter than a vector, goes
// through buffers.
template <typename Float, typename T, bool kEach>
void quantizeRun(const void* input, const void* scales, const void* zeroPoints, std::size_t count, void* output) {
  using N = Numbers<Float, T>;
  const auto* x = static_cast<const Float*>(input);
  const auto* scale = static_cast<const Float*>(scales);
  const auto* zero = static_cast<const T*>(zeroPoints);
  auto* to = static_cast<T*>(output);
  const std::size_t lanes = hn::Lanes(Floats());
  Float xTail[hn::MaxLanes(Floats())] = {}, scaleTail[hn::MaxLanes(Floats())] = {};
  T zeroTail[hn::MaxLanes(Floats())] = {}, toTail[hn::MaxLanes(Floats())];
  T oneZero{};
  std::memcpy(&oneZero, zero, sizeof(T));
  auto s = loadScale(scale);
  auto z = N::set(oneZero);
  std::size_t i = 0;
  if constexpr (!kEach && sizeof(T) == 1) {
    const float one = hn::GetLane(s);
    if (one > 1e-30F && one < 1e30F) {
      const auto reciprocal = hn::Set(Floats(), 1 / one);
#if HWY_TARGET == HWY_AVX3
      for (; i + 4 * lanes <= count; i += 4 * lanes) {
        // Prefetches beyond the page end, at which the hardware prefetcher stops. Any address is valid for a hint.
        for (std::size_t j = 0; j < 4; ++j) hwy::Prefetch(reinterpret_cast<const char*>(x + i + j * lanes) + 1536);
        if (N::quantizeFour(x + i, reciprocal, static_cast<std::int16_t>(oneZero), to + i)) continue;
        for (std::size_t j = i; j < i + 4 * lanes; j += lanes) N::quantize(loadFloats(x + j), s, z, to + j);
      }
#endif
      for (; i + lanes <= count; i += lanes) {
        const auto v = loadFloats(x + i);
        if (!N::quantizeFast(v, reciprocal, z, to + i)) N::quantize(v, s, z, to + i);
      }
    }
  }
  for (; i + lanes <= count; i += lanes) {
    if constexpr (kEach) s = loadFloats(scale + i), z = N::load(zero + i);
    N::quantize(loadFloats(x + i), s, z, to + i);
  }
  if (i == count) return;
  std::memcpy(xTail, x + i, (count - i) * sizeof(Float));
  if constexpr (kEach) {
    std::memcpy(scaleTail, scale + i, (count - i) * sizeof(Float));
    std::memcpy(zeroTail, zero + i, (count - i) * sizeof(T));
    s = loadFloats(scaleTail), z = N::load(zeroTail);
  }
  N::quantize(loadFloats(xTail), s, z, toTail);
  std::memcpy(to + i, toTail, (count - i) * sizeof(T));
}

template <typename Float, typename T, bool kEach>
void dequantizeRun(const void* input, const void* scales, const void* zeroPoints, std::size_t count, void* output) {
  using N = Numbers<Float, T>;
  const auto* x = static_cast<const T*>(input);
  const auto* scale = static_cast<const Float*>(scales);
  const auto* zero = static_cast<const T*>(zeroPoints);
  auto* to = static_cast<Float*>(output);
  const std::size_t lanes = hn::Lanes(Floats());
  T xTail[hn::MaxLanes(Floats())] = {}, zeroTail[hn::MaxLanes(Floats())] = {};
  Float scaleTail[hn::MaxLanes(Floats())] = {}, toTail[hn::MaxLanes(Floats())];
  T oneZero{};
  std::memcpy(&oneZero, zero, sizeof(T));
  auto s = loadScale(scale);
  auto z = N::set(oneZero);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    if constexpr (kEach) s = loadFloats(scale + i), z = N::load(zero + i);
    N::dequantize(N::load(x + i), s, z, to + i);
  }
  if (i == count) return;
  std::memcpy(xTail, x + i, (count - i) * sizeof(T));
  if constexpr (kEach) {
    std::memcpy(scaleTail, scale + i, (count - i) * sizeof(Float));
    std::memcpy(zeroTail, zero + i, (count - i) * sizeof(T));
    s = loadFloats(scaleTail), z = N::load(zeroTail);
  }
  N::dequantize(N::load(xTail), s, z, toTail);
  std::memcpy(to + i, toTail, (count - i) * sizeof(Float));
}

void unpackNibbles(const std::uint8_t* packed, std::size_t count, bool isSigned, std::uint8_t* elements) {
  const hn::ScalableTag<std::uint8_t> d;
  const hn::Repartition<std::uint16_t, decltype(d)> dw;
  const std::uint8_t flip = isSigned ? 8 : 0;
  const auto mask = hn::Set(d, std::uint8_t{0xF}), sign = hn::Set(d, flip);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto both = hn::LoadU(d, packed + i);
    const auto low = hn::And(both, mask), high = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(dw, both))), mask);
    hn::StoreInterleaved2(hn::Sub(hn::Xor(low, sign), sign), hn::Sub(hn::Xor(high, sign), sign), d, elements + 2 * i);
  }
  for (; i < count; ++i) {
    elements[2 * i] = static_cast<std::uint8_t>(((packed[i] & 0xF) ^ flip) - flip);
    elements[2 * i + 1] = static_cast<std::uint8_t>((packed[i] >> 4 ^ flip) - flip);
  }
}

void packNibbles(const std::uint8_t* elements, std::size_t count, std::uint8_t* packed) {
  const hn::ScalableTag<std::uint8_t> d;
  const hn::Repartition<std::uint16_t, decltype(d)> dw;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    hn::Vec<decltype(d)> low, high;
    hn::LoadInterleaved2(d, elements + 2 * i, low, high);
    const auto top = hn::BitCast(d, hn::ShiftLeft<4>(hn::BitCast(dw, hn::And(high, hn::Set(d, std::uint8_t{0xF})))));
    hn::StoreU(hn::Or(hn::And(low, hn::Set(d, std::uint8_t{0xF})), top), d, packed + i);
  }
  for (; i < count; ++i) packed[i] = static_cast<std::uint8_t>((elements[2 * i] & 0xF) | elements[2 * i + 1] << 4);
}

#if HWY_ARCH_X86
// Looks up codes in the table's 16 blocks of 16 bytes with PSHUFB, which uses the low four bits of a code, and gives 0 for a
// negative code. Codes up to 127: looks up code, code - 16, code - 32, ... in the first block and in the differences (XOR) of
// neighboring blocks. The lookups before the code becomes negative reach its own block, so the XOR of all results is the table's
// entry. Codes from 128 on: does the same in a second pass. Returns the number of codes that are looked up, a multiple of two
// vectors.
std::size_t lookUpBlocks(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
  constexpr std::size_t kBlocks = 16;
  const hn::ScalableTag<std::uint8_t> d;
  const hn::ScalableTag<std::int8_t> di;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN std::uint8_t differences[kBlocks * 16];
  for (std::size_t i = 0; i < sizeof(differences); ++i) {
    const bool isFirst = i % (sizeof(differences) / 2) < 16;
    differences[i] = static_cast<std::uint8_t>(isFirst ? table[i] : table[i] ^ table[i - 16]);
  }
  const auto next = [&](auto codes)
                        HWY_ATTR { return hn::BitCast(d, hn::SaturatedSub(hn::BitCast(di, codes), hn::Set(di, 16))); };
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    auto a = hn::LoadU(d, from + i), b = hn::LoadU(d, from + i + lanes);
    auto foundA = hn::Zero(d), foundB = hn::Zero(d);
    for (std::size_t half = 0; half < 2; ++half) {
      auto x = a, y = b;
#pragma GCC unroll 8
      for (std::size_t block = 0; block < kBlocks / 2; ++block) {
        const auto difference = hn::LoadDup128(d, differences + (half * kBlocks / 2 + block) * 16);
        foundA = hn::Xor(foundA, hn::TableLookupBytesOr0(difference, x));
        foundB = hn::Xor(foundB, hn::TableLookupBytesOr0(difference, y));
        x = next(x), y = next(y);
      }
      a = hn::Xor(a, hn::Set(d, 0x80)), b = hn::Xor(b, hn::Set(d, 0x80));
    }
    hn::StoreU(foundA, d, to + i);
    hn::StoreU(foundB, d, to + i + lanes);
  }
  return i;
}
#endif

void lookUp(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
  std::size_t i = 0;
#if HWY_ARCH_X86
  if (count >= 256) i = lookUpBlocks(table, from, count, to);  // computing the differences takes about as long as 100 codes
#elif HWY_ARCH_ARM_A64
  // The table fills 16 registers and is looked up in four quarters. vqtbx4q keeps the bytes whose code is outside its quarter.
  uint8x16x4_t quarters[4];
  for (std::size_t q = 0; q < 4; ++q) quarters[q] = vld1q_u8_x4(table + 64 * q);
  for (; i + 16 <= count; i += 16) {
    const uint8x16_t codes = vld1q_u8(from + i), quarter = vdupq_n_u8(64);
    const uint8x16_t second = vsubq_u8(codes, quarter), third = vsubq_u8(second, quarter);
    uint8x16_t found = vqtbl4q_u8(quarters[0], codes);
    found = vqtbx4q_u8(found, quarters[1], second);
    found = vqtbx4q_u8(found, quarters[2], third);
    vst1q_u8(to + i, vqtbx4q_u8(found, quarters[3], vsubq_u8(third, quarter)));
  }
#endif
  for (; i < count; ++i) to[i] = table[from[i]];
}

#if HWY_TARGET == HWY_AVX3
using Codes = hn::ScalableTag<std::uint8_t>;

// Looks each code up by its low seven bits in a table of 128 bytes, `low` then `high`. Inline assembly, because Highway's target
// does not include VBMI.
HWY_INLINE hn::Vec<Codes> lookUpHalf(hn::Vec<Codes> codes, hn::Vec<Codes> low, hn::Vec<Codes> high) {
  __asm__("vpermi2b %2, %1, %0" : "+v"(codes.raw) : "v"(low.raw), "v"(high.raw));
  return codes;
}

void lookUpVbmi(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
  const Codes d;
  const std::size_t lanes = hn::Lanes(d);
  const auto a = hn::LoadU(d, table), b = hn::LoadU(d, table + lanes), c = hn::LoadU(d, table + 2 * lanes),
             e = hn::LoadU(d, table + 3 * lanes);
  const auto of = [&](hn::Vec<Codes> codes) HWY_ATTR {
    return hn::IfThenElse(hn::MaskFromVec(codes), lookUpHalf(codes, c, e), lookUpHalf(codes, a, b));
  };
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(of(hn::LoadU(d, from + i)), d, to + i);
  const auto rest = hn::FirstN(d, count - i);
  if (i < count) hn::BlendedStore(of(hn::MaskedLoad(rest, d, from + i)), rest, d, to + i);
}
#else
constexpr decltype(QuantizeKernels::lookUpVbmi) lookUpVbmi = nullptr;
#endif

#define WEBNN_QUANTIZE_ROW(run, Float)                                       \
  {                                                                          \
    {run<Float, std::int8_t, false>, run<Float, std::int8_t, true>},         \
        {run<Float, std::uint8_t, false>, run<Float, std::uint8_t, true>},   \
        {run<Float, std::int32_t, false>, run<Float, std::int32_t, true>},   \
        {run<Float, std::uint32_t, false>, run<Float, std::uint32_t, true>}, \
  }

const QuantizeKernels& kernels() {
  static constexpr QuantizeKernels table{
      .quantize = {WEBNN_QUANTIZE_ROW(quantizeRun, float), WEBNN_QUANTIZE_ROW(quantizeRun, HalfBits)},
      .dequantize = {WEBNN_QUANTIZE_ROW(dequantizeRun, float), WEBNN_QUANTIZE_ROW(dequantizeRun, HalfBits)},
      .unpackNibbles = unpackNibbles,
      .packNibbles = packNibbles,
      .lookUp = lookUp,
      .lookUpVbmi = lookUpVbmi};
  return table;
}

#undef WEBNN_QUANTIZE_ROW

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const QuantizeKernels& quantizeKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
