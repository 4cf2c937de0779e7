// GEMM of numbers rounded to bfloat16, summed in float32: see docs/explanation/cpu.md, "Reduced precision".
//
// B is packed as bfloat16: [panel][pair of k][column][2], with a row of zeros after an odd k. A tile of A is rounded into scratch
// memory once and then meets all panels. Products of bfloat16 are exact in float32, so instruction sets differ by the order of
// their sums and in denormals alone.
#pragma once

#include "backends/cpu/simd/gemm.h"

namespace webnn::cpu {

// With instructions for pairs of bfloat16 where hasBf16Dots(isa); otherwise they are widened and multiplied as floats. Not in
// WebAssembly. `isa` has no tiles.
const GemmKernels& bf16GemmKernels(Isa isa);

}  // namespace webnn::cpu
