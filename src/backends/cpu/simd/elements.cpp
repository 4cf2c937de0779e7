#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/elements.cpp"
#include "backends/cpu/simd/elements.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "backends/cpu/simd/lanes/half-inl.h"
#include "backends/cpu/simd/lanes/math-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/lanes/vectors-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

using Floats = hn::ScalableTag<float>;

template <class Element>
void apply(const float* a, const float* b, const float* c, float* y, std::size_t n, float p, float q) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto ps = hn::Set(d, p), qs = hn::Set(d, q);
  constexpr unsigned operands = Element::operands;
  std::size_t i = 0;
  if constexpr (constexpr int together = Element::together; together > 1) {
    static_assert(operands == 1);
    const VectorsTag<Floats, together> several;
    const auto manyPs = vec::Set(several, p), manyQs = vec::Set(several, q);
    for (; i + together * lanes <= n; i += together * lanes) {
      const auto x = vec::each<together>([&](int k) HWY_ATTR { return hn::LoadU(d, a + i + k * lanes); });
      const auto result = Element::of(several, x, x, x, manyPs, manyQs);
#pragma GCC unroll 8
      for (int k = 0; k < together; ++k) hn::StoreU(result.at[k], d, y + i + k * lanes);
    }
  }
  for (; i + lanes <= n; i += lanes) {
    const auto x = hn::LoadU(d, a + i);
    auto second = x, third = x;
    if constexpr (operands > 1) second = hn::LoadU(d, b + i);
    if constexpr (operands > 2) third = hn::LoadU(d, c + i);
    hn::StoreU(Element::of(d, x, second, third, ps, qs), d, y + i);
  }
  if (i == n) return;
  const auto x = loadSome(d, a + i, n - i);
  auto second = x, third = x;
  if constexpr (operands > 1) second = loadSome(d, b + i, n - i);
  if constexpr (operands > 2) third = loadSome(d, c + i, n - i);
  storeSome(d, Element::of(d, x, second, third, ps, qs), y + i, n - i);
}

template <class D, class M>
HWY_INLINE hn::Vec<D> truth(D d, M mask) {
  return hn::IfThenElseZero(mask, hn::Set(d, 1.0F));
}
HWY_INLINE auto isTrue(auto d, auto x) { return hn::Not(hn::Eq(x, hn::Zero(d))); }

template <class D, class V>
HWY_INLINE V clamp(D d, V x, V low, V high) {
  // A lower bound of +0 must also replace -0, and an upper bound of -0 must also replace +0, but comparisons treat both zeros as
  // equal. Therefore compares with the denormal number next to such a bound.
  const hn::RebindToUnsigned<D> du;
  const auto isZero = [&](V bound, std::uint32_t bits)
                          HWY_ATTR { return hn::RebindMask(d, hn::Eq(hn::BitCast(du, bound), hn::Set(du, bits))); };
  const V below = hn::IfThenElse(isZero(low, 0), hn::BitCast(d, hn::Set(du, 1U)), low);
  const V above = hn::IfThenElse(isZero(high, 0x80000000U), hn::BitCast(d, hn::Set(du, 0x80000001U)), high);
  const V y = hn::IfThenElse(hn::Lt(x, below), low, x);
  return hn::IfThenElse(hn::Gt(x, above), high, y);
}

template <class D, class V>
HWY_INLINE V hardSwish(D d, V x) {
  const V sum = hn::Add(x, hn::Set(d, 3.0F));
  const V six = hn::Set(d, 6.0F);
  const V part = positivePart(d, hn::IfThenElse(hn::Gt(sum, six), six, sum));
  return hn::Mul(x, hn::Mul(part, hn::Set(d, 1.0F / 6)));  // exact for x >= 3, because 6 * (1.0F / 6) is 1
}

template <class D, class V>
HWY_INLINE V hardSigmoid(D d, V x, V alpha, V beta) {
  const V y = fusedMulAdd(d, alpha, x, beta), one = hn::Set(d, 1.0F);
  return positivePart(d, hn::IfThenElse(hn::Gt(y, one), one, y));
}

