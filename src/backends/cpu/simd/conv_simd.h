// Convolution kernels other than GEMM: copies of patches, epilogues, convolutions that are depthwise or have small groups, and
// conversions of float16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// A clamp to [minimum, maximum]. NaN is kept; infinite bounds do nothing.
struct FloatRange {
  float minimum = -std::numeric_limits<float>::infinity(), maximum = std::numeric_limits<float>::infinity();
};

// Adjacent outputs of a convolution with small groups: `columns` pixels of one line, with `channels` channels each.
struct DepthwiseLine {
  const float* from = nullptr;     // the input of the first output's first tap
  const float* weights = nullptr;  // weights of the first tap
  std::size_t rows = 0, taps = 0;  // filter rows and taps per row, all inside the input
  std::size_t channels = 0;
  // Channels per group, for inputs and outputs: 1 (depthwise), or 2, 4, 8 or 16 if there are at least 16 channels in all. The
  // weights of a tap are [input of the group][channel].
  std::size_t groupSize = 1;
  // inputStep: input stride between outputs; tapStep: between taps; rowStep: between rows of taps.
  std::size_t inputStep = 0, tapStep = 0, rowStep = 0;
  // The rows may lie in a ring buffer of `ring` elements: after `rowsToEnd` rows, addresses wrap around by `ring`.
  std::size_t rowsToEnd = std::numeric_limits<std::size_t>::max(), ring = 0;
  std::size_t weightInputStep = 0, weightTapStep = 0, weightRowStep = 0;
  const float* bias = nullptr;
  FloatRange range;
  float* to = nullptr;
  std::size_t pixelStride = 0, columns = 0;
};

struct ConvKernels {
  void (*copyRuns)(const float* from, std::size_t fromStride, float* to, std::size_t toStride, std::size_t runs,
                   std::size_t count);
  void (*zeroRuns)(float* to, std::size_t rowStride, std::size_t runs, std::size_t count);
  // c = c + addend, clamped to `range`, for rows x columns elements.
  void (*addRuns)(const float* addend, std::size_t addendStride, float* c, std::size_t rowStride, std::size_t rows,
                  std::size_t columns, FloatRange range);
  // Computes bias + the sum of input * weight over all taps, clamped to line.range.
  void (*depthwise)(const DepthwiseLine& line);
  // Whether depthwise() computes all channels of a few outputs before the next outputs.
  bool depthwiseByOutput;
  // float16 to float32 and back, rounded to the nearest, ties to even.
  void (*fromHalf)(const std::uint16_t* from, float* to, std::size_t count);
  void (*toHalf)(const float* from, std::uint16_t* to, std::size_t count);
};
const ConvKernels& convKernels(Isa isa);

}  // namespace webnn::cpu
