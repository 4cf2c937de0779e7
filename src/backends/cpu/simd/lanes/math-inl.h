// Functions of float32 vectors, within about 2 units in the last place, and equal to std:: for special values: NaN, infinities,
// zeros, denormals, overflow. But exp, sigmoid, softplus and gelu of large negative numbers return 0 instead of denormal
// numbers, with which many processors compute a hundred times as slowly. Include this in a kernel file, after hwy/highway.h:
//   const hn::ScalableTag<float> d;  auto y = tanh(d, x);
//
// Polynomials are minimax fits of the named functions (Remez, relative error), 2^-26 or better.

#if defined(WEBNN_CPU_SIMD_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_MATH_INL_H
#undef WEBNN_CPU_SIMD_MATH_INL_H
#else
#define WEBNN_CPU_SIMD_MATH_INL_H
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "backends/cpu/simd/lanes/bounds-inl.h"
#include "backends/cpu/simd/lanes/vectors-inl.h"
#include "backends/cpu/simd/normal_tail.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns c0 + c1 x + c2 x^2 + ...
template <class D, class V, typename T>
HWY_INLINE V polynomial(D d, V /*x*/, T c) {
  return vec::Set(d, c);
}
template <class D, class V, typename T, typename... Rest>
HWY_INLINE V polynomial(D d, V x, T c, Rest... rest) {
  return vec::MulAdd(polynomial(d, x, rest...), x, vec::Set(d, c));
}

template <class D>
HWY_INLINE auto infinity(D d) {
  return vec::Set(d, std::numeric_limits<float>::infinity());
}
template <class D>
HWY_INLINE auto notANumber(D d) {
  return vec::Set(d, std::numeric_limits<float>::quiet_NaN());
}

// maximum and minimum of IEEE 754-2019: NaN if either operand is NaN; -0 is less than +0.
template <class D, class V>
HWY_INLINE V maximum(D, V a, V b) {
  const V larger = hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), hn::IfThenElse(hn::Gt(a, b), a, b));
  return hn::IfThenElse(hn::IsNaN(a), a, larger);
}
template <class D, class V>
HWY_INLINE V minimum(D, V a, V b) {
  const V smaller = hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), hn::IfThenElse(hn::Lt(a, b), a, b));
  return hn::IfThenElse(hn::IsNaN(a), a, smaller);
}
// Return max(0, x) and min(0, x) with the same rules.
template <class D, class V>
HWY_INLINE V positivePart(D d, V x) {
  return vec::IfThenZeroElse(vec::Le(x, vec::Zero(d)), x);
}
template <class D, class V>
HWY_INLINE V negativePart(D d, V x) {
  return vec::IfThenZeroElse(vec::Gt(x, vec::Zero(d)), x);
}

// Returns a * b + c, rounded once.
template <class D, class V>
HWY_INLINE V fusedMulAdd(D d, V a, V b, V c) {
#if HWY_NATIVE_FMA
  static_cast<void>(d);
  return hn::MulAdd(a, b, c);
#else  // products of floats are exact in double; rounding the sum twice differs from rounding once only in rare ties
  const hn::Half<D> dh;
  const hn::Rebind<double, hn::Half<D>> dd;
  const auto part = [&](auto x, auto y, auto z) HWY_ATTR {
    return hn::DemoteTo(dh, hn::MulAdd(hn::PromoteTo(dd, x), hn::PromoteTo(dd, y), hn::PromoteTo(dd, z)));
  };
  return hn::Combine(d, part(hn::UpperHalf(dh, a), hn::UpperHalf(dh, b), hn::UpperHalf(dh, c)),
                     part(hn::LowerHalf(dh, a), hn::LowerHalf(dh, b), hn::LowerHalf(dh, c)));
#endif
}

