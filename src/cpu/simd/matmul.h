// What products do beside multiplying.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/isa.h"

namespace webnn::cpu {

struct MatmulKernels {
  // to[i * pitch + j] = from[i + j * stride], i < rows: rows of a matrix whose columns are contiguous.
  void (*gatherColumns)(const float* from, std::size_t stride, std::size_t rows, std::size_t count, float* to, std::size_t pitch);
  void (*gatherHalfColumns)(const std::uint16_t* from, std::size_t stride, std::size_t rows, std::size_t count, float* to,
                            std::size_t pitch);
  // c[i] = alpha * c[i] + beta * addend[i * step], i < count; `addend` may be null.
  void (*combine)(float* c, float alpha, const float* addend, std::size_t step, float beta, std::size_t count);
  void (*widen)(const std::uint16_t* from, std::size_t count, float* to);
  void (*narrow)(const float* from, std::size_t count, std::uint16_t* to);
};
const MatmulKernels& matmulKernels(Isa isa);

}  // namespace webnn::cpu
