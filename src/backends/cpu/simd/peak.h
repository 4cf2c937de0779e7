// The fastest multiply-adds there are: what other kernels are measured against.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

struct PeakKernels {
  // Float32 multiply-adds in registers alone, `iterations` rounds of them. Returns a number that depends on them all.
  float (*multiplyAdd)(std::size_t iterations);
  std::size_t flopPerIteration;  // a multiply-add counts as two
};

const PeakKernels& peakKernels(Isa isa);

}  // namespace webnn::cpu
