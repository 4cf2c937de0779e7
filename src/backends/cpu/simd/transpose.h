#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// The two innermost loops of a copy: to[i1 * to1 + i0 * to0] = from[i1 * from1 + i0 * from0].
struct CopyPlane {
  std::size_t n1 = 1, n0 = 1;
  std::ptrdiff_t from1 = 0, from0 = 0, to1 = 0, to0 = 0;
};
using CopyKernel = void (*)(const std::byte* from, std::byte* to, const CopyPlane& plane);

// Returns the kernel for elements of 1, 2, 4 or 8 bytes, for planes whose target is contiguous along i0 and whose source is
// contiguous along i1.
CopyKernel transposeKernel(Isa isa, std::size_t elementBytes);

}  // namespace webnn::cpu
