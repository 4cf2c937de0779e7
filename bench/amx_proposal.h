// Proposes from measurements the sizes from which on matrix products should use AMX tiles.
#pragma once

#include <optional>
#include <vector>

#include "backends/cpu/gemm/amx_choice.h"

namespace webnn::bench {

// The speed-up of a product by tiles: its time with AVX-512 divided by its time with tiles, with one thread and with two.
struct MeasuredProduct {
  cpu::Product product;
  double oneThread = 1, twoThreads = 1;
};

// Returns minimum sizes (m, n, k): of the measured products of this type with at least these sizes, none is more than 3 % slower
// with tiles, for either thread count. If several such sizes exist, returns those with the largest total speed-up. Returns
// nothing if none has a total speed-up above 1.
std::optional<cpu::LeastProduct> proposeLeast(cpu::ProductType type, const std::vector<MeasuredProduct>& measured);

}  // namespace webnn::bench
