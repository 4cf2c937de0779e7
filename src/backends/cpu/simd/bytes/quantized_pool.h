// Kernels for average pooling of 8-bit images. A call computes one row of the output.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/simd/pool.h"

namespace webnn::cpu {

// Describes how a sum of `count` values becomes a result: (sum - count * inputZeroPoint) / count * factor, each operation
// rounded to float32. If isFloat, the result is stored. Otherwise it is clamped to [low, high], rounded half to even and added
// to the zero point.
struct QuantizedAverage {
  bool isSigned = false;            // whether input values are int8
  std::int32_t inputZeroPoint = 0;  // zero point of the input, plus 128 if isSigned: kernels sum inputs as unsigned bytes
  float factor = 1;
  bool isFloat = false;  // whether results are float32
  float low = 0, high = 0;
  std::int32_t zeroPoint = 0;   // zero point of the 8-bit results, plus 128 if areCodesSigned
  bool areCodesSigned = false;  // whether 8-bit results are int8
};

// The maximum number of 8-bit values whose sum is exact in float32.
inline constexpr std::size_t kMostAveraged = (std::size_t{1} << 24) / 255;

// In the PoolRow, strides and channels are in bytes, and `line` has room for `width` int32 sums and one more vector. The
// kernels ignore PoolRow::ring.
using QuantizedPoolKernel = void (*)(const PoolRow& row, const QuantizedAverage& average);
struct QuantizedPoolKernels {
  QuantizedPoolKernel pixels;  // nhwc
  QuantizedPoolKernel plane;   // nchw
};
const QuantizedPoolKernels& quantizedPoolKernels(Isa isa);

}  // namespace webnn::cpu
