// WebAssembly with relaxed SIMD: MulAdd becomes one instruction instead of Highway's two. The compiler option -include puts this
// file before each kernel file of that variant. The browser decides whether the instruction rounds once or twice, but always in
// the same way.
#pragma once

// WebAssembly has only one Highway target, so foreach_target.h can be included here instead of in the kernel file.
#define HWY_TARGET_INCLUDE "backends/cpu/simd/relaxed.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace hwy::HWY_NAMESPACE {

template <std::size_t kN>
HWY_API Vec128<float, kN> MulAdd(Vec128<float, kN> factor, Vec128<float, kN> x, Vec128<float, kN> addend) {
  return Vec128<float, kN>{wasm_f32x4_relaxed_madd(factor.raw, x.raw, addend.raw)};
}
template <std::size_t kN>
HWY_API Vec128<float, kN> NegMulAdd(Vec128<float, kN> factor, Vec128<float, kN> x, Vec128<float, kN> addend) {
  return Vec128<float, kN>{wasm_f32x4_relaxed_nmadd(factor.raw, x.raw, addend.raw)};
}

}  // namespace hwy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
