// Measures the peak rate of multiply-adds, to which the speed of other kernels is compared.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

struct PeakKernels {
  // Runs `iterations` rounds of float32 multiply-adds in registers. Returns a value that depends on all rounds, so that the
  // compiler keeps them.
  float (*multiplyAdd)(std::size_t iterations);
  std::size_t flopPerIteration;  // a multiply-add counts as two
};

const PeakKernels& peakKernels(Isa isa);

}  // namespace webnn::cpu