template <class D, class V>
HWY_INLINE V sign(D d, V x) {
  const V one = hn::Set(d, 1.0F);
  return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), one, hn::IfThenElseZero(hn::Lt(x, hn::Zero(d)), hn::Neg(one)));
}

// Defines the struct of one ElementCode: `operands` is the number of inputs (a, b, c) that the code reads; `together` is the
// number of vectors that apply() computes together; of() computes its value from a, b, c and the immediates p and q.
#define WEBNN_ELEMENT_OF(name, count, vectors, expression)                                                         \
  struct name##Element {                                                                                           \
    static constexpr unsigned operands = count;                                                                    \
    static constexpr int together = vectors;                                                                       \
    template <class D, class V>                                                                                    \
    static HWY_INLINE V of([[maybe_unused]] D d, [[maybe_unused]] V a, [[maybe_unused]] V b, [[maybe_unused]] V c, \
                           [[maybe_unused]] V p, [[maybe_unused]] V q) {                                           \
      return expression;                                                                                           \
    }                                                                                                              \
  }
#define WEBNN_ELEMENT(name, count, expression) WEBNN_ELEMENT_OF(name, count, 1, expression)
// A function of one operand that is a long chain of dependent instructions.
#define WEBNN_CHAIN(name, expression) WEBNN_ELEMENT_OF(name, 1, 4, expression)
// On AVX-512, gelu() keeps a table in registers, and apply() therefore computes one vector at a time.
#define WEBNN_GELU(name, expression) WEBNN_ELEMENT_OF(name, 1, HWY_TARGET == HWY_AVX3 ? 1 : 4, expression)
WEBNN_ELEMENT(add, 2, hn::Add(a, b));
WEBNN_ELEMENT(sub, 2, hn::Sub(a, b));
WEBNN_ELEMENT(mul, 2, hn::Mul(a, b));
WEBNN_ELEMENT(div, 2, hn::Div(a, b));
WEBNN_ELEMENT(max, 2, maximum(d, a, b));
WEBNN_ELEMENT(min, 2, minimum(d, a, b));
WEBNN_ELEMENT(pow, 2, pow(d, a, b));
WEBNN_ELEMENT(equal, 2, truth(d, hn::Eq(a, b)));
WEBNN_ELEMENT(notEqual, 2, truth(d, hn::Not(hn::Eq(a, b))));
WEBNN_ELEMENT(greater, 2, truth(d, hn::Gt(a, b)));
WEBNN_ELEMENT(greaterOrEqual, 2, truth(d, hn::Ge(a, b)));
WEBNN_ELEMENT(lesser, 2, truth(d, hn::Lt(a, b)));
WEBNN_ELEMENT(lesserOrEqual, 2, truth(d, hn::Le(a, b)));
WEBNN_ELEMENT(logicalAnd, 2, truth(d, hn::And(isTrue(d, a), isTrue(d, b))));
WEBNN_ELEMENT(logicalOr, 2, truth(d, hn::Or(isTrue(d, a), isTrue(d, b))));
WEBNN_ELEMENT(logicalXor, 2, truth(d, hn::Xor(isTrue(d, a), isTrue(d, b))));
WEBNN_ELEMENT(logicalNot, 1, truth(d, hn::Eq(a, hn::Zero(d))));
WEBNN_ELEMENT(isNaN, 1, truth(d, hn::IsNaN(a)));
WEBNN_ELEMENT(isInfinite, 1, truth(d, hn::Eq(hn::Abs(a), infinity(d))));
WEBNN_ELEMENT(where, 3, hn::IfThenElse(isTrue(d, a), b, c));
WEBNN_ELEMENT(prelu, 2, hn::MulAdd(b, negativePart(d, a), positivePart(d, a)));
WEBNN_ELEMENT(abs, 1, hn::Abs(a));
WEBNN_ELEMENT(ceil, 1, hn::Ceil(a));
WEBNN_ELEMENT(cos, 1, cos(d, a));
WEBNN_CHAIN(erf, erf(d, a));
WEBNN_CHAIN(exp, exp(d, a));
WEBNN_ELEMENT(floor, 1, hn::Floor(a));
WEBNN_ELEMENT(log, 1, log(d, a));
WEBNN_ELEMENT(neg, 1, hn::Neg(a));
WEBNN_ELEMENT(reciprocal, 1, hn::Div(hn::Set(d, 1.0F), a));
WEBNN_ELEMENT(roundEven, 1, hn::Round(a));
WEBNN_ELEMENT(sin, 1, sin(d, a));
WEBNN_ELEMENT(sign, 1, sign(d, a));
WEBNN_ELEMENT(sqrt, 1, hn::Sqrt(a));
WEBNN_ELEMENT(tan, 1, tan(d, a));
WEBNN_GELU(gelu, gelu(d, a));
WEBNN_ELEMENT(hardSwish, 1, hardSwish(d, a));
WEBNN_GELU(geluOfProduct, vec::Mul(vec::Mul(gelu(d, a), p), q));
WEBNN_ELEMENT(hardSwishOfProduct, 1, hn::Mul(hn::Mul(hardSwish(d, a), p), q));
WEBNN_ELEMENT(relu, 1, positivePart(d, a));
WEBNN_CHAIN(sigmoid, sigmoid(d, a));
WEBNN_CHAIN(silu, vec::Mul(a, sigmoid(d, a)));
WEBNN_CHAIN(cubicSilu, vec::Mul(a, sigmoid(d, vec::Mul(a, vec::MulAdd(vec::Mul(q, a), a, p)))));
WEBNN_CHAIN(softplus, softplus(d, a));
WEBNN_ELEMENT(softsign, 1, hn::Div(a, hn::Add(hn::Set(d, 1.0F), hn::Abs(a))));
WEBNN_CHAIN(tanh, tanh(d, a));
WEBNN_CHAIN(elu, vec::MulAdd(p, expm1(d, negativePart(d, a)), positivePart(d, a)));
WEBNN_ELEMENT(leakyRelu, 1, hn::MulAdd(p, negativePart(d, a), positivePart(d, a)));
WEBNN_ELEMENT(hardSigmoid, 1, hardSigmoid(d, a, p, q));
WEBNN_ELEMENT(linear, 1, fusedMulAdd(d, p, a, q));
WEBNN_ELEMENT(clamp, 1, clamp(d, a, p, q));
WEBNN_ELEMENT(toHalf, 1, halfToFloat(d, floatToHalf(d, a)));
WEBNN_ELEMENT(addImmediate, 1, hn::Add(a, q));
WEBNN_ELEMENT(mulImmediate, 1, hn::Mul(a, p));
WEBNN_ELEMENT(dequantize, 1, hn::Mul(hn::Sub(a, q), p));
#undef WEBNN_ELEMENT
#undef WEBNN_CHAIN
#undef WEBNN_GELU
#undef WEBNN_ELEMENT_OF