namespace internal {

// Adding this constant rounds to an integer, which is in the low bits of the sum; subtracting the constant again gives the
// integer as a float.
inline constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23
inline constexpr float kLog2E = 1.44269504F;
// ln 2 in two parts. Products of the first part and integers up to 2^8 are exact.
inline constexpr float kLn2High = 0.693145751953125F, kLn2Low = 1.42860677e-6F;

// Returns 2^n, where `rounded` = n + kRounder for an integer n from -126 to 127.
template <class D, class V>
HWY_INLINE V powerOfTwo(D d, V rounded) {
  const typename vec::IntegersOf<D>::Signed di;
  return vec::BitCast(d, vec::Add(vec::ShiftLeft<23>(vec::BitCast(di, rounded)), vec::Set(di, 0x3F800000)));
}

// Returns value * 2^n, rounded once, where `rounded` = n + kRounder. n may have up to 9 bits.
template <class D, class V>
HWY_INLINE V scale(D d, V value, V rounded) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(V) == 64) {
    return V{_mm512_scalef_ps(value.raw, hn::Sub(rounded, hn::Set(d, kRounder)).raw)};
  }
#endif
  const hn::RebindToSigned<D> di;
  const auto n = hn::Sub(hn::BitCast(di, rounded), hn::BitCast(di, hn::Set(d, kRounder)));
  const auto half = hn::ShiftRight<1>(n), bias = hn::Set(di, 127);
  const auto first = hn::ShiftLeft<23>(hn::Add(half, bias)), second = hn::ShiftLeft<23>(hn::Add(hn::Sub(n, half), bias));
  return hn::Mul(hn::Mul(value, hn::BitCast(d, first)), hn::BitCast(d, second));
}
template <class D, class V, int N>
HWY_INLINE Vectors<V, N> scale(VectorsTag<D, N>, Vectors<V, N> value, Vectors<V, N> rounded) {
  return vec::each<N>([&](int k) HWY_ATTR { return scale(D(), value.at[k], rounded.at[k]); });
}

// x = n ln 2 + remainder, with |remainder| <= ln 2 / 2 and `rounded` = n + kRounder.
template <class V>
struct ExpParts {
  V rounded, remainder;
};
template <class D, class V>
HWY_INLINE ExpParts<V> expParts(D d, V x) {
  const V rounded = vec::MulAdd(x, vec::Set(d, kLog2E), vec::Set(d, kRounder));
  const V n = vec::Sub(rounded, vec::Set(d, kRounder));
  return {rounded, vec::NegMulAdd(n, vec::Set(d, kLn2Low), vec::NegMulAdd(n, vec::Set(d, kLn2High), x))};
}

// Returns exp(r) - 1 for |r| <= ln 2 / 2.
template <class D, class V>
HWY_INLINE V expm1Polynomial(D d, V r) {
  const V p = polynomial(d, r, 0.49999998F, 0.166665387F, 0.0416672218F, 0.00836717904F, 0.00138824519F);
  return vec::MulAdd(vec::Mul(r, p), r, r);  // r^2 may be denormal, which many processors multiply a hundred times as slowly
}

// Returns f(a, b) in the lanes in `where`, and `otherwise` in the other lanes. Slow: computes lane by lane in double.
template <class D, class V, class M, typename F>
HWY_NOINLINE V patchLanes(D d, M where, V otherwise, V a, V b, F f) {
  HWY_ALIGN float as[hn::MaxLanes(D())], bs[hn::MaxLanes(D())], ys[hn::MaxLanes(D())], flags[hn::MaxLanes(D())];
  hn::Store(a, d, as);
  hn::Store(b, d, bs);
  hn::Store(otherwise, d, ys);
  hn::Store(hn::IfThenElseZero(where, hn::Set(d, 1.0F)), d, flags);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    if (flags[i] != 0) ys[i] = static_cast<float>(f(static_cast<double>(as[i]), static_cast<double>(bs[i])));
  }
  return hn::Load(d, ys);
}

}  // namespace internal

template <class D, class V>
HWY_INLINE V exp(D d, V x) {
  // Below the lower bound, log(2^-126) rounded up, the result is 0. Above the upper bound, it is infinite. The operand order
  // keeps NaN.
  const V low = vec::Set(d, -87.33654F);
  const auto isTiny = vec::Lt(x, low);
  x = atLeast(low, atMost(vec::Set(d, 90.0F), x));
  const auto [rounded, r] = internal::expParts(d, x);
  const V y = internal::scale(d, vec::Add(internal::expm1Polynomial(d, r), vec::Set(d, 1.0F)), rounded);
  return vec::IfThenZeroElse(isTiny, y);
}

