// Loads and stores parts of vectors at the ends of rows, without touching other memory. Include this in a kernel file after
// hwy/highway.h.

#if defined(WEBNN_CPU_SIMD_PARTIAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_PARTIAL_INL_H
#undef WEBNN_CPU_SIMD_PARTIAL_INL_H
#else
#define WEBNN_CPU_SIMD_PARTIAL_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns the first `count` elements at `from`, then `rest`. 32-bit lanes use masked loads on AVX2 and AVX-512.
template <class D>
HWY_INLINE hn::Vec<D> loadSome(D d, const hn::TFromD<D>* from, std::size_t count, hn::TFromD<D> rest) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    const auto mask = hn::FirstN(d, count);
    return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, from), hn::Set(d, rest));
  }
#endif
  HWY_ALIGN hn::TFromD<D> buffer[hn::MaxLanes(D())];
  hn::Store(hn::Set(d, rest), d, buffer);
  std::memcpy(buffer, from, count * sizeof(hn::TFromD<D>));
  return hn::Load(d, buffer);
}

// Returns the first `count` elements at `from`, then zeros.
template <class D>
HWY_INLINE hn::Vec<D> loadSome(D d, const hn::TFromD<D>* from, std::size_t count) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (sizeof(hn::TFromD<D>) == 4) return hn::MaskedLoad(hn::FirstN(d, count), d, from);
#endif
  return loadSome(d, from, count, hn::TFromD<D>{});
}

// Stores the first `count` lanes; without masks on AVX2, whose masked stores are slow on some processors.
template <class D>
HWY_INLINE void storeSome(D d, hn::Vec<D> value, hn::TFromD<D>* to, std::size_t count) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(hn::TFromD<D>) == 4) return hn::BlendedStore(value, hn::FirstN(d, count), d, to);
#endif
  HWY_ALIGN hn::TFromD<D> buffer[hn::MaxLanes(D())];
  hn::Store(value, d, buffer);
  std::memcpy(to, buffer, count * sizeof(hn::TFromD<D>));
}

// y[i] = convert(x[i]) between arrays of different types.
template <class DX, class DY, typename Convert>
HWY_INLINE void convertAll(DX dx, DY dy, const hn::TFromD<DX>* x, hn::TFromD<DY>* y, std::size_t n, Convert convert) {
  const std::size_t lanes = hn::Lanes(dx);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(convert(hn::LoadU(dx, x + i)), dy, y + i);
  if (i < n) storeSome(dy, convert(loadSome(dx, x + i, n - i)), y + i, n - i);
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_PARTIAL_INL_H
