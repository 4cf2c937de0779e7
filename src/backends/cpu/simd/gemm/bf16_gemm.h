// GEMM of values rounded to bfloat16 with float32 sums: see docs/explanation/cpu.md, "Reduced precision".
// B is packed as [panel][pair of k][column][2], with a row of zeros after an odd k. A tile of A is rounded into scratch once and
// then multiplied by all panels. Products of bfloat16 are exact in float32, so instruction sets differ only by the order of sums
// and in denormals.
#pragma once

#include "backends/cpu/simd/gemm/gemm.h"

namespace webnn::cpu {

// Returns kernels that use AVX512-BF16 if hasBf16Dots(isa), and otherwise kernels that widen bfloat16 to float32. On WebAssembly,
// returns the float32 kernels, which do not round. `isa` must not have AMX tiles.
const GemmKernels& bf16GemmKernels(Isa isa);

}  // namespace webnn::cpu