// Returns exp(x) for x <= 0 (or barely above 0) or NaN, within about one ulp. Returns 0 below log(2^-126), rounded up, so that no
// result is denormal. Takes two thirds of the time of exp().
template <class D, class V>
HWY_INLINE V expOfNegative(D d, V x) {
  const auto [rounded, r] = internal::expParts(d, x);
  const V power = internal::powerOfTwo(d, rounded);
  return vec::IfThenZeroElse(vec::Lt(x, vec::Set(d, -87.33654F)), vec::MulAdd(internal::expm1Polynomial(d, r), power, power));
}

template <class D, class V>
HWY_INLINE V expm1(D d, V x) {
  // Below the lower bound, the result is -1. Above the upper bound, it is infinite.
  x = atLeast(vec::Set(d, -30.0F), atMost(vec::Set(d, 89.0F), x));
  const auto [rounded, r] = internal::expParts(d, x);
  const V p = internal::expm1Polynomial(d, r);
  // Computes half of the result, because 2^(n-1) is finite even if 2^n is not.
  const V half = internal::powerOfTwo(d, vec::Sub(rounded, vec::Set(d, 1.0F)));
  const V y = vec::MulAdd(half, p, vec::Sub(half, vec::Set(d, 0.5F)));
  // exp(x) - 1 rounds to x for tiny x. Doubling half of a denormal would lose a bit.
  return vec::IfThenElse(vec::Lt(vec::Abs(x), vec::Set(d, 0x1p-25F)), x, vec::Add(y, y));
}

template <class D, class V>
HWY_INLINE V log(D d, V x) {
  const hn::RebindToSigned<D> di;
  const auto isTiny = hn::Lt(x, hn::Set(d, std::numeric_limits<float>::min()));
  const auto bits = hn::BitCast(di, hn::IfThenElse(isTiny, hn::Mul(x, hn::Set(d, 0x1p23F)), x));
  // x = 2^e * (1 + f) with 1 + f from sqrt(1/2) to sqrt(2).
  const auto e = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3F3504F3)));
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(e))), hn::Set(d, 1.0F));
  const V n = hn::Sub(hn::ConvertTo(d, e), hn::IfThenElseZero(isTiny, hn::Set(d, 23.0F)));
  const V p = polynomial(d, f, 0.333333317F, -0.250008209F, 0.200012262F, -0.166233591F, 0.142017693F, -0.131601803F,
                         0.127615255F, -0.0763444897F);
  const V square = hn::Mul(f, f);
  V y = hn::MulAdd(n, hn::Set(d, internal::kLn2Low), hn::Mul(hn::Mul(square, f), p));
  y = hn::Add(f, hn::NegMulAdd(square, hn::Set(d, 0.5F), y));
  y = hn::MulAdd(n, hn::Set(d, internal::kLn2High), y);
  const auto isPositive = hn::Gt(x, hn::Zero(d));
  y = hn::IfThenElse(hn::Lt(x, infinity(d)), y, hn::Add(x, x));  // +inf and NaN
  return hn::IfThenElse(isPositive, y, hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity(d)), notANumber(d)));
}

template <class D, class V>
HWY_INLINE V tanh(D d, V x) {
  const V a = atMost(vec::Set(d, 9.1F), vec::Abs(x));
  const auto [rounded, r] = internal::expParts(d, vec::Add(a, a));
  const V p = internal::expm1Polynomial(d, r), s = internal::powerOfTwo(d, rounded);
  const V t = vec::MulAdd(s, p, vec::Sub(s, vec::Set(d, 1.0F)));  // exp(2a) - 1
  return vec::CopySign(vec::Div(t, vec::Add(t, vec::Set(d, 2.0F))), x);
}

