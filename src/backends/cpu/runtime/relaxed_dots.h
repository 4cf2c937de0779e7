// Detects how this browser computes WebAssembly's relaxed dot products of bytes, which the specification leaves open.
#pragma once

#include "backends/cpu/runtime/features.h"

namespace webnn::cpu {

// Returns mixedDots if signed times unsigned products are exact, signedDots if signed times signed products are. Returns neither
// without relaxed SIMD, or if sums of two products saturate.
CpuFeatures relaxedByteDots();

}  // namespace webnn::cpu
