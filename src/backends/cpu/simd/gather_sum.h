// Sums weighted rows, or weighted elements, that are gathered from a float32 table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// The kernels return whether all results are finite.
struct GatherSumKernels {
  // to[c] = scale * (the sum of weights[t] * rows[t][c] over all `taps`), for `columns` columns. `taps` is at least 1.
  bool (*rows)(const float* const* rows, const float* weights, std::size_t taps, std::size_t columns, float scale, float* to);
  // to[i] = scale * (the sum of weights[t * step + i] * table[positions[t * step + i]] over all `taps`), for i < `count`.
  // If a position is negative, its element is 0. The positions and weights of a tap are read up to the next multiple of 16.
  bool (*elements)(const float* table, const std::int32_t* positions, const float* weights, std::size_t taps, std::size_t step,
                   std::size_t count, float scale, float* to);
};

const GatherSumKernels& gatherSumKernels(Isa isa);

}  // namespace webnn::cpu
