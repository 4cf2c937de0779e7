// Loops over arrays of vectors that stay in registers. Include this in a kernel file after hwy/highway.h.

#if defined(WEBNN_CPU_SIMD_UNROLLED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_UNROLLED_INL_H
#undef WEBNN_CPU_SIMD_UNROLLED_INL_H
#else
#define WEBNN_CPU_SIMD_UNROLLED_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <type_traits>
#include <utility>

// Forces lambdas to be inlined; otherwise the compiler does not split arrays of vectors into registers.
#undef WEBNN_INLINE_LAMBDA
#define WEBNN_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {

// Calls f(0), f(1), ..., f(kCount - 1) with constants (std::integral_constant).
template <std::size_t... I, typename F>
HWY_INLINE void unrolled(std::index_sequence<I...>, F&& f) {
  (f(std::integral_constant<std::size_t, I>()), ...);
}
template <std::size_t kCount, typename F>
HWY_INLINE void unrolled(F&& f) {
  unrolled(std::make_index_sequence<kCount>(), f);
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_UNROLLED_INL_H