// Adds the zero point to a rounded quotient and saturates to the range of T.
template <typename T, class D, class V>
HWY_INLINE V clampedSum(D d, V rounded, V zeroPoint) {
  using Limits = std::numeric_limits<T>;
  const auto low = hn::Sub(hn::Set(d, float{Limits::min()}), zeroPoint),
             high = hn::Sub(hn::Set(d, float{Limits::max()}), zeroPoint);
  return hn::Add(hn::Max(hn::Min(rounded, high), low), zeroPoint);
}
template <typename T, class D, class V>
HWY_INLINE V quantized(D d, V x, V scale, V zeroPoint) {
  const auto quotient = hn::Div(x, scale);
  return hn::IfThenElseZero(hn::Eq(quotient, quotient), clampedSum<T>(d, hn::Round(quotient), zeroPoint));
}

// Quantizes. If the scale is between 1e-30 and 1e30, multiplies whole vectors by its reciprocal, and divides only if a product is
// near a tie: see bytes/quantize.cpp. Otherwise divides.
template <typename T>
void quantize(const float* a, const float*, const float*, float* y, std::size_t n, float p, float q) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, p), zeroPoint = hn::Set(d, q), reciprocal = hn::Set(d, 1 / p);
  std::size_t i = 0;
  if (p > 1e-30F && p < 1e30F) {
    for (; i + lanes <= n; i += lanes) {
      const auto x = hn::LoadU(d, a + i), quotient = hn::Mul(x, reciprocal), rounded = hn::Round(quotient);
      const auto isFarFromTie = hn::Lt(hn::Abs(hn::Sub(quotient, rounded)), hn::Set(d, 0.4998F));
      hn::StoreU(hn::AllTrue(d, isFarFromTie) ? clampedSum<T>(d, rounded, zeroPoint) : quantized<T>(d, x, scale, zeroPoint), d,
                 y + i);
    }
  }
  for (; i + lanes <= n; i += lanes) hn::StoreU(quantized<T>(d, hn::LoadU(d, a + i), scale, zeroPoint), d, y + i);
  if (i < n) storeSome(d, quantized<T>(d, loadSome(d, a + i, n - i), scale, zeroPoint), y + i, n - i);
}

