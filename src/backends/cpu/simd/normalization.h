// Kernels of normalizations, for float32 and float16: by the mean and variance of each group, by its mean square (RowJob::rms),
// or by given statistics (AffineJob).
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// A group: the elements (members) that are normalized together. They lie in `runs` runs of `length` elements; run i begins
// `offsets[i]` elements after the first member. Elements of a run are `stride` apart.
struct NormalizationRuns {
  const std::size_t* offsets = nullptr;
  std::size_t runs = 1, length = 0, stride = 1;

  std::size_t count() const { return runs * length; }
};

// One group whose runs are contiguous (stride 1).
struct RowJob {
  const void *x = nullptr, *residual = nullptr;  // residual: added to x first, or null; requires runs.runs == 1
  void* y = nullptr;                             // may be x or residual
  NormalizationRuns runs;
  const float *scale = nullptr, *bias = nullptr;  // one element per element of the group, or null
  float uniformScale = 1, uniformBias = 0;        // used instead of a null `scale` or `bias`
  bool rms = false, asWritten = false;            // see RowNormalization
  double epsilon = 0;
};

// `columns` groups with the same runs. Group c begins c elements after group 0, so that the i-th members of all groups are
// contiguous.
struct ColumnJob {
  const void* x = nullptr;
  void* y = nullptr;
  NormalizationRuns runs;
  std::size_t columns = 0;
  const float *memberScale = nullptr, *memberBias = nullptr;  // one element per member of a group, or null
  const float *columnScale = nullptr, *columnBias = nullptr;  // one element per column, or null
  bool asWritten = false;
  float epsilon = 0;
};

// (x - mean) * scale + bias of `count` contiguous elements.
struct AffineJob {
  const void* x = nullptr;
  void* y = nullptr;
  std::size_t count = 0;
  const float *mean = nullptr, *scale = nullptr, *bias = nullptr;  // one element each if uniform, else `count`
};

struct NormalizationKernels {
  static constexpr std::size_t kLongGroup = std::size_t{1} << 17;
  auto rowOf(std::size_t count) const { return count < kLongGroup ? row : longRow; }

  void (*row)(const RowJob&);
  void (*longRow)(const RowJob&);  // for kLongGroup elements or more; returns early if the run is cancelled or out of time
  void (*columns)(const ColumnJob&);
  void (*affine)(const AffineJob&);
  void (*uniformAffine)(const AffineJob&);
};

const NormalizationKernels& normalizationKernels(Isa isa, bool isHalf);

}  // namespace webnn::cpu
