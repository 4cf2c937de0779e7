// Highway's foreach_target.h compiles each kernel file once per instruction set; WEBNN_SELECT picks one of the variants.
//
// A kernel file src/backends/cpu/simd/foo.cpp (CMakeLists.txt finds it) has this form:
//
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "backends/cpu/simd/foo.cpp"
//   #include <hwy/foreach_target.h>  // must come before highway.h
//   #include <hwy/highway.h>
//   #include "backends/cpu/simd/foo.h"        // struct FooKernels { void (*doIt)(...); ... }; const FooKernels& fooKernels(Isa);
//
//   HWY_BEFORE_NAMESPACE();
//   namespace webnn::cpu {
//   namespace HWY_NAMESPACE {
//   namespace hn = hwy::HWY_NAMESPACE;
//   namespace { ... kernels ... }  // of internal linkage: every file has its own
//   const FooKernels& fooTable() { static constexpr FooKernels table{doIt}; return table; }
//   }  // namespace HWY_NAMESPACE
//   }  // namespace webnn::cpu
//   HWY_AFTER_NAMESPACE();
//
//   #if HWY_ONCE
//   namespace webnn::cpu {
//   const FooKernels& fooKernels(Isa isa) { WEBNN_SELECT(isa, fooTable); }
//   }
//   #endif
//
// Use unaligned loads and stores (LoadU, StoreU) for tensors. Do not include Highway outside these files, and use nothing that
// needs its library (no HWY_DYNAMIC_DISPATCH, no Abort).
#pragma once

#include <hwy/detect_targets.h>

#include "backends/cpu/runtime/isa.h"

#if HWY_ARCH_X86_64
#define WEBNN_SELECT(isa, function)              \
  switch (isa) {                                 \
    case Isa::amxEmulated:                       \
    case Isa::amxAlways:                         \
    case Isa::amx:                               \
    case Isa::avx512: return N_AVX3::function(); \
    case Isa::avx2: return N_AVX2::function();   \
    default: break;                              \
  }                                              \
  return N_SSE4::function()
#else
#define WEBNN_SELECT(isa, function) \
  static_cast<void>(isa);           \
  return HWY_STATIC_DISPATCH(function)()
#endif
