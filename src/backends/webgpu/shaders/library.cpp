#include "backends/webgpu/shaders/library.h"

#include <algorithm>

namespace webnn::webgpu {

namespace {

// WGSL lets an implementation assume that no value is NaN or infinite, and leaves the precision of its built-in functions open:
// an absolute error of 2^-11 for sin, for example. These functions therefore test bits wherever NaN or infinity matters, and
// compute elementary functions by polynomials.
constexpr LibraryFunction kFunctions[] = {
    // Returns x. Shader compilers replace (x + y) - y by x and (x * y) * z by x * (y * z), but not if the inner result passes
    // through an operation on bits with an unknown operand. Shader::whole() sets `unknownZero`, which is always 0.
    // The operation must not be an exclusive or, because a compiler would remove a pair of them.
    {"settled", "", R"(
var<private> unknownZero: u32;
fn settled(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) | unknownZero); }
)"},
    {"fromHalf", "", R"(
fn fromHalf(h: u32) -> f32 {
  let sign = (h & 0x8000u) << 16u;
  let size = h & 0x7fffu;
  if (size >= 0x7c00u) { return bitcast<f32>(sign | 0x7f800000u | ((size & 0x3ffu) << 13u)); }
  if (size < 0x400u) { return bitcast<f32>(sign | bitcast<u32>(f32(size) * 5.9604645e-8f)); }
  return bitcast<f32>(sign | ((size << 13u) + 0x38000000u));
}
)"},
    // Rounds to nearest, ties to even. Drivers may truncate in their own conversions.
    {"toHalf", "", R"(
fn toHalf(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let sign = (bits >> 16u) & 0x8000u;
  let size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) { return sign | 0x7e00u; }
  if (size >= 0x477ff000u) { return sign | 0x7c00u; }
  if (size >= 0x38800000u) { return sign | ((size + 0xfffu + ((size >> 13u) & 1u) - 0x38000000u) >> 13u); }
  if (size < 0x33000000u) { return sign; }
  let shift = 126u - (size >> 23u);
  let digits = (size & 0x7fffffu) | 0x800000u;
  let quotient = digits >> shift;
  let rest = digits & ((1u << shift) - 1u);
  let half = 1u << (shift - 1u);
  return sign | (quotient + select(0u, 1u, rest > half || (rest == half && (quotient & 1u) == 1u)));
}
)"},
    {"nearestInt", "", R"(
fn nearestInt(v: vec2<u32>) -> i32 {
  let low = bitcast<i32>(v.x);
  let high = bitcast<i32>(v.y);
  if (high == (low >> 31u)) { return low; }
  return select(2147483647, -2147483647 - 1, high < 0);
}
)"},
    {"nearestUint", "", R"(
fn nearestUint(v: vec2<u32>) -> u32 { return select(4294967295u, v.x, v.y == 0u); }
)"},
    {"extended", "", R"(
fn extended(v: u32) -> vec2<u32> { return vec2<u32>(v, bitcast<u32>(bitcast<i32>(v) >> 31u)); }
)"},
    // Convert 64-bit integers to floats, rounded to nearest.
    {"floatOfUint64", "", R"(
fn floatOfUint64(v: vec2<u32>) -> f32 {
  if (v.y == 0u) { return f32(v.x); }
  let shift = countLeadingZeros(v.y);
  var top = v.y;
  var rest = v.x;
  if (shift > 0u) {
    top = (v.y << shift) | (v.x >> (32u - shift));
    rest = v.x << shift;
  }
  return f32(top | select(0u, 1u, rest != 0u)) * bitcast<f32>((159u - shift) << 23u);
}
)"},
    {"floatOfInt64", "floatOfUint64", R"(
fn floatOfInt64(v: vec2<u32>) -> f32 {
  if ((v.y >> 31u) == 0u) { return floatOfUint64(v); }
  return -floatOfUint64(vec2<u32>(0u - v.x, ~v.y + select(0u, 1u, v.x == 0u)));
}
)"},
    // Convert floats to 64-bit integers: truncate, and saturate at the ends of the range. NaN gives 0.
    {"uint64Of", "isNaN", R"(
fn uint64Of(x: f32) -> vec2<u32> {
  if (isNaN(x) || x < 1.0f) { return vec2<u32>(0u, 0u); }
  if (x >= 18446744073709551616.0f) { return vec2<u32>(4294967295u, 4294967295u); }
  let e = (bitcast<u32>(x) >> 23u) - 127u;
  let m = (bitcast<u32>(x) & 0x7fffffu) | 0x800000u;
  if (e <= 23u) { return vec2<u32>(m >> (23u - e), 0u); }
  let shift = e - 23u;
  if (shift >= 32u) { return vec2<u32>(0u, m << (shift - 32u)); }
  return vec2<u32>(m << shift, m >> (32u - shift));
}
)"},
    {"int64Of", "uint64Of", R"(
fn int64Of(x: f32) -> vec2<u32> {
  if (x >= 9223372036854775808.0f) { return vec2<u32>(4294967295u, 2147483647u); }
  if (x <= -9223372036854775808.0f) { return vec2<u32>(0u, 2147483648u); }
  let v = uint64Of(abs(x));
  if (isNaN(x) || x > 0.0f) { return v; }
  return vec2<u32>(0u - v.x, ~v.y + select(0u, 1u, v.x == 0u));
}
)"},
    {"isNaN", "", R"(
fn isNaN(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
)"},
    {"isInfinite", "", R"(
fn isInfinite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u; }
)"},
    {"isFinite", "", R"(
fn isFinite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
)"},
    // Maps numbers to integers of the same order. -0 is below +0.
    {"orderOf", "", R"(
fn orderOf(x: f32) -> i32 {
  let bits = bitcast<i32>(x);
  return select(bits, bits ^ 0x7fffffff, bits < 0);
}
)"},
    {"maximum", "isNaN orderOf", R"(
fn maximum(a: f32, b: f32) -> f32 {
  if (isNaN(a)) { return a; }
  if (isNaN(b)) { return b; }
  return select(b, a, orderOf(a) > orderOf(b));
}
)"},
    {"minimum", "isNaN orderOf", R"(
fn minimum(a: f32, b: f32) -> f32 {
  if (isNaN(a)) { return a; }
  if (isNaN(b)) { return b; }
  return select(b, a, orderOf(a) < orderOf(b));
}
)"},
    {"below", "isNaN", R"(
fn below(a: f32, b: f32) -> bool { return !isNaN(a) && !isNaN(b) && a < b; }
)"},
    {"same", "isNaN", R"(
fn same(a: f32, b: f32) -> bool { return !isNaN(a) && !isNaN(b) && a == b; }
)"},
    {"signOf", "", R"(
fn signOf(x: f32) -> f32 {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  if (size == 0u || size > 0x7f800000u) { return 0.0f; }
  return select(1.0f, -1.0f, (bitcast<u32>(x) >> 31u) == 1u);
}
)"},
    // Rounds to nearest, ties to even. All numbers from 2^23 on are integers.
    {"roundEven", "", R"(
fn roundEven(x: f32) -> f32 {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  if (size >= 0x4b000000u) { return x; }
  let sign = bitcast<u32>(x) & 0x80000000u;
  let a = bitcast<f32>(size);
  let whole = u32(a);
  let rest = a - f32(whole);
  let up = rest > 0.5f || (rest == 0.5f && (whole & 1u) == 1u);
  return bitcast<f32>(sign | bitcast<u32>(f32(whole + select(0u, 1u, up))));
}
)"},
    {"roundDown", "", R"(
fn roundDown(x: f32) -> f32 {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  if (size >= 0x4b000000u || size == 0u) { return x; }
  let whole = f32(i32(x));
  let isNegative = (bitcast<u32>(x) >> 31u) == 1u;
  let result = select(whole, whole - 1.0f, whole > x);
  return select(result, bitcast<f32>(bitcast<u32>(abs(result)) | 0x80000000u), isNegative);
}
)"},
    // Returns x * 2^n; 0 if x or the result is denormal, and infinity if the result overflows. Works on bits, because shader
    // compilers may reorder products with constants, so that they overflow.
    {"shifted", "", R"(
fn shifted(x: f32, n: i32) -> f32 {
  let bits = bitcast<u32>(x);
  let old = i32((bits >> 23u) & 0xffu);
  if (old == 255) { return x; }
  let e = old + n;
  if (old == 0 || e <= 0) { return bitcast<f32>(bits & 0x80000000u); }
  return bitcast<f32>(select((bits & 0x807fffffu) | (u32(e) << 23u), (bits & 0x80000000u) | 0x7f800000u, e >= 255));
}
)"},
    // Returns x * 2^n, but not 0 unless x is 0, because products of 0 and infinity would be NaN.
    {"shiftedFactor", "shifted", R"(
fn shiftedFactor(x: f32, n: i32) -> f32 {
  let bits = bitcast<u32>(x);
  let y = shifted(x, n);
  let isLost = (bits & 0x7fffffffu) != 0u && (bitcast<u32>(y) & 0x7fffffffu) == 0u;
  return select(y, bitcast<f32>((bits & 0x80000000u) | 0x00800000u), isLost);
}
)"},
    // Returns x * 2^n.
    {"scaled", "", R"(
fn scaled(x: f32, n: i32) -> f32 {
  let half = n / 2;
  return x * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(n - half + 127) << 23u);
}
)"},
    // exponentialOfPart(r, n) returns exp(r) * 2^n for a small r.
    {"exponential", "isNaN scaled", R"(
fn exponentialOfPart(r: f32, n: i32) -> f32 {
  let p = ((((1.9875691e-4f * r + 1.3981999e-3f) * r + 8.3334519e-3f) * r + 4.1665796e-2f) * r + 1.6666666e-1f) * r + 0.5f;
  return scaled(p * r * r + r + 1.0f, n);
}
fn exponential(x: f32) -> f32 {
  if (isNaN(x)) { return x; }
  if (x > 88.73f) { return fromBits(0x7f800000u); }
  if (x < -103.98f) { return 0.0f; }
  let n = i32(floor(x * 1.44269504f + 0.5f));
  return exponentialOfPart((x - f32(n) * 0.693359375f) + f32(n) * 2.12194440e-4f, n);
}
)"},
    {"logarithm", "isNaN", R"(
fn logarithm(x: f32) -> f32 {
  var bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) == 0u) { return fromBits(0xff800000u); }
  if (bits > 0x7f800000u) { return fromBits(0x7fc00000u); }
  if (bits == 0x7f800000u) { return x; }
  var e = i32(bits >> 23u) - 126;
  if (e == -126) {
    let zeros = countLeadingZeros(bits) - 8u;
    bits = bits << zeros;
    e = -125 - i32(zeros);
  }
  var m = bitcast<f32>((bits & 0x7fffffu) | 0x3f000000u);
  if (m < 0.70710678f) { e -= 1; m = m + m - 1.0f; } else { m = m - 1.0f; }
  let z = m * m;
  var p = ((((((((7.0376836e-2f * m - 1.1514610e-1f) * m + 1.1676998e-1f) * m - 1.2420141e-1f) * m + 1.4249323e-1f) * m
      - 1.6668057e-1f) * m + 2.0000714e-1f) * m - 2.4999994e-1f) * m + 3.3333331e-1f) * m * z;
  p = p + f32(e) * -2.12194440e-4f - 0.5f * z;
  return m + p + f32(e) * 0.693359375f;
}
)"},
    // Returns log(1 + x) for x from 0 to 1.
    {"logarithmOfSum", "logarithm settled", R"(
fn logarithmOfSum(x: f32) -> f32 {
  if (x < 1e-4f) { return x - 0.5f * x * x; }
  let sum = settled(1.0f + x);
  return logarithm(sum) + (x - settled(sum - 1.0f)) / sum;
}
)"},
    // Returns x without its last 12 bits: products of two such numbers are exact.
    {"leading", "", R"(
fn leading(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }
)"},
    // Returns a^b for a >= 0. Represents log(a) as a sum of two floats, because its error is multiplied by b. The logarithm is
    // 2 * atanh(q) with q = (m - 1) / (m + 1) for the mantissa m, plus the exponent times log(2).
    {"powerOfSize", "isInfinite exponential logarithm leading settled", R"(
fn powerOfSize(a: f32, b: f32) -> f32 {
  let rough = b * logarithm(a);
  if (isInfinite(a) || bitcast<u32>(a) == 0u || abs(rough) > 105.0f || abs(rough) < 1e-3f) { return exponential(rough); }
  var bits = bitcast<u32>(a);
  var e = i32(bits >> 23u) - 126;
  if (e == -126) {
    let zeros = countLeadingZeros(bits) - 8u;
    bits = bits << zeros;
    e = -125 - i32(zeros);
  }
  var m = bitcast<f32>((bits & 0x7fffffu) | 0x3f000000u);
  if (m < 0.70710678f) { e -= 1; m = m + m; }
  let f = settled(m - 1.0f);
  let d = settled(m + 1.0f);
  let dHigh = leading(d);
  let dLow = settled(d - dHigh) + (f - settled(d - 2.0f));
  let q = leading(f / d);
  let qLow = settled(settled(f - settled(q * dHigh)) - q * dLow) / d;
  let z = (q + qLow) * (q + qLow);
  let tail = 2.0f * (q + qLow) * z * (0.33333333f + z * (0.2f + z * (0.14285714f + z * (0.11111111f + z * 0.09090909f))));
  let whole = settled(f32(e) * 0.693359375f);
  let sum = settled(whole + 2.0f * q);
  let low = settled(2.0f * q - settled(sum - whole)) + (2.0f * qLow + (f32(e) * -2.12194440e-4f + tail));
  let high = leading(settled(sum + low));
  let rest = settled(sum - high) + low;
  let bHigh = leading(b);
  let product = settled(bHigh * high);
  let correction = settled(bHigh * rest) + settled(settled(b - bHigh) * settled(high + rest));
  let n = i32(floor((product + correction) * 1.44269504f + 0.5f));
  let part = settled(settled(product - settled(f32(n) * 0.693359375f)) + settled(f32(n) * 2.12194440e-4f + correction));
  return exponentialOfPart(part, n);
}
)"},
    // Whole exponents from -24 to 24 are computed by products, which are exact for small results.
    {"power", "isNaN isInfinite powerOfSize", R"(
fn power(a: f32, b: f32) -> f32 {
  let sizeA = bitcast<u32>(a) & 0x7fffffffu;
  let sizeB = bitcast<u32>(b) & 0x7fffffffu;
  if (sizeB == 0u || bitcast<u32>(a) == 0x3f800000u) { return 1.0f; }
  if (isNaN(a)) { return a; }
  if (isNaN(b)) { return b; }
  let isWhole = sizeB >= 0x4b000000u || f32(i32(b)) == b;
  let isOdd = isWhole && sizeB < 0x4b800000u && (i32(b) & 1) == 1;
  let isNegative = (bitcast<u32>(a) >> 31u) == 1u && sizeA != 0u;
  if (isNegative && !isWhole && !isInfinite(a)) { return fromBits(0x7fc00000u); }
  let size = bitcast<f32>(sizeA);
  var result = 1.0f;
  if (isWhole && sizeB <= 0x41c00000u) {
    var base = size;
    for (var n = u32(abs(b)); n > 0u; n = n >> 1u) {
      if ((n & 1u) == 1u) { result = result * base; }
      base = base * base;
    }
    if (b < 0.0f) { result = 1.0f / result; }
  } else if (sizeA == 0x3f800000u) {
    result = 1.0f;
  } else {
    result = powerOfSize(size, b);
  }
  let isFlipped = isOdd && (bitcast<u32>(a) >> 31u) == 1u;
  return select(result, bitcast<f32>(bitcast<u32>(result) | 0x80000000u), isFlipped);
}
)"},
    // Returns 1 - erf(z) for z >= 0.5, where z * z = high + low. Computes exp(-high) separately: rounding high + low would cause
    // an error that grows with z.
    {"errorComplement", "exponential", R"(
fn errorComplementOfParts(z: f32, high: f32, low: f32) -> f32 {
  if (z > 10.1f) { return 0.0f; }
  let t = 1.0f / (1.0f + 0.5f * z);
  let p = (((((((((-0.14318351f * t + 0.97981822f) * t - 2.8092756f) * t + 4.2727880f) * t - 3.5892131f) * t + 1.6941450f) * t
      - 0.72471273f) * t + 0.22966301f) * t + 0.35378766f) * t + 1.0017585f) * t - 1.2655754f;
  return t * exponential(p - low) * exponential(-high);
}
fn errorComplement(z: f32) -> f32 { return errorComplementOfParts(z, z * z, 0.0f); }
)"},
    {"errorNearZero", "", R"(
fn errorNearZero(x: f32) -> f32 {
  let z = x * x;
  return x * (((((((-9.6735903e-6f * z + 1.1268254e-4f) * z - 8.4843964e-4f) * z + 5.2210535e-3f) * z - 2.6865438e-2f) * z
      + 1.1283783e-1f) * z - 3.7612638e-1f) * z + 1.1283792f);
}
)"},
    {"errorFunction", "isNaN errorComplement errorNearZero", R"(
fn errorFunction(x: f32) -> f32 {
  if (isNaN(x)) { return x; }
  let z = abs(x);
  if (z < 1.0f) { return errorNearZero(x); }
  return select(1.0f, -1.0f, x < 0.0f) * (1.0f - errorComplement(z));
}
)"},
    // Uses the complement, so that small results keep their digits. Gives NaN for -infinity, like the specification's expression.
    {"gelu", "isNaN isInfinite errorComplement errorNearZero leading settled", R"(
fn gelu(x: f32) -> f32 {
  if (isNaN(x)) { return x; }
  if (isInfinite(x)) { return select(x, fromBits(0x7fc00000u), x < 0.0f); }
  let z = x * 0.70710678f;
  if (abs(z) < 0.5f) { return 0.5f * x * (1.0f + errorNearZero(z)); }
  let high = leading(x);
  let c = errorComplementOfParts(abs(z), 0.5f * high * high, 0.5f * settled(x - high) * settled(x + high));
  return 0.5f * x * select(2.0f - c, c, x < 0.0f);
}
)"},
    {"hardSwish", "maximum minimum", R"(
fn hardSwish(x: f32) -> f32 { return x * (maximum(0.0f, minimum(6.0f, x + 3.0f)) / 6.0f); }
)"},
    {"sigmoid", "isNaN exponential", R"(
fn sigmoid(x: f32) -> f32 {
  let e = exponential(-abs(x));
  if (isNaN(x)) { return x; }
  return select(1.0f, e, x < 0.0f) / (1.0f + e);
}
)"},
    {"softplus", "maximum exponential logarithmOfSum", R"(
fn softplus(x: f32) -> f32 { return maximum(0.0f, x) + logarithmOfSum(exponential(-abs(x))); }
)"},
    // Returns 0 * x: NaN if x is NaN or infinite.
    {"zeroTimes", "", R"(
fn zeroTimes(x: f32) -> f32 { return select(0.0f, fromBits(0x7fc00000u), (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u); }
)"},
    // Returns x / x.
    {"ownQuotient", "", R"(
fn ownQuotient(x: f32) -> f32 {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  return select(1.0f, fromBits(0x7fc00000u), size == 0u || size >= 0x7f800000u);
}
)"},
    {"prelu", "maximum minimum", R"(
fn prelu(x: f32, slope: f32) -> f32 { return slope * minimum(x, 0.0f) + maximum(x, 0.0f); }
)"},
    {"softsign", "isInfinite", R"(
fn softsign(x: f32) -> f32 {
  if (isInfinite(x)) { return fromBits(0x7fc00000u); }
  return x / (1.0f + abs(x));
}
)"},
    {"hyperbolicTangent", "isNaN exponential", R"(
fn hyperbolicTangent(x: f32) -> f32 {
  if (isNaN(x)) { return x; }
  let a = abs(x);
  if (a < 0.625f) {
    let z = x * x;
    let p = (((-5.7049861e-3f * z + 2.0639088e-2f) * z - 5.3739720e-2f) * z + 1.3331443e-1f) * z - 3.3333281e-1f;
    return p * z * x + x;
  }
  return select(1.0f, -1.0f, x < 0.0f) * (1.0f - 2.0f / (exponential(min(a, 20.0f) * 2.0f) + 1.0f));
}
)"},
    // Returns exp(x) - 1 for x <= 0.
    {"exponentialMinusOne", "exponential", R"(
fn exponentialMinusOne(x: f32) -> f32 {
  if (x > -0.35f) {
    return x * (1.0f + x * (0.5f + x * (0.16666667f + x * (0.041666667f + x * (8.3333333e-3f + x * (1.3888889e-3f
        + x * 1.9841270e-4f))))));
  }
  return exponential(x) - 1.0f;
}
)"},
    {"elu", "isNaN exponentialMinusOne", R"(
fn elu(x: f32, alpha: f32) -> f32 {
  if (isNaN(x) || x > 0.0f) { return x; }
  return alpha * exponentialMinusOne(x);
}
)"},
    // Multiplies by 2 / pi with 96 bits of the product, for angles of any size. Returns the quadrant in x and the fraction of a
    // quarter turn, from -0.5 to 0.5, in y as the bits of a float.
    {"reduceLarge", "wideProduct", R"(
fn reduceLarge(size: u32) -> vec2<u32> {
  var digits = array<u32, 9>(0u, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);
  let e = (size >> 23u) - 118u;
  let m = (size & 0x7fffffu) | 0x800000u;
  let shift = e & 31u;
  let first = e >> 5u;
  var window: array<u32, 4>;
  for (var k = 0u; k < 4u; k++) {
    let high = digits[first + k];
    let low = digits[first + k + 1u];
    window[k] = select((high << shift) | (low >> (32u - shift)), high, shift == 0u);
  }
  let p3 = wideProduct(m, window[3]);
  let p2 = wideProduct(m, window[2]);
  let p1 = wideProduct(m, window[1]);
  let r2 = p2.x + p3.y;
  let carry2 = select(0u, 1u, r2 < p2.x);
  let s1 = p1.x + p2.y;
  let carry1 = select(0u, 1u, s1 < p1.x);
  let r1 = s1 + carry2;
  let carry0 = carry1 + select(0u, 1u, r1 < s1);
  let r0 = m * window[0] + p1.y + carry0;
  let half = r1 >> 31u;
  var quadrant = r0 + half;
  var high = r1;
  var low = r2;
  if (half == 1u) { high = ~high; low = ~low; }
  let fraction = f32(high) * 2.3283064e-10f + f32(low) * 5.4210109e-20f;
  return vec2<u32>(quadrant, bitcast<u32>(select(fraction, -fraction, half == 1u)));
}
)"},
    // Returns the quadrant in x, and the angle within it, from -pi / 4 to pi / 4, in y as the bits of a float.
    {"reduceAngle", "reduceLarge", R"(
fn reduceAngle(a: f32) -> vec2<u32> {
  if (a > 8192.0f) {
    let large = reduceLarge(bitcast<u32>(a));
    return vec2<u32>(large.x, bitcast<u32>(bitcast<f32>(large.y) * 1.5707964f));
  }
  let n = floor(a * 0.63661977f + 0.5f);
  let r = ((a - n * 1.5703125f) - n * 4.8375129e-4f) - n * 7.5497899e-8f;
  return vec2<u32>(u32(n), bitcast<u32>(r));
}
fn sineOfQuadrant(q: u32, r: f32) -> f32 {
  let z = r * r;
  let s = ((-1.9515296e-4f * z + 8.3321609e-3f) * z - 1.6666655e-1f) * z * r + r;
  let c = ((2.4433157e-5f * z - 1.3887316e-3f) * z + 4.1666646e-2f) * z * z - 0.5f * z + 1.0f;
  let v = select(s, c, (q & 1u) == 1u);
  return select(v, -v, (q & 2u) == 2u);
}
)"},
    {"squareRoot", "", R"(
fn squareRoot(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (bits > 0x7f800000u && bits != 0x80000000u) { return fromBits(0x7fc00000u); }
  if ((bits & 0x7fffffffu) == 0u || bits == 0x7f800000u) { return x; }
  return sqrt(x);
}
)"},
    {"sine", "reduceAngle", R"(
fn sine(x: f32) -> f32 {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  if (size >= 0x7f800000u) { return fromBits(0x7fc00000u); }
  let q = reduceAngle(bitcast<f32>(size));
  let s = sineOfQuadrant(q.x, bitcast<f32>(q.y));
  return bitcast<f32>(bitcast<u32>(s) ^ (bitcast<u32>(x) & 0x80000000u));
}
)"},
    {"cosine", "reduceAngle", R"(
fn cosine(x: f32) -> f32 {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  if (size >= 0x7f800000u) { return fromBits(0x7fc00000u); }
  let q = reduceAngle(bitcast<f32>(size));
  return sineOfQuadrant(q.x + 1u, bitcast<f32>(q.y));
}
)"},
    {"tangent", "sine cosine", R"(
fn tangent(x: f32) -> f32 { return sine(x) / cosine(x); }
)"},
    {"clamped", "maximum minimum", R"(
fn clamped(x: f32, low: f32, high: f32) -> f32 { return minimum(maximum(x, low), high); }
)"},
    // Splits a square into parts for sums of squares that neither overflow nor underflow: small, ordinary and large numbers are
    // summed separately, each with its own scale.
    {"squareParts", "shifted", R"(
fn squareParts(x: f32) -> vec3<f32> {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  let y = shifted(x, select(select(0, -80, size > 0x56000000u), 80, size < 0x26800000u));
  let square = y * y;
  return select(select(vec3<f32>(0.0f, square, 0.0f), vec3<f32>(0.0f, 0.0f, square), size > 0x56000000u),
                vec3<f32>(square, 0.0f, 0.0f), size < 0x26800000u);
}
)"},
    // Returns sqrt(s * factor + epsilon), where s is the sum of squares that v, a sum of squareParts(), represents.
    {"rootOfSquares", "squareRoot shifted", R"(
fn rootOfSquares(v: vec3<f32>, factor: f32, epsilon: f32) -> f32 {
  if ((bitcast<u32>(v.z) & 0x7fffffffu) != 0u) { return shifted(squareRoot((v.z + shifted(v.y, -160)) * factor), 80); }
  if ((bitcast<u32>(v.y) & 0x7fffffffu) != 0u || epsilon > 1e-20f) {
    return squareRoot((v.y + shifted(v.x, -160)) * factor + epsilon);
  }
  return shifted(squareRoot(v.x * factor + shifted(epsilon, 160)), -80);
}
)"},
    // Splits a number into parts for sums without intermediate overflow: ordinary numbers, and large numbers, which are scaled.
    {"sumParts", "", R"(
fn sumParts(x: f32) -> vec2<f32> {
  return select(vec2<f32>(x, 0.0f), vec2<f32>(0.0f, x * 9.0949470e-13f), (bitcast<u32>(x) & 0x7fffffffu) > 0x5d800000u);
}
)"},
    {"sumOfParts", "", R"(
fn sumOfParts(v: vec2<f32>) -> f32 { return v.x + v.y * 1.0995116e12f; }
)"},
    {"logarithmOfParts", "logarithm", R"(
fn logarithmOfParts(v: vec2<f32>) -> f32 {
  if ((bitcast<u32>(v.y) & 0x7fffffffu) == 0u) { return logarithm(v.x); }
  return logarithm(v.y + v.x * 9.0949470e-13f) + 27.725887f;
}
)"},
    // Represents a product as mantissa and exponent, so that no intermediate product overflows.
    {"productParts", "", R"(
fn productParts(x: f32) -> vec2<f32> {
  let bits = bitcast<u32>(x);
  let e = (bits >> 23u) & 0xffu;
  if (e == 0u || e == 255u) { return vec2<f32>(x, 0.0f); }
  return vec2<f32>(bitcast<f32>((bits & 0x807fffffu) | 0x3f800000u), f32(i32(e) - 127));
}
fn productOfParts(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let m = productParts(a.x * b.x);
  return vec2<f32>(m.x, m.y + a.y + b.y);
}
)"},
    {"valueOfParts", "scaled", R"(
fn valueOfParts(v: vec2<f32>) -> f32 {
  let n = i32(clamp(v.y, -200.0f, 200.0f));
  return scaled(scaled(v.x, n / 2), n - n / 2);
}
)"},
    // Combines partial results of log(sum(exp(x))): the maximum, and the sum of exponentials relative to the maximum.
    {"combinedExponentials", "maximum exponential", R"(
fn relativeTo(v: vec2<f32>, most: f32) -> f32 {
  if (bitcast<u32>(v.x) == bitcast<u32>(most)) { return v.y; }
  return v.y * exponential(v.x - most);
}
fn combinedExponentials(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let most = maximum(a.x, b.x);
  return vec2<f32>(most, relativeTo(a, most) + relativeTo(b, most));
}
)"},
    // Returns the integer nearest to x, plus the zero point, clamped to [low, high]; 0 for NaN.
    {"codeOf", "isNaN roundEven", R"(
fn codeOf(x: f32, zeroPoint: f32, low: f32, high: f32) -> f32 {
  if (isNaN(x)) { return 0.0f; }
  return clamp(roundEven(clamp(x, -1e6f, 1e6f)) + zeroPoint, low, high);
}
)"},
};

}  // namespace

const LibraryFunction* libraryFunction(std::string_view name) {
  for (const std::span<const LibraryFunction> functions : {std::span<const LibraryFunction>(kFunctions), integerFunctions()}) {
    const auto found = std::ranges::find(functions, name, &LibraryFunction::name);
    if (found != functions.end()) return &*found;
  }
  return nullptr;
}

}  // namespace webnn::webgpu
