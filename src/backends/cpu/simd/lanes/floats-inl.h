// Loads and stores float32 and float16 elements as vectors of float. Half floats are std::uint16_t here. Their conversion to
// float is exact. A float is rounded to the nearest half float (also if that is a denormal), ties to even.
#if defined(WEBNN_CPU_SIMD_FLOATS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_FLOATS_INL_H
#undef WEBNN_CPU_SIMD_FLOATS_INL_H
#else
#define WEBNN_CPU_SIMD_FLOATS_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> loadFloats(D d, const float* from) {
  return hwy::HWY_NAMESPACE::LoadU(d, from);
}
template <class D>
HWY_INLINE void storeFloats(hwy::HWY_NAMESPACE::Vec<D> v, D d, float* to) {
  hwy::HWY_NAMESPACE::StoreU(v, d, to);
}

template <class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> loadFloats(D d, const std::uint16_t* from) {
  namespace hn = hwy::HWY_NAMESPACE;
#if (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2) || HWY_ARCH_WASM
  // The shifted exponent is too small by 112; the product corrects this, also for denormals.
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(di, hn::PromoteTo(hn::RebindToUnsigned<D>(), hn::LoadU(hn::Rebind<std::uint16_t, D>(), from)));
  const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(di, 0x7FFF)));
  const auto scaled = hn::BitCast(di, hn::Mul(hn::BitCast(d, magnitude), hn::Set(d, 0x1p112f)));
  const auto special = hn::VecFromMask(di, hn::Gt(magnitude, hn::Set(di, (0x7C00 << 13) - 1)));
  const auto exponent = hn::And(special, hn::Set(di, 0x7F800000));
  const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(di, 0x8000)));
  return hn::BitCast(d, hn::Or(hn::Or(scaled, exponent), sign));
#else
  // Loads bits, because Clang finds two overloads of Highway 1.0 that load pairs of half floats on Arm.
  return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), hn::LoadU(hn::Rebind<std::uint16_t, D>(), from)));
#endif
}

template <class D>
HWY_INLINE void storeFloats(hwy::HWY_NAMESPACE::Vec<D> v, [[maybe_unused]] D d, std::uint16_t* to) {
  namespace hn = hwy::HWY_NAMESPACE;
#if (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2) || HWY_ARCH_WASM
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(di, v);
  const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
  const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(di, 0x8000));
  const auto isOdd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(di, 1));
  // Adds half a unit of the last kept bit, minus one if that bit is 0, before truncation.
  const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, hn::Set(di, ((15 - 127) * (1 << 23)) + 0xFFF)), isOdd));
  // Adding 0.5 rounds at the last bit of a denormal half float.
  const auto shifted = hn::BitCast(di, hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5f)));
  const auto denormal = hn::Sub(shifted, hn::Set(di, 0x3F000000));
  const auto isDenormal = hn::Lt(magnitude, hn::Set(di, 113 << 23));
  const auto isLarge = hn::Gt(magnitude, hn::Set(di, (143 << 23) - 1));
  const auto isNan = hn::Gt(magnitude, hn::Set(di, 0x7F800000));
  const auto large = hn::IfThenElse(isNan, hn::Set(di, 0x7E00), hn::Set(di, 0x7C00));
  const auto half = hn::IfThenElse(isLarge, large, hn::IfThenElse(isDenormal, denormal, normal));
  const hn::Rebind<std::uint16_t, D> d16;
  hn::StoreU(hn::DemoteTo(d16, hn::Or(half, sign)), d16, to);
#else
  const hn::Rebind<std::uint16_t, D> d16;
  hn::StoreU(hn::BitCast(d16, hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v)), d16, to);
#endif
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif
