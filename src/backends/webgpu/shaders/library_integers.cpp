// Arithmetic of integers. 64-bit integers are pairs of 32-bit words, the low word first, so that shaders need no optional
// feature.
#include "backends/webgpu/shaders/library.h"

namespace webnn::webgpu {

namespace {

constexpr LibraryFunction kIntegerFunctions[] = {
    // Quotients of 32-bit integers: x / 0 is 0, and lowest / -1 is lowest.
    {"div32", "", R"(
fn div32(a: u32, b: u32) -> u32 { return select(a / max(b, 1u), 0u, b == 0u); }
)"},
    {"divSigned32", "", R"(
fn divSigned32(a: i32, b: i32) -> i32 {
  return select(select(a / select(b, 1, b == 0 || b == -1), -a, b == -1), 0, b == 0);
}
)"},
    {"pow32", "", R"(
fn pow32(a: u32, b: u32) -> u32 {
  var result = 1u;
  var base = a;
  for (var n = b; n != 0u; n = n / 2u) {
    if (n % 2u != 0u) { result = result * base; }
    base = base * base;
  }
  return result;
}
)"},
    // For a negative exponent, returns 1 / a^-b, truncated; 0 if a is 0.
    {"powSigned32", "pow32", R"(
fn powSigned32(a: i32, b: i32) -> i32 {
  if (b >= 0) { return bitcast<i32>(pow32(bitcast<u32>(a), bitcast<u32>(b))); }
  return select(select(0, select(-1, 1, b % 2 == 0), a == -1), 1, a == 1);
}
)"},
    // Returns the 64-bit product.
    {"wideProduct", "", R"(
fn wideProduct(a: u32, b: u32) -> vec2<u32> {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let m1 = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let m2 = (a & 0xffffu) * (b >> 16u) + (m1 & 0xffffu);
  return vec2<u32>((low & 0xffffu) | (m2 << 16u), (a >> 16u) * (b >> 16u) + (m1 >> 16u) + (m2 >> 16u));
}
)"},
    {"add64", "", R"(
fn add64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}
)"},
    {"sub64", "", R"(
fn sub64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}
)"},
    {"neg64", "sub64", R"(
fn neg64(a: vec2<u32>) -> vec2<u32> { return sub64(vec2<u32>(0u, 0u), a); }
)"},
    {"abs64", "neg64", R"(
fn abs64(a: vec2<u32>) -> vec2<u32> { return select(a, neg64(a), (a.y >> 31u) == 1u); }
)"},
    {"mul64", "wideProduct", R"(
fn mul64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = wideProduct(a.x, b.x);
  return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}
)"},
    {"same64", "", R"(
fn same64(a: vec2<u32>, b: vec2<u32>) -> bool { return a.x == b.x && a.y == b.y; }
)"},
    {"below64", "", R"(
fn below64(a: vec2<u32>, b: vec2<u32>) -> bool { return a.y < b.y || (a.y == b.y && a.x < b.x); }
)"},
    {"belowSigned64", "", R"(
fn belowSigned64(a: vec2<u32>, b: vec2<u32>) -> bool {
  return bitcast<i32>(a.y) < bitcast<i32>(b.y) || (a.y == b.y && a.x < b.x);
}
)"},
    // Returns a / b, or 0 if b is 0. If a shift of the remainder loses its top bit, the subtraction of b compensates.
    {"div64", "below64 sub64", R"(
fn div64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  if (b.x == 0u && b.y == 0u) { return vec2<u32>(0u, 0u); }
  if (a.y == 0u && b.y == 0u) { return vec2<u32>(a.x / b.x, 0u); }
  var quotient = vec2<u32>(0u, 0u);
  var rest = vec2<u32>(0u, 0u);
  for (var i = 0u; i < 64u; i++) {
    let bit = 63u - i;
    let digit = select(a.x >> bit, a.y >> (bit & 31u), bit >= 32u) & 1u;
    let isBeyond = (rest.y >> 31u) == 1u;
    rest = vec2<u32>((rest.x << 1u) | digit, (rest.y << 1u) | (rest.x >> 31u));
    quotient = vec2<u32>(quotient.x << 1u, (quotient.y << 1u) | (quotient.x >> 31u));
    if (isBeyond || !below64(rest, b)) {
      rest = sub64(rest, b);
      quotient.x = quotient.x | 1u;
    }
  }
  return quotient;
}
)"},
    {"divSigned64", "div64 abs64", R"(
fn divSigned64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let size = div64(abs64(a), abs64(b));
  return select(size, neg64(size), ((a.y ^ b.y) >> 31u) == 1u);
}
)"},
    {"pow64", "mul64", R"(
fn pow64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  var result = vec2<u32>(1u, 0u);
  var base = a;
  var n = b;
  while (n.x != 0u || n.y != 0u) {
    if ((n.x & 1u) == 1u) { result = mul64(result, base); }
    base = mul64(base, base);
    n = vec2<u32>((n.x >> 1u) | (n.y << 31u), n.y >> 1u);
  }
  return result;
}
)"},
    // For a negative exponent, returns 1 / a^-b, truncated; 0 if a is 0.
    {"powSigned64", "pow64", R"(
fn powSigned64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  if ((b.y >> 31u) == 0u) { return pow64(a, b); }
  if (a.x == 1u && a.y == 0u) { return a; }
  if (a.x != 4294967295u || a.y != 4294967295u) { return vec2<u32>(0u, 0u); }
  return select(a, vec2<u32>(1u, 0u), (b.x & 1u) == 0u);
}
)"},
    {"sign64", "", R"(
fn sign64(a: vec2<u32>) -> vec2<u32> {
  if ((a.y >> 31u) == 1u) { return vec2<u32>(4294967295u, 4294967295u); }
  return vec2<u32>(select(0u, 1u, (a.x | a.y) != 0u), 0u);
}
)"},
};

}  // namespace

std::span<const LibraryFunction> integerFunctions() { return kIntegerFunctions; }

}  // namespace webnn::webgpu
