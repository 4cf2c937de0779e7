// GEMM of floats on AMX tiles, which multiply bfloat16 values.
// A float is split into a sum of three bfloat16 values: parts 0, 1 and 2, from the largest to the smallest. The product of two
// floats is the sum of the products of parts i and j with i + j <= 2, with a relative error of at most 2^-24 before it is
// rounded. Fewer products suffice if all last parts are 0, as for float16. Infinities, NaN, and very large or small values are
// not split, because tiles would lose bits. A tile of A or panel of B with such a value is multiplied in float32.
#pragma once

#include "backends/cpu/simd/gemm/gemm.h"

namespace webnn::cpu {

#if defined(__x86_64__)
// Returns the kernels for `isa`, which must have tiles. Tiles of A have up to 32 rows, panels of B up to 32 columns.
// B is packed as three parts, 6 bytes per float, because tiles are loaded from memory. `ofHalves`: B comes only from float16
// values, which have two parts and take 4 bytes.
const GemmKernels& amxGemmKernels(Isa isa, bool ofHalves);

// Returns the kernels that round A and B to bfloat16, so that each value has a single part. Values of any magnitude are allowed.
const GemmKernels& amxBf16Kernels(Isa isa);
#endif

}  // namespace webnn::cpu