// 1 / (1 + exp(-x)). exp(-x) is finite if the result is a normal number.
template <class D, class V>
HWY_INLINE V sigmoid(D d, V x) {
  const typename vec::IntegersOf<D>::Signed di;
  // From 88 on, the result is 1. -x = n ln 2 + r; `rounded` is n + kRounder + 127, whose low bits are the exponent bits of 2^n.
  const V a = atMost(vec::Set(d, 88.0F), x), rounder = vec::Set(d, internal::kRounder + 127), one = vec::Set(d, 1.0F);
  const V rounded = vec::NegMulAdd(a, vec::Set(d, internal::kLog2E), rounder), n = vec::Sub(rounded, rounder);
  const V r = vec::NegMulAdd(n, vec::Set(d, internal::kLn2Low), vec::NegMulSub(n, vec::Set(d, internal::kLn2High), a));
  const V power = vec::BitCast(d, vec::ShiftLeft<23>(vec::BitCast(di, rounded)));
  const V e = internal::expm1Polynomial(d, r);
  const V y = vec::Div(one, vec::MulAdd(e, power, vec::Add(power, one)));
  return vec::IfThenZeroElse(vec::Lt(x, vec::Set(d, -87.33654F)), y);
}

// log(1 + exp(x))
template <class D, class V>
HWY_INLINE V softplus(D d, V x) {
  const V e = expOfNegative(d, vec::Neg(vec::Abs(x)));
  // log(1 + e) = 2 artanh(e / (2 + e))
  const V s = vec::Div(vec::Add(e, e), vec::Add(e, vec::Set(d, 2.0F)));  // twice the argument of artanh
  // Below 2^-14, artanh(s / 2) rounds to s / 2, and powers of s may be denormal.
  const V t = vec::IfThenZeroElse(vec::Lt(s, vec::Set(d, 0x1p-14F)), s), z = vec::Mul(t, t);
  const V p = polynomial(d, z, 0.666666756F / 8, 0.399988784F / 32, 0.286168702F / 128, 0.214277676F / 512, 0.243006771F / 2048);
  return vec::Add(positivePart(d, x), vec::MulAdd(vec::Mul(t, z), p, s));
}

template <class D, class V>
HWY_INLINE V erf(D d, V x) {
  const V a = vec::Abs(x), tiny = vec::Set(d, 0x1p-30F);
  const V atLeastTiny = vec::IfThenElse(vec::Lt(a, tiny), tiny, a), z = vec::Mul(atLeastTiny, atLeastTiny);  // not denormal
  const V small = vec::MulAdd(x,
                              polynomial(d, z, 0.128379166F, -0.376126258F, 0.112835852F, -0.0268538146F, 0.00518833048F,
                                         -0.00080102027F, 7.85384983e-05F),
                              x);
  // 1 - exp(log(erfc(a))), with a polynomial for the logarithm. From a = 4 on, erf(a) rounds to 1.
  const V b = atMost(vec::Set(d, 4.0F), a);
  const V l = polynomial(d, b, 5.78391839e-05F, -1.12898937F, -0.634335034F, -0.107275329F, 0.0245238635F, -0.0039656983F,
                         0.000396395879F, -1.8174679e-05F);
  const auto [rounded, r] = internal::expParts(d, l);
  const V s = internal::powerOfTwo(d, rounded);
  const V large = vec::NegMulAdd(s, internal::expm1Polynomial(d, r), vec::Sub(vec::Set(d, 1.0F), s));
  return vec::IfThenElse(vec::Lt(a, vec::Set(d, 1.0F)), small, vec::CopySign(large, x));
}

