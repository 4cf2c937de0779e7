#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

struct MatmulKernels {
  // c[i] = alpha * c[i] + beta * addend[i * step], i < count; `addend` may be null.
  void (*combine)(float* c, float alpha, const float* addend, std::size_t step, float beta, std::size_t count);
  // Returns whether all c[i] with i < count are finite and at least `least` in magnitude.
  bool (*areBetween)(const float* c, float least, std::size_t count);
};
const MatmulKernels& matmulKernels(Isa isa);

}  // namespace webnn::cpu
