// Loads and stores float32 lanes from and to float and float16 memory, for kernels written once for both. Kernel files include it
// after highway.h, once per instruction set.
#include <cstdint>

#if defined(WEBNN_CPU_SIMD_HALF_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_HALF_LANES_INL_H
#undef WEBNN_CPU_SIMD_HALF_LANES_INL_H
#else
#define WEBNN_CPU_SIMD_HALF_LANES_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace half_lanes {

namespace hn = hwy::HWY_NAMESPACE;

struct HalfBits {
  std::uint16_t bits;
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
template <class D>
HWY_INLINE hn::Vec<D> fromHalf(D d, const HalfBits* from) {
  const hn::Rebind<hwy::float16_t, D> dh;
  return hn::PromoteTo(d, hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(from)));
}
template <class D>
HWY_INLINE void toHalf(D d, hn::Vec<D> value, HalfBits* to) {
  const hn::Rebind<hwy::float16_t, D> dh;
  hn::StoreU(hn::DemoteTo(dh, value), dh, reinterpret_cast<hwy::float16_t*>(to));
  static_cast<void>(d);
}
#else
// Converts without conversion instructions: multiplying by 2^112 corrects the exponent and normalizes float16 denormals.
template <class D>
HWY_INLINE hn::Vec<D> fromHalf(D d, const HalfBits* from) {
  const hn::Rebind<std::uint16_t, D> dh;
  const hn::Rebind<std::uint32_t, D> du;
  const auto bits = hn::PromoteTo(du, hn::LoadU(dh, &from->bits));
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
  const auto sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
  const auto scaled = hn::BitCast(du, hn::Mul(hn::BitCast(d, hn::ShiftLeft<13>(magnitude)), hn::Set(d, 0x1p112f)));
  const hn::RebindToSigned<decltype(du)> di;
  const auto isSpecial = hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, 0x7BFF));  // infinite or NaN
  const auto exponent = hn::And(hn::BitCast(du, hn::VecFromMask(di, isSpecial)), hn::Set(du, 0x7F800000u));
  return hn::BitCast(d, hn::Or(hn::Or(scaled, exponent), sign));
}
// Rounds ties to even: normal results in integers, denormal results by adding 0.5, which moves their last bit to the last bit of
// the float.
template <class D>
HWY_INLINE void toHalf(D d, hn::Vec<D> value, HalfBits* to) {
  const hn::Rebind<std::uint32_t, D> du;
  const hn::RebindToSigned<decltype(du)> di;
  const hn::Rebind<std::uint16_t, D> dh;
  const auto bits = hn::BitCast(du, value);
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFu));
  const auto sign = hn::ShiftRight<16>(hn::Xor(bits, magnitude));
  const auto compared = hn::BitCast(di, magnitude);
  const auto select = [&](auto mask, auto yes, auto no)
                          HWY_ATTR { return hn::BitCast(du, hn::IfThenElse(mask, hn::BitCast(di, yes), hn::BitCast(di, no))); };
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
  const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, hn::Set(du, 0xC8000FFFu)), odd));
  const auto aligned = hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5f)));
  const auto denormal = hn::Sub(aligned, hn::Set(du, 0x3F000000u));
  const auto isNan = hn::Gt(compared, hn::Set(di, 0x7F800000));
  const auto special = select(isNan, hn::Set(du, 0x7E00u), hn::Set(du, 0x7C00u));
  auto result = select(hn::Gt(hn::Set(di, 0x38800000), compared), denormal, normal);
  result = select(hn::Gt(compared, hn::Set(di, 0x477FFFFF)), special, result);
  hn::StoreU(hn::DemoteTo(dh, hn::BitCast(di, hn::Or(result, sign))), dh, &to->bits);
}
#endif

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const float* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE hn::Vec<D> load(D d, const HalfBits* from) {
  return fromHalf(d, from);
}
template <class D>
HWY_INLINE void store(D d, hn::Vec<D> value, float* to) {
  hn::StoreU(value, d, to);
}
template <class D>
HWY_INLINE void store(D d, hn::Vec<D> value, HalfBits* to) {
  toHalf(d, value, to);
}

}  // namespace half_lanes
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif
