// GEMM of floats on AMX tiles, which multiply bfloat16.
// A float is split into the sum of three bfloat16 values, its parts 0, 1 and 2 from the largest. The products of parts i and j
// with i + j <= 2 give the product of two floats to within 2^-24 of it. If all last parts are 0, as for float16, fewer products
// suffice. Infinities, NaN, and values so large or small that tiles would lose bits are not split: a tile of A or panel of B that
// contains one is multiplied in float32.
#pragma once

#include "backends/cpu/simd/gemm.h"

namespace webnn::cpu {

#if defined(__x86_64__)
// Requires an instruction set with tiles. Tiles of A have up to 32 rows, panels of B up to 32 columns.
// B is packed as its parts, 6 bytes per float, because tiles are loaded from memory. `ofHalves`: B comes from float16 alone,
// which has two parts and takes 4 bytes.
const GemmKernels& amxGemmKernels(Isa isa, bool ofHalves);

// Returns the kernels for values rounded to bfloat16, which have one part and any magnitude.
const GemmKernels& amxBf16Kernels(Isa isa);
#endif

}  // namespace webnn::cpu