using Halves = hn::Rebind<std::uint16_t, Floats>;
using Bytes = hn::Rebind<std::uint8_t, Floats>;
using SignedBytes = hn::Rebind<std::int8_t, Floats>;
using Integers = hn::RebindToSigned<Floats>;

void loadFloat(const std::byte* from, float* to, std::size_t n) { std::memcpy(to, from, n * sizeof(float)); }
void storeFloat(const float* from, std::byte* to, std::size_t n) { std::memcpy(to, from, n * sizeof(float)); }

void loadHalf(const std::byte* from, float* to, std::size_t n) {
  convertAll(Halves(), Floats(), reinterpret_cast<const std::uint16_t*>(from), to, n,
             [](auto x) HWY_ATTR { return halfToFloat(Floats(), x); });
}
void storeHalf(const float* from, std::byte* to, std::size_t n) {
  convertAll(Floats(), Halves(), from, reinterpret_cast<std::uint16_t*>(to), n,
             [](auto x) HWY_ATTR { return floatToHalf(Floats(), x); });
}
template <class D>
void loadBytes(const std::byte* from, float* to, std::size_t n) {
  convertAll(D(), Floats(), reinterpret_cast<const hn::TFromD<D>*>(from), to, n,
             [](auto x) HWY_ATTR { return hn::ConvertTo(Floats(), hn::PromoteTo(Integers(), x)); });
}
template <class D>
void storeBytes(const float* from, std::byte* to, std::size_t n) {
  convertAll(Floats(), D(), from, reinterpret_cast<hn::TFromD<D>*>(to), n,
             [](auto x) HWY_ATTR { return hn::DemoteTo(D(), hn::ConvertTo(Integers(), x)); });
}
void fill(float value, float* to, std::size_t n) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto values = hn::Set(d, value);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(values, d, to + i);
  for (; i < n; ++i) to[i] = value;
}

