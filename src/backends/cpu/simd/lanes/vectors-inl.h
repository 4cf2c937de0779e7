// Several vectors that one function computes together, step by step. A polynomial is a chain of dependent multiply-adds, whose
// latency a processor hides by working on several chains. It finds them sooner if their instructions alternate.
// Include this in a kernel file after hwy/highway.h. `vec::` has Highway's functions for one vector (with a Highway tag) and for
// several (with a VectorsTag).

#if defined(WEBNN_CPU_SIMD_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_VECTORS_INL_H
#undef WEBNN_CPU_SIMD_VECTORS_INL_H
#else
#define WEBNN_CPU_SIMD_VECTORS_INL_H
#endif

#include <hwy/highway.h>

#include "backends/cpu/simd/lanes/bounds-inl.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// N vectors or masks.
template <class V, int N>
struct Vectors {
  V at[N];
};
template <class D, int N>
struct VectorsTag {};

namespace vec {

template <int N, typename F>
HWY_INLINE auto each(F f) {
  Vectors<decltype(f(0)), N> result;
#pragma GCC unroll 8
  for (int k = 0; k < N; ++k) result.at[k] = f(k);
  return result;
}

// Define a function of Highway with one, two or three operands for several vectors.
#define WEBNN_VEC_1(name)                                              \
  using hn::name;                                                      \
  template <class V, int N>                                            \
  HWY_INLINE auto name(Vectors<V, N> a) {                              \
    return each<N>([&](int k) HWY_ATTR { return hn::name(a.at[k]); }); \
  }
#define WEBNN_VEC_2(name)                                                       \
  using hn::name;                                                               \
  template <class V, int N>                                                     \
  HWY_INLINE auto name(Vectors<V, N> a, Vectors<V, N> b) {                      \
    return each<N>([&](int k) HWY_ATTR { return hn::name(a.at[k], b.at[k]); }); \
  }
#define WEBNN_VEC_3(name)                                                                \
  using hn::name;                                                                        \
  template <class M, class V, int N>                                                     \
  HWY_INLINE auto name(Vectors<M, N> a, Vectors<V, N> b, Vectors<V, N> c) {              \
    return each<N>([&](int k) HWY_ATTR { return hn::name(a.at[k], b.at[k], c.at[k]); }); \
  }
WEBNN_VEC_1(Abs)
WEBNN_VEC_1(Neg)
WEBNN_VEC_2(Add)
WEBNN_VEC_2(And)
WEBNN_VEC_2(CopySign)
WEBNN_VEC_2(Div)
WEBNN_VEC_2(Gt)
WEBNN_VEC_2(Le)
WEBNN_VEC_2(Lt)
WEBNN_VEC_2(Mul)
WEBNN_VEC_2(Sub)
WEBNN_VEC_3(IfThenElse)
WEBNN_VEC_3(MulAdd)
WEBNN_VEC_3(MulSub)
WEBNN_VEC_3(NegMulAdd)
WEBNN_VEC_3(NegMulSub)
#undef WEBNN_VEC_1
#undef WEBNN_VEC_2
#undef WEBNN_VEC_3

using hn::BitCast;
using hn::IfThenZeroElse;
using hn::Set;
using hn::ShiftLeft;
using hn::Zero;
template <class D, int N, typename T>
HWY_INLINE auto Set(VectorsTag<D, N>, T value) {
  const auto one = hn::Set(D(), value);
  return each<N>([&](int) HWY_ATTR { return one; });
}
template <class D, int N>
HWY_INLINE auto Zero(VectorsTag<D, N>) {
  return each<N>([&](int) HWY_ATTR { return hn::Zero(D()); });
}
template <class M, class V, int N>
HWY_INLINE auto IfThenZeroElse(Vectors<M, N> mask, Vectors<V, N> a) {
  return each<N>([&](int k) HWY_ATTR { return hn::IfThenZeroElse(mask.at[k], a.at[k]); });
}
template <class D, int N, class V>
HWY_INLINE auto BitCast(VectorsTag<D, N>, Vectors<V, N> a) {
  return each<N>([&](int k) HWY_ATTR { return hn::BitCast(D(), a.at[k]); });
}
template <int kBits, class V, int N>
HWY_INLINE auto ShiftLeft(Vectors<V, N> a) {
  return each<N>([&](int k) HWY_ATTR { return hn::ShiftLeft<kBits>(a.at[k]); });
}

// The tags for integers of the same size.
template <class D>
struct IntegersOf {
  using Signed = hn::RebindToSigned<D>;
  using Unsigned = hn::RebindToUnsigned<D>;
};
template <class D, int N>
struct IntegersOf<VectorsTag<D, N>> {
  using Signed = VectorsTag<hn::RebindToSigned<D>, N>;
  using Unsigned = VectorsTag<hn::RebindToUnsigned<D>, N>;
};

}  // namespace vec

template <class V, int N>
HWY_INLINE Vectors<V, N> atMost(Vectors<V, N> limit, Vectors<V, N> x) {
  return vec::each<N>([&](int k) HWY_ATTR { return atMost(limit.at[k], x.at[k]); });
}
template <class V, int N>
HWY_INLINE Vectors<V, N> atLeast(Vectors<V, N> limit, Vectors<V, N> x) {
  return vec::each<N>([&](int k) HWY_ATTR { return atLeast(limit.at[k], x.at[k]); });
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_VECTORS_INL_H
