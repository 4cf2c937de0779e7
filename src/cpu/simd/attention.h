// Kernels of attention, on float32.
#pragma once

#include <cstddef>

#include "cpu/runtime/isa.h"

namespace webnn::cpu {

struct AttentionKernels {
  // Replaces a row by exp(x - peak), x = row * scale + mask and peak its greatest; returns what to multiply that by to have
  // softmax(x). The mask has an element for each column, or one for all (maskStride 0), or is null. Ends if the run is over.
  float (*exponentials)(float* row, std::size_t columns, float scale, const float* mask, std::size_t maskStride);
  void (*scaleRow)(const float* from, float factor, std::size_t count, float* to);
  // scores[j] = the dot product of q and row j of k, both of `depth` contiguous elements.
  void (*dotRows)(const float* q, std::size_t depth, const float* k, std::size_t kStride, std::size_t rows, float* scores);
  // result[j] = the sum of weights[i] * v[i * vStride + j] over i < count, for j < width; `adds`: to what is in result.
  void (*weighRows)(const float* weights, std::size_t count, const float* v, std::size_t vStride, std::size_t width, bool adds,
                    float* result);
};

const AttentionKernels& attentionKernels(Isa isa);

}  // namespace webnn::cpu