// Writes `rows` rows of `columns` elements; values(r, i) returns the elements from column i of row r as a vector, and some(r, i,
// n) the first n of them.
template <class Values, class Some>
HWY_INLINE void writeRows(float* to, std::size_t rows, std::size_t columns, Values values, Some some) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t r = 0; r < rows; ++r, to += columns) {
    std::size_t i = 0;
    for (; i + lanes <= columns; i += lanes) hn::StoreU(values(r, i), d, to + i);
    if (i == columns) continue;
    columns > lanes ? hn::StoreU(values(r, columns - lanes), d, to + columns - lanes)
                    : storeSome(d, some(r, i, columns - i), to + i, columns - i);
  }
}
void repeatRows(const std::byte* from, std::size_t stride, float* to, std::size_t rows, std::size_t columns) {
  const auto values = [=](std::size_t r, std::size_t) HWY_ATTR {
    float value;
    std::memcpy(&value, from + r * stride * sizeof(float), sizeof(float));
    return hn::Set(Floats(), value);
  };
  writeRows(to, rows, columns, values, [=](std::size_t r, std::size_t i, std::size_t) HWY_ATTR { return values(r, i); });
}
void copyRows(const std::byte* from, std::size_t stride, float* to, std::size_t rows, std::size_t columns) {
  const auto* source = reinterpret_cast<const float*>(from);
  writeRows(
      to, rows, columns, [=](std::size_t r, std::size_t i) HWY_ATTR { return hn::LoadU(Floats(), source + r * stride + i); },
      [=](std::size_t r, std::size_t i, std::size_t n) HWY_ATTR { return loadSome(Floats(), source + r * stride + i, n); });
}

}  // namespace

const ElementKernels& elementTable() {
  static constexpr ElementKernels table{{apply<addElement>,
                                         apply<subElement>,
                                         apply<mulElement>,
                                         apply<divElement>,
                                         apply<maxElement>,
                                         apply<minElement>,
                                         apply<powElement>,
                                         apply<equalElement>,
                                         apply<notEqualElement>,
                                         apply<greaterElement>,
                                         apply<greaterOrEqualElement>,
                                         apply<lesserElement>,
                                         apply<lesserOrEqualElement>,
                                         apply<logicalAndElement>,
                                         apply<logicalOrElement>,
                                         apply<logicalXorElement>,
                                         apply<logicalNotElement>,
                                         apply<isNaNElement>,
                                         apply<isInfiniteElement>,
                                         apply<whereElement>,
                                         apply<preluElement>,
                                         apply<absElement>,
                                         apply<ceilElement>,
                                         apply<cosElement>,
                                         apply<erfElement>,
                                         apply<expElement>,
                                         apply<floorElement>,
                                         apply<logElement>,
                                         apply<negElement>,
                                         apply<reciprocalElement>,
                                         apply<roundEvenElement>,
                                         apply<sinElement>,
                                         apply<signElement>,
                                         apply<sqrtElement>,
                                         apply<tanElement>,
                                         apply<geluElement>,
                                         apply<hardSwishElement>,
                                         apply<geluOfProductElement>,
                                         apply<hardSwishOfProductElement>,
                                         apply<reluElement>,
                                         apply<sigmoidElement>,
                                         apply<siluElement>,
                                         apply<cubicSiluElement>,
                                         apply<softplusElement>,
                                         apply<softsignElement>,
                                         apply<tanhElement>,
                                         apply<eluElement>,
                                         apply<leakyReluElement>,
                                         apply<hardSigmoidElement>,
                                         apply<linearElement>,
                                         apply<clampElement>,
                                         apply<toHalfElement>,
                                         apply<dequantizeElement>,
                                         quantize<std::int8_t>,
                                         quantize<std::uint8_t>},
                                        apply<addImmediateElement>,
                                        apply<mulImmediateElement>,
                                        loadFloat,
                                        loadHalf,
                                        loadBytes<Bytes>,
                                        loadBytes<SignedBytes>,
                                        storeFloat,
                                        storeHalf,
                                        storeBytes<Bytes>,
                                        storeBytes<SignedBytes>,
                                        fill,
                                        repeatRows,
                                        copyRows};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const ElementKernels& elementKernels(Isa isa) { WEBNN_SELECT(isa, elementTable); }

ElementFunction elementFunction(Isa isa, const ElementInstruction& instruction) {
  if (instruction.code == ElementCode::linear) {
    if (instruction.p == 1) return elementKernels(isa).addImmediate;
    if (instruction.q == 0 && std::signbit(instruction.q)) return elementKernels(isa).mulImmediate;
  }
  return elementFunction(isa, instruction.code);
}
}  // namespace webnn::cpu
#endif
