// Tests how this browser computes WebAssembly's relaxed byte products.
#pragma once

#include "backends/cpu/runtime/features.h"

namespace webnn::cpu {

// Returns mixedDots if products of any signed and any unsigned byte are exact, signedDots if products of two signed bytes are;
// neither if sums of two products saturate, or without relaxed SIMD.
CpuFeatures relaxedByteDots();

}  // namespace webnn::cpu
