// Converts vectors between float16 and float32 as IEEE 754 defines it: rounded to nearest, ties to even; denormals, infinities
// and NaN included. Include this in a kernel file after hwy/highway.h.

#if defined(WEBNN_CPU_SIMD_HALF_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_HALF_INL_H
#undef WEBNN_CPU_SIMD_HALF_INL_H
#else
#define WEBNN_CPU_SIMD_HALF_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> halfToFloat(D d, hn::Vec<hn::Rebind<std::uint16_t, D>> bits) {
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_WASM
  // Multiplying by 2^112 corrects the exponent, also of denormals. Infinity and NaN get the greatest exponent instead.
  const hn::RebindToUnsigned<D> du;
  const auto wide = hn::PromoteTo(du, bits);
  const auto magnitude = hn::ShiftLeft<13>(hn::And(wide, hn::Set(du, 0x7FFFU)));
  const auto sign = hn::ShiftLeft<16>(hn::And(wide, hn::Set(du, 0x8000U)));
  const auto scaled = hn::Mul(hn::BitCast(d, magnitude), hn::Set(d, 0x1p112F));
  const auto isSpecial = hn::Ge(hn::BitCast(d, magnitude), hn::BitCast(d, hn::Set(du, 0x0F800000U)));
  const auto special = hn::BitCast(d, hn::Or(magnitude, hn::Set(du, 0x7F800000U)));
  return hn::Or(hn::IfThenElse(isSpecial, special, scaled), hn::BitCast(d, sign));
#else
  return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), bits));
#endif
}

// Rounds to halves and returns their bits.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<std::uint16_t, D>> floatToHalf([[maybe_unused]] D d, hn::Vec<D> value) {
  const hn::Rebind<std::uint16_t, D> du16;
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_WASM
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(du, value);
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFU));
  const auto sign = hn::ShiftRight<16>(hn::Xor(bits, magnitude));
  // Normal results: lowers the exponent by 112, then adds half a unit of the last kept bit, minus one, and one more if that bit
  // is 1.
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1U));
  const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, hn::Set(du, 0xC8000FFFU)), odd));
  // Denormal results: adding 0.5 leaves rounded multiples of 2^-24 in the low bits.
  const auto shifted = hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5F)));
  const auto denormal = hn::Sub(shifted, hn::Set(du, 0x3F000000U));
  const auto lessThan = [&](std::uint32_t limit) HWY_ATTR {  // compares as signed, which is valid for magnitudes
    return hn::RebindMask(du, hn::Lt(hn::BitCast(di, magnitude), hn::Set(di, static_cast<std::int32_t>(limit))));
  };
  auto result = hn::IfThenElse(lessThan(0x38800000U), denormal, normal);         // below 2^-14
  result = hn::IfThenElse(lessThan(0x477FF000U), result, hn::Set(du, 0x7C00U));  // 65520 and above
  const auto nan = hn::Or(hn::ShiftRight<13>(hn::And(magnitude, hn::Set(du, 0x007FFFFFU))), hn::Set(du, 0x7E00U));
  result = hn::IfThenElse(lessThan(0x7F800001U), result, nan);
  return hn::DemoteTo(du16, hn::BitCast(di, hn::Or(result, sign)));
#else
  return hn::BitCast(du16, hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), value));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_HALF_INL_H