namespace internal {

template <class D, class V>
HWY_INLINE V geluByExp(D d, V x) {
  // Beyond this bound, a * Phi(-a) is below the normal numbers.
  const V bound = vec::Set(d, 13.14624F), a = atMost(bound, vec::Abs(x)), half = vec::Set(d, 0.5F);
  // Phi(-a) = exp(-a^2 / 2) * g(a). a^2 is the sum of `square`, half of which is exact, and `rest`.
#if HWY_NATIVE_FMA
  const V square = vec::Mul(a, a), rest = vec::MulSub(a, a, square);
#else
  const typename vec::IntegersOf<D>::Unsigned du;
  const V head = vec::And(a, vec::BitCast(d, vec::Set(du, 0xFFFFF000U)));
  const V square = vec::Mul(head, head), rest = vec::Mul(vec::Sub(a, head), vec::Add(a, head));
#endif
  const auto [rounded, r] = expParts(d, vec::Mul(square, vec::Set(d, -0.5F)));
  const V p = vec::Add(expm1Polynomial(d, vec::NegMulAdd(rest, half, r)), vec::Set(d, 1.0F));
  // g(a) * (1 + a / 4) is smooth in (a - 4) / (a + 4), which runs from -1 to 1.
  const V one = vec::Set(d, 1.0F), inverse = vec::Div(one, vec::Add(a, vec::Set(d, 4.0F))), t = vec::Mul(a, inverse);
  const V u = vec::Sub(vec::Add(t, t), one);
  const V g = vec::Mul(
      polynomial(d, u, 4 * 0.188821284F, 4 * -0.151974145F, 4 * 0.0967842291F, 4 * -0.0466309142F, 4 * 0.0151008727F,
                 4 * -0.0018810006F, 4 * -0.000877553252F, 4 * 0.000392101118F, 4 * 4.36648378e-05F, 4 * -3.35487684e-05F),
      inverse);
  const V scaled = vec::Mul(vec::Mul(vec::Mul(p, g), a), powerOfTwo(d, rounded));
  const V tail = vec::IfThenZeroElse(vec::Gt(vec::Abs(x), bound), scaled);  // a * Phi(-a)
  // x * 0 is -0 for negative x, and NaN for -inf.
  const V positive = vec::IfThenElse(vec::Lt(x, vec::Zero(d)), vec::Mul(x, vec::Zero(d)), x);
  return vec::Sub(positive, tail);
}

#if HWY_TARGET == HWY_AVX3
// Computes the same function as geluByExp() with polynomial coefficients in registers, in a third of the time. Lanes with x <
// -NormalTail::kEnd are wrong.
template <class D, class V>
HWY_INLINE V geluByTable(D d, V x) {
  const V a = atMost(hn::Set(d, NormalTail::kEnd), hn::Abs(x));
  const V rounded = hn::MulAdd(a, hn::Set(d, 1 / NormalTail::kStep), hn::Set(d, kRounder));
  const V t = hn::NegMulAdd(hn::Sub(rounded, hn::Set(d, kRounder)), hn::Set(d, NormalTail::kStep), a);
  const __m512i piece = _mm512_castps_si512(rounded.raw);  // the lookup uses its low 5 bits
  const auto coefficient = [&](std::size_t k) HWY_ATTR {
    const float* of = kNormalTail.coefficients[k].data();
    return V{_mm512_permutex2var_ps(_mm512_load_ps(of), piece, _mm512_load_ps(of + 16))};
  };
  V p = coefficient(NormalTail::kTerms - 1);
#pragma GCC unroll 8
  for (std::size_t k = NormalTail::kTerms - 1; k-- > 0;) p = hn::MulAdd(p, t, coefficient(k));
  const V tail = hn::Mul(p, a);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Neg(tail), hn::Sub(x, tail));
}
#endif

}  // namespace internal

// Returns x * Phi(x), where Phi is the standard normal distribution function; -inf gives NaN, as -inf * 0.
template <class D, class V>
HWY_INLINE V gelu(D d, V x) {
#if HWY_TARGET == HWY_AVX3
  // Each lane decides for itself, so that a result depends neither on its position nor on its neighbors.
  if constexpr (sizeof(V) == 64) {
    const V near = internal::geluByTable(d, x);
    const auto isFar = hn::Lt(x, hn::Set(d, -NormalTail::kEnd));
    return HWY_LIKELY(hn::AllFalse(d, isFar)) ? near : hn::IfThenElse(isFar, internal::geluByExp(d, x), near);
  }
#endif
  return internal::geluByExp(d, x);
}

