// Clamps of floats that keep NaN. On x86 and WebAssembly, Min and Max return the second operand if it is NaN; on Arm they do not.
// Include this in a kernel file after hwy/highway.h.

#if defined(WEBNN_CPU_SIMD_BOUNDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_BOUNDS_INL_H
#undef WEBNN_CPU_SIMD_BOUNDS_INL_H
#else
#define WEBNN_CPU_SIMD_BOUNDS_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename V>
HWY_INLINE V atMost(V limit, V x) {
#if HWY_ARCH_X86 || HWY_ARCH_WASM
  return hn::Min(limit, x);
#else
  return hn::IfThenElse(hn::Gt(x, limit), limit, x);
#endif
}
template <typename V>
HWY_INLINE V atLeast(V limit, V x) {
#if HWY_ARCH_X86 || HWY_ARCH_WASM
  return hn::Max(limit, x);
#else
  return hn::IfThenElse(hn::Lt(x, limit), limit, x);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_BOUNDS_INL_H
