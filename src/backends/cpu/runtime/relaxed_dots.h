// What WebAssembly's relaxed products of bytes are in this browser.
#pragma once

#include "backends/cpu/runtime/features.h"

namespace webnn::cpu {

// Whether they are exact where the first operand is any signed byte and the second any unsigned one (mixedDots) or any signed one
// (signedDots); neither where sums of two of them saturate, or without relaxed SIMD.
CpuFeatures relaxedByteDots();

}  // namespace webnn::cpu
