// GEMM of floats by the tiles of AMX, which multiply bfloat16.
//
// A float is split into the sum of three bfloat16 values: its parts 0, 1 and 2, the largest first. Of the nine products of the
// parts of two floats, those of parts i and j with i + j <= 2 give the product to within 2^-24 of it. Fewer products suffice
// where all last parts are 0, as for halves. Infinities, NaN, and numbers so large or small that tiles would lose bits of them
// are not split: where a tile of A or a panel of B has such numbers, the two are multiplied as floats instead.
#pragma once

#include "backends/cpu/simd/gemm.h"

namespace webnn::cpu {

#if defined(__x86_64__)
// For an instruction set with tiles. Tiles of A have up to 32 rows, panels of B up to 32 columns.
//
// A tile is loaded from memory that holds what it multiplies, so B is packed as its parts: 6 bytes for a float. `ofHalves`: B is
// packed from halves alone, which are two parts and take 4 bytes.
const GemmKernels& amxGemmKernels(Isa isa, bool ofHalves);

// The same of numbers rounded to bfloat16 instead, which are one part and may be any.
const GemmKernels& amxBf16Kernels(Isa isa);
#endif

}  // namespace webnn::cpu
