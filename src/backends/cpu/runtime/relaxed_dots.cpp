#include "backends/cpu/runtime/relaxed_dots.h"

#if defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>

#include <cstdint>
#endif

namespace webnn::cpu {

#if defined(__wasm_relaxed_simd__)

namespace {

// Returns whether this browser's relaxed dot product of four pairs (a, b), added to 1, is 4 * product + 1.
bool isExact(std::int8_t a, std::uint8_t b, std::int32_t product) {
  volatile std::int8_t factor = a;  // volatile, so that the compiler cannot compute the result itself
  const v128_t sums = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(wasm_i8x16_splat(factor), wasm_u8x16_splat(b), wasm_i32x4_splat(1));
  return wasm_i32x4_extract_lane(sums, 0) == 4 * product + 1;
}

}  // namespace

CpuFeatures relaxedByteDots() {
  // Tests products of extreme values. The bytes 0x80 and 0xFF are 128 and 255 if unsigned, and -128 and -1 if signed.
  CpuFeatures found;
  found.add(CpuFeature::mixedDots, isExact(-128, 0xFF, -32640) && isExact(127, 0xFF, 32385) && isExact(-128, 0x80, -16384));
  found.add(CpuFeature::signedDots, isExact(-128, 0x80, 16384) && isExact(127, 0x80, -16256) && isExact(-128, 0xFF, 128));
  return found;
}

#else

CpuFeatures relaxedByteDots() { return {}; }

#endif

}  // namespace webnn::cpu
