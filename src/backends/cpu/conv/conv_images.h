// Converts float32 and float16 images of either layout to float32 with channels last, and back.
#pragma once

#include "backends/cpu/runtime/threads.h"
#include "backends/cpu/simd/conv_simd.h"
#include "webnn/enums.h"
#include "webnn/types.h"

namespace webnn::cpu {

struct ImageFormat {
  DataType type = DataType::float32;
  InputOperandLayout layout = InputOperandLayout::nhwc;
  std::size_t batch = 0, pixels = 0, channels = 0;

  // Returns whether the image already has the kernels' format.
  bool isPlain() const { return type == DataType::float32 && layout == InputOperandLayout::nhwc; }
  std::size_t elements() const { return batch * pixels * channels; }
};

void readImages(const ConvKernels& kernels, Team& team, const ImageFormat& format, const std::byte* from, float* to);
void writeImages(const ConvKernels& kernels, Team& team, const ImageFormat& format, const float* from, std::byte* to);

}  // namespace webnn::cpu
