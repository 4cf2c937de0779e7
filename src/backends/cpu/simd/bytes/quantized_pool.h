// Averages of 8-bit numbers: the windows of one row of the output.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/simd/pool.h"

namespace webnn::cpu {

// What the sum of `count` numbers becomes: (sum - count * inputZeroPoint) / count * factor, each rounded to float32. That is the
// result, or it is clamped to [low, high], rounded half to even, and added to the zero point.
struct QuantizedAverage {
  bool isSigned = false;            // the numbers
  std::int32_t inputZeroPoint = 0;  // of them as unsigned ones
  float factor = 1;
  bool isFloat = false;  // the result
  float low = 0, high = 0;
  std::int32_t zeroPoint = 0;  // of codes as unsigned ones
  bool areCodesSigned = false;
};

// So many numbers of 8 bits have a sum that is exact as float32.
inline constexpr std::size_t kMostAveraged = (std::size_t{1} << 24) / 255;

// Strides and channels of a PoolRow are of bytes; its line is memory for `width` sums, and a vector of them more. No ring.
using QuantizedPoolKernel = void (*)(const PoolRow& row, const QuantizedAverage& average);
struct QuantizedPoolKernels {
  QuantizedPoolKernel pixels;  // nhwc
  QuantizedPoolKernel plane;   // nchw
};
const QuantizedPoolKernels& quantizedPoolKernels(Isa isa);

}  // namespace webnn::cpu
