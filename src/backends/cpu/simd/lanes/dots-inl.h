// Adds products of 8-bit values to 32-bit sums. Include this in a kernel file after hwy/highway.h.

#if defined(WEBNN_CPU_SIMD_DOTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_DOTS_INL_H
#undef WEBNN_CPU_SIMD_DOTS_INL_H
#else
#define WEBNN_CPU_SIMD_DOTS_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// 1 if processors of this target may have instructions that sum products of bytes (ByteDots, MixedDots or SignedDots), else 0.
#undef WEBNN_HAS_BYTE_DOTS
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_ARCH_ARM_A64 || defined(__wasm_relaxed_simd__)
#define WEBNN_HAS_BYTE_DOTS 1
#else
#define WEBNN_HAS_BYTE_DOTS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Ints = hn::ScalableTag<std::int32_t>;
using Sums = hn::Vec<Ints>;

// Adds to each 32-bit lane the products of a group of two int16. For all processors.
struct PairDots {
  [[maybe_unused]] static constexpr std::size_t kGroup = 2;
  [[maybe_unused]] static constexpr std::uint8_t kFlip = 0;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
#if HWY_ARCH_X86
    const hn::Repartition<std::int16_t, Ints> ds;
    Sums unused = hn::Zero(Ints());
    return hn::ReorderWidenMulAccumulate(Ints(), hn::BitCast(ds, a), hn::BitCast(ds, b), sums, unused);
#elif HWY_ARCH_ARM_A64
    const int16x8_t x = vreinterpretq_s16_s32(a.raw), y = vreinterpretq_s16_s32(b.raw);
    return hn::Add(sums, Sums(vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y))));
#elif HWY_ARCH_WASM
    return hn::Add(sums, Sums{wasm_i32x4_dot_i16x8(a.raw, b.raw)});
#else
    const auto even = hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a)), hn::ShiftRight<16>(hn::ShiftLeft<16>(b)));
    return hn::Add(sums, hn::Add(even, hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b))));
#endif
  }
};

#if HWY_ARCH_X86
// Adds to each 32-bit lane the products of a group of four bytes, unsigned in `a` and signed in `b`. For processors without VNNI.
// Sums of two products are formed in 16 bits. So the first two bytes of a group of `b`, and the last two, must have a sum from
// -128 to 127: then products with bytes up to 255 do not saturate.
struct BoundedDots {
  [[maybe_unused]] static constexpr std::size_t kGroup = 4;
  [[maybe_unused]] static constexpr std::uint8_t kFlip = 0;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
#if HWY_TARGET == HWY_AVX3
    const Sums pairs{_mm512_maddubs_epi16(a.raw, b.raw)};
#elif HWY_TARGET == HWY_AVX2
    const Sums pairs{_mm256_maddubs_epi16(a.raw, b.raw)};
#else
    const Sums pairs{_mm_maddubs_epi16(a.raw, b.raw)};
#endif
    return PairDots::add(sums, pairs, hn::Set(Ints(), 0x00010001));
  }
};
#endif

#if HWY_TARGET == HWY_AVX3
// Adds to each 32-bit lane the products of a group of four bytes, unsigned in `a` and signed in `b`. Inline assembly, because
// Highway's target does not include VNNI, and compilers do not inline functions for different targets into each other.
struct ByteDots {
  [[maybe_unused]] static constexpr std::size_t kGroup = 4;
  [[maybe_unused]] static constexpr std::uint8_t kFlip = 0;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sums.raw) : "v"(a.raw), "v"(b.raw));
    return sums;
  }
};
#elif HWY_TARGET == HWY_AVX2
// Adds products of unsigned bytes of `a` and signed bytes of `b`, on 256 bits: by AVX-VNNI if kIsVex, else by AVX512-VNNI. The
// two differ in encoding.
template <bool kIsVex>
struct ByteDots {
  [[maybe_unused]] static constexpr std::size_t kGroup = 4;
  [[maybe_unused]] static constexpr std::uint8_t kFlip = 0;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
    if constexpr (kIsVex) {
      __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums.raw) : "x"(a.raw), "x"(b.raw));
    } else {
      __asm__("vpdpbusd %2, %1, %0" : "+x"(sums.raw) : "x"(a.raw), "x"(b.raw));
    }
    return sums;
  }
};
#elif HWY_ARCH_ARM_A64
// Adds products of unsigned bytes of `a` and signed bytes of `b` with Arm's i8mm.
struct MixedDots {
  [[maybe_unused]] static constexpr std::size_t kGroup = 4;
  [[maybe_unused]] static constexpr std::uint8_t kFlip = 0;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
    __asm__(".arch armv8.2-a+i8mm\n\tusdot %0.4s, %1.16b, %2.16b" : "+w"(sums.raw) : "w"(a.raw), "w"(b.raw));
    return sums;
  }
};
// Adds products of unsigned and signed bytes with Arm's dotprod, which multiplies signed bytes: callers pass `a` XOR kFlip, that
// is, minus 128.
struct SignedDots {
  [[maybe_unused]] static constexpr std::size_t kGroup = 4;
  [[maybe_unused]] static constexpr std::uint8_t kFlip = 0x80;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
    __asm__(".arch armv8.2-a+dotprod\n\tsdot %0.4s, %1.16b, %2.16b" : "+w"(sums.raw) : "w"(a.raw), "w"(b.raw));
    return sums;
  }
};
#elif defined(__wasm_relaxed_simd__)
// Adds products of unsigned and signed bytes with WebAssembly's relaxed SIMD. The browser decides whether the instruction treats
// bytes of `a` as unsigned (kFlip is 0) or signed: see relaxed_dots.h.
template <std::uint8_t kSignBit>
struct RelaxedDots {
  [[maybe_unused]] static constexpr std::size_t kGroup = 4;
  [[maybe_unused]] static constexpr std::uint8_t kFlip = kSignBit;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
    return Sums{wasm_i32x4_relaxed_dot_i8x16_i7x16_add(b.raw, a.raw, sums.raw)};
  }
};
using MixedDots = RelaxedDots<0>;
using SignedDots = RelaxedDots<0x80>;
#endif

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_DOTS_INL_H
