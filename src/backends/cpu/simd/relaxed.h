// WebAssembly with relaxed SIMD: MulAdd is one instruction, of which Highway makes two. Every kernel of that variant includes
// this first, by an option of the compiler. How often such an instruction rounds is the browser's choice, but always the same
// one.
#pragma once

// There is one target, of which this comes first in place of the kernel's own include.
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
