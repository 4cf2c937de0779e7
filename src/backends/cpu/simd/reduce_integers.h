// Folds integers (sums, maxima and minima) down columns. Elements may have any alignment.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// Combines `rows` rows of `columns` elements into the `columns` results at `to`. The rows are `step` bytes apart.
using FoldIntegers = void (*)(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, std::byte* to);

struct IntegerKernels {
  FoldIntegers sum32;                  // wraps
  FoldIntegers greatest[4], least[4];  // indexed by type: int8, uint8, int32, uint32
};

const IntegerKernels& integerKernels(Isa isa);

}  // namespace webnn::cpu
