// Kernels for the scores, the softmax and the weighted sums of attention, in float32.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

struct AttentionKernels {
  // Replaces a row by exp(x - peak), where x = row * scale + mask and peak is the greatest x; returns the factor that turns the
  // row into softmax(x). The mask has an element per column, or one for all (maskStride 0), or is null. Returns early if the run
  // is cancelled or out of time.
  float (*exponentials)(float* row, std::size_t columns, float scale, const float* mask, std::size_t maskStride);
  void (*scaleRow)(const float* from, float factor, std::size_t count, float* to);
  // Computes scores[i][j], the dot product over `depth` elements of query q[i] and row j of k, for i < queries and j < rows. Rows
  // of k are kStride floats apart. A query's results do not depend on the other queries.
  void (*dotRows)(const float* const* q, std::size_t queries, std::size_t depth, const float* k, std::size_t kStride,
                  std::size_t rows, float* const* scores);
  // Computes results[q][j] = sum of weights[q][i] * v[i * vStride + j] over i < count, for q < queries and j < width. If `adds`,
  // adds the sums to results.
  void (*weighRows)(const float* const* weights, std::size_t queries, std::size_t count, const float* v, std::size_t vStride,
                    std::size_t width, bool adds, float* const* results);
};

const AttentionKernels& attentionKernels(Isa isa);

}  // namespace webnn::cpu
