// Depthwise convolution line by line: what a convolution of its own and a block of convolutions share.
#pragma once

#include <algorithm>

#include "cpu/conv/conv_shape.h"
#include "cpu/runtime/caches.h"
#include "cpu/simd/conv_simd.h"

namespace webnn::cpu {

// Where the lines of one image are: line r at first + r % ring * width * channels. A ring of as many lines as the image has is
// the image itself.
struct DepthwiseImage {
  const float* first = nullptr;
  std::size_t ring = 0;
};

// A line of outputs at a time. The input has as many channels as the output: shape.outputs.
class DepthwiseLines {
 public:
  DepthwiseLines(const ConvShape& shape, const ConvKernels& kernels, const CacheSizes& caches);

  struct Parameters {
    const float* weights = nullptr;  // of packDepthwise
    const float* bias = nullptr;     // or null: none
    FloatRange range;
  };
  struct Channels {
    std::size_t first = 0, count = 0;
  };
  // Line y of the outputs, of these channels; `to` is its first pixel's first channel.
  void run(const Parameters& parameters, const DepthwiseImage& image, std::size_t y, Channels channels, float* to,
           std::size_t pixelStride) const;

  // Channels whose lines stay in the first level of the cache from one line of outputs to the next: block `i` of `blocks`.
  std::size_t blocks() const { return blocks_; }
  std::size_t blockChannels() const { return blockChannels_; }
  Channels block(std::size_t i) const {
    const std::size_t first = i * blockChannels_;
    return {first, i + 1 == blocks_ ? shape_.outputs - first : blockChannels_};
  }

  // The lines of the input from which output lines [begin, end) take something.
  ConvAxis::Range inputs(std::size_t begin, std::size_t end) const;
  // The most lines that inputs() gives for `count` lines of outputs.
  std::size_t inputLines(std::size_t count) const;

 private:
  const ConvShape& shape_;
  const ConvKernels& kernels_;
  std::size_t blockChannels_ = 16, blocks_ = 1;
  ConvAxis::Range inside_;  // the outputs of a line all of whose taps are inside
};

// The filter, which may have any alignment, as [height][width][outputs].
void packDepthwise(const ConvShape& shape, const float* filter, const FilterStrides& strides, float* to);

}  // namespace webnn::cpu
