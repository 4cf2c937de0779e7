// Kernels of attention, on float32.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

struct AttentionKernels {
  // Replaces a row by exp(x - peak), x = row * scale + mask and peak its greatest; returns what to multiply that by to have
  // softmax(x). The mask has an element for each column, or one for all (maskStride 0), or is null. Ends if the run is over.
  float (*exponentials)(float* row, std::size_t columns, float scale, const float* mask, std::size_t maskStride);
  void (*scaleRow)(const float* from, float factor, std::size_t count, float* to);
  // For each of some queries: scores[i][j] = the dot product of q[i] and row j of k, both of `depth` contiguous elements. What a
  // query gets does not depend on the others.
  void (*dotRows)(const float* const* q, std::size_t queries, std::size_t depth, const float* k, std::size_t kStride,
                  std::size_t rows, float* const* scores);
  // results[q][j] = the sum of weights[q][i] * v[i * vStride + j] over i < count, for j < width; `adds`: to what is in results.
  void (*weighRows)(const float* const* weights, std::size_t queries, std::size_t count, const float* v, std::size_t vStride,
                    std::size_t width, bool adds, float* const* results);
};

const AttentionKernels& attentionKernels(Isa isa);

}  // namespace webnn::cpu
