// Transposing matrices of small elements.
#pragma once

#include "cpu/isa.h"
#include "cpu/strided_copy.h"

namespace webnn::cpu {

// The kernel for planes whose inner loop has no gaps in the target and whose outer loop has none in the source, for
// elements of 1, 2, 4 or 8 bytes.
CopyKernel transposeKernel(Isa isa, std::size_t elementBytes);

}  // namespace webnn::cpu