namespace internal {

// Larger arguments of sin, cos and tan go to the standard library, lane by lane.
inline constexpr float kLargestAngle = 1.0e6F;

// x = quadrant * pi / 2 + remainder, |remainder| <= pi / 4, for |x| < kLargestAngle; in double precision.
template <class V, class VI>
struct AngleParts {
  V remainder;
  VI quadrant;
};
template <class D, class V>
HWY_INLINE auto angleParts(D d, V x) {
  const hn::Half<D> dh;
  const hn::Rebind<double, hn::Half<D>> dd;
  const hn::RebindToSigned<D> di;
  const hn::Half<decltype(di)> dih;
  const auto reduce = [&](auto part, auto& quadrant) HWY_ATTR {
    const auto wide = hn::PromoteTo(dd, part);
    const auto n = hn::Round(hn::Mul(wide, hn::Set(dd, 0.63661977236758134)));
    quadrant = hn::DemoteTo(dih, n);
    // The constant has the first 33 bits of pi / 2, so that its product with n is exact.
    const auto first = hn::NegMulAdd(n, hn::Set(dd, 1.5707963267341256), wide);
    return hn::DemoteTo(dh, hn::NegMulAdd(n, hn::Set(dd, 6.0771005065061922e-11), first));
  };
  hn::Vec<decltype(dih)> low, high;
  const auto lower = reduce(hn::LowerHalf(dh, x), low), upper = reduce(hn::UpperHalf(dh, x), high);
  return AngleParts<V, hn::Vec<decltype(di)>>{hn::Combine(d, upper, lower), hn::Combine(di, high, low)};
}

// sin(x) and tan(x) round to x below this magnitude, and cos(x) rounds to 1.
inline constexpr float kTinyAngle = 0x1p-12F;
// Returns x, but 0 for tiny angles, because their squares may be denormal.
template <class D, class V>
HWY_INLINE V withoutTinyAngles(D d, V x) {
  return hn::IfThenZeroElse(hn::Lt(hn::Abs(x), hn::Set(d, kTinyAngle)), x);
}

// Returns sin(x + shift * pi / 2); for a tiny x, sin(shift * pi / 2).
template <class D, class V>
HWY_INLINE V sine(D d, V x, int shift) {
  const hn::RebindToSigned<D> di;
  const auto [r, quadrant] = angleParts(d, withoutTinyAngles(d, x));
  const auto turned = hn::Add(quadrant, hn::Set(di, shift));
  const V z = hn::Mul(r, r), one = hn::Set(d, 1.0F);
  const V sin = hn::MulAdd(hn::Mul(r, z), polynomial(d, z, -0.166666545F, 0.00833215611F, -0.000195146339F), r);
  const V even = hn::NegMulAdd(z, hn::Set(d, 0.5F), one);
  const V cos = hn::MulAdd(hn::Mul(z, z), polynomial(d, z, 0.0416666456F, -0.00138873109F, 2.44325029e-05F), even);
  const auto isOdd = hn::RebindMask(d, hn::Ne(hn::And(turned, hn::Set(di, 1)), hn::Zero(di)));
  const auto sign = hn::ShiftLeft<30>(hn::And(turned, hn::Set(di, 2)));
  return hn::Xor(hn::IfThenElse(isOdd, cos, sin), hn::BitCast(d, sign));
}

}  // namespace internal

template <class D, class V>
HWY_INLINE V sin(D d, V x) {
  const V a = hn::Abs(x);
  const V y = hn::IfThenElse(hn::Lt(a, hn::Set(d, internal::kTinyAngle)), x, internal::sine(d, x, 0));
  const auto isLarge = hn::Not(hn::Lt(a, hn::Set(d, internal::kLargestAngle)));
  if (HWY_LIKELY(hn::AllFalse(d, isLarge))) return y;
  return internal::patchLanes(d, isLarge, y, x, x, [](double lane, double) { return std::sin(lane); });
}

template <class D, class V>
HWY_INLINE V cos(D d, V x) {
  const V y = internal::sine(d, x, 1);
  const auto isLarge = hn::Not(hn::Lt(hn::Abs(x), hn::Set(d, internal::kLargestAngle)));
  if (HWY_LIKELY(hn::AllFalse(d, isLarge))) return y;
  return internal::patchLanes(d, isLarge, y, x, x, [](double lane, double) { return std::cos(lane); });
}

template <class D, class V>
HWY_INLINE V tan(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V a = hn::Abs(x);
  const auto [r, quadrant] = internal::angleParts(d, internal::withoutTinyAngles(d, x));
  const V z = hn::Mul(r, r);
  const V t = hn::MulAdd(
      hn::Mul(r, z),
      polynomial(d, z, 0.3333335F, 0.13332655F, 0.0540609157F, 0.021276726F, 0.0108507167F, 6.9750185e-05F, 0.00438644714F), r);
  const auto isOdd = hn::RebindMask(d, hn::Ne(hn::And(quadrant, hn::Set(di, 1)), hn::Zero(di)));
  V y = hn::IfThenElse(isOdd, hn::Div(hn::Set(d, -1.0F), t), t);
  y = hn::IfThenElse(hn::Lt(a, hn::Set(d, internal::kTinyAngle)), x, y);
  const auto isLarge = hn::Not(hn::Lt(a, hn::Set(d, internal::kLargestAngle)));
  if (HWY_LIKELY(hn::AllFalse(d, isLarge))) return y;
  return internal::patchLanes(d, isLarge, y, x, x, [](double lane, double) { return std::tan(lane); });
}

