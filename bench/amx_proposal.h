// Proposes from measurements the sizes from which products should use tiles.
#pragma once

#include <optional>
#include <vector>

#include "backends/cpu/gemm/amx_choice.h"

namespace webnn::bench {

// The time on AVX-512 divided by the time on tiles, with one thread and with two.
struct MeasuredProduct {
  cpu::Product product;
  double oneThread = 1, twoThreads = 1;
};

// Returns the least sizes from which no product of the type lost more than a few per cent with either number of threads, chosen
// for the largest total gain; none if no product gains.
std::optional<cpu::LeastProduct> proposeLeast(cpu::ProductType type, const std::vector<MeasuredProduct>& measured);

}  // namespace webnn::bench
