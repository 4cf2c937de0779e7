// From which sizes on products should be on tiles, by what was measured.
#pragma once

#include <optional>
#include <vector>

#include "backends/cpu/gemm/amx_choice.h"

namespace webnn::bench {

// How many times as long AVX-512 takes as tiles, with one thread and with two.
struct MeasuredProduct {
  cpu::Product product;
  double oneThread = 1, twoThreads = 1;
};

// The least sizes from which on no product of the type lost more than a few per cent with either number of threads, so that those
// measured gain most in all; none if no product gains.
std::optional<cpu::LeastProduct> proposeLeast(cpu::ProductType type, const std::vector<MeasuredProduct>& measured);

}  // namespace webnn::bench
