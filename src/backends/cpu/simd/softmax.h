// Softmax of rows and of columns, in float32.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// The maximum number of columns that `greatest`, `exponentials` and `divide` process per call.
inline constexpr std::size_t kSoftmaxColumns = 256;
inline constexpr std::size_t kLongSoftmaxRow = std::size_t{1} << 17;

struct SoftmaxKernels {
  // y = exp(x - max) / sum(exp(x - max)) of n elements; y may be x. Rows with NaN or +inf, or only -inf, become NaN.
  void (*row)(const float* x, float* y, std::size_t n);
  // Works like `row`, for rows of kLongSoftmaxRow elements or more; returns early if the run is cancelled or out of time.
  void (*longRow)(const float* x, float* y, std::size_t n);
  // `greatest`, `exponentials` and `divide` are the steps of a softmax down columns, for `columns` columns (at most
  // kSoftmaxColumns). Each call takes one row. greatest: max = max(max, x).
  void (*greatest)(const float* x, float* max, std::size_t columns);
  // y = exp(x - max), added to sum; y may be x.
  void (*exponentials)(const float* x, const float* max, float* y, float* sum, std::size_t columns);
  // y = x / sum; y may be x.
  void (*divide)(const float* x, const float* sum, float* y, std::size_t columns);
};

const SoftmaxKernels& softmaxKernels(Isa isa);

}  // namespace webnn::cpu