namespace internal {

// Returns 2^(y * (e + log2(m))) in double precision, for 1/2 < m^2 < 2.
template <class D, class V>
HWY_INLINE V powOf(D dd, V m, V e, V y) {
  const V one = hn::Set(dd, 1.0);
  const V s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const V p = polynomial(dd, hn::Mul(s, s), 2.8853900817779272, 0.96179669392422051, 0.57707801729702668, 0.41219839390188057,
                         0.32061697375464054, 0.26142501214189579, 0.24315134540428229);
  const V exponent = hn::Mul(y, hn::MulAdd(s, p, e));
  // Beyond these bounds the result is infinite or 0 as float.
  const V bounded = atLeast(hn::Set(dd, -200.0), atMost(hn::Set(dd, 200.0), exponent));
  const V rounder = hn::Set(dd, 0x1.8p52), rounded = hn::Add(bounded, rounder), f = hn::Sub(bounded, hn::Sub(rounded, rounder));
  const V q = polynomial(dd, f, 0.99999999996107847, 0.69314718073128012, 0.2402265120416861, 0.055504103469544777,
                         0.0096180264385235976, 0.0013333925676803058, 0.00015469554423031424, 1.5201684328883286e-05);
  const hn::RebindToSigned<D> di;
  const auto power = hn::Add(hn::ShiftLeft<52>(hn::BitCast(di, rounded)), hn::Set(di, 0x3FF0000000000000));
  return hn::Mul(q, hn::BitCast(dd, power));
}

}  // namespace internal

// Returns std::pow(x, y). Lanes without a finite y and a finite, normal x are slow: they call std::pow one by one.
template <class D, class V>
HWY_INLINE V pow(D d, V x, V y) {
  const hn::RebindToSigned<D> di;
  const hn::Half<D> dh;
  const hn::Rebind<double, hn::Half<D>> dd;
  const V a = hn::Abs(x);
  const auto bits = hn::BitCast(di, a);
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3F3504F3)));
  const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent))), e = hn::ConvertTo(d, exponent);
  const auto part = [&](auto mPart, auto ePart, auto yPart) HWY_ATTR {
    return hn::DemoteTo(dh, internal::powOf(dd, hn::PromoteTo(dd, mPart), hn::PromoteTo(dd, ePart), hn::PromoteTo(dd, yPart)));
  };
  V result = hn::Combine(d, part(hn::UpperHalf(dh, m), hn::UpperHalf(dh, e), hn::UpperHalf(dh, y)),
                         part(hn::LowerHalf(dh, m), hn::LowerHalf(dh, e), hn::LowerHalf(dh, y)));
  const auto isNegative = hn::Lt(x, hn::Zero(d));
  if (!hn::AllFalse(d, isNegative)) {
    const V halved = hn::Mul(y, hn::Set(d, 0.5F));
    const auto isInteger = hn::Eq(hn::Round(y), y), isOdd = hn::And(isInteger, hn::Ne(hn::Round(halved), halved));
    const V negated = hn::IfThenElse(isOdd, hn::Neg(result), result);
    result = hn::IfThenElse(isNegative, hn::IfThenElse(isInteger, negated, notANumber(d)), result);
  }
  const auto isPlain = hn::And(hn::Ge(a, hn::Set(d, std::numeric_limits<float>::min())),
                               hn::And(hn::Lt(a, infinity(d)), hn::Lt(hn::Abs(y), infinity(d))));
  if (HWY_LIKELY(hn::AllTrue(d, isPlain))) return result;
  return internal::patchLanes(d, hn::Not(isPlain), result, x, y, [](double base, double power) { return std::pow(base, power); });
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_MATH_INL_H
