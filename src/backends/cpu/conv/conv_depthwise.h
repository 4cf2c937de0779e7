// Depthwise convolution, or convolution with small groups, line by line. Standalone convolutions and blocks share it.
#pragma once

#include <algorithm>

#include "backends/cpu/conv/conv_shape.h"
#include "backends/cpu/runtime/caches.h"
#include "backends/cpu/simd/conv_simd.h"

namespace webnn::cpu {

// The memory of an image, or of a ring buffer of its lines: line r is at first + r % ring * width * pixelStride. If `ring` is the
// image's height, the memory holds the whole image.
struct DepthwiseImage {
  const float* first = nullptr;
  std::size_t ring = 0;
  std::size_t pixelStride = 0;   // 0: the number of channels
  std::size_t firstChannel = 0;  // the channel at `first`
};

// Computes one output line at a time. The input has as many channels as the output: shape.outputs.
class DepthwiseLines {
 public:
  DepthwiseLines(const ConvShape& shape, const ConvKernels& kernels, const CacheSizes& caches);

  struct Parameters {
    const float* weights = nullptr;  // packed by packDepthwise()
    const float* bias = nullptr;     // null: no bias
    FloatRange range;
  };
  struct Channels {
    std::size_t first = 0, count = 0;
  };
  // Computes the channels `channels` of output line y. `to` points to channel 0 of the line's first pixel.
  void run(const Parameters& parameters, const DepthwiseImage& image, std::size_t y, Channels channels, float* to,
           std::size_t pixelStride) const;

  // The channels are divided into blocks, so that a block's input lines stay in cache from one output line to the next.
  std::size_t blocks() const { return blocks_; }
  std::size_t blockChannels() const { return blockChannels_; }
  Channels block(std::size_t i) const {
    const std::size_t first = i * blockChannels_;
    return {first, i + 1 == blocks_ ? shape_.outputs - first : blockChannels_};
  }

  // Returns the range of input lines that output lines [begin, end) read.
  ConvAxis::Range inputs(std::size_t begin, std::size_t end) const;
  // Returns the maximum number of input lines that `count` consecutive output lines read.
  std::size_t inputLines(std::size_t count) const;

 private:
  static constexpr std::size_t kMergedLanes = 240;      // maximum lanes of merged pixels: 16 pixels of 15 channels
  static constexpr std::size_t kMergedWeights = 4'096;  // maximum number of weights, which are floats on the stack
  // Computes line.columns outputs, rounded down to a multiple of merged_, whose taps lie between the left and right edges of the
  // image. Returns the number of computed outputs.
  std::size_t runMerged(DepthwiseLine line) const;

  const ConvShape& shape_;
  const ConvKernels& kernels_;
  // If a pixel has fewer than 16 channels, the horizontal stride is 1 and the merged weights fit in kMergedWeights, `merged_`
  // adjacent pixels are computed as one pixel, whose channels fill whole vectors.
  std::size_t merged_ = 1;
  std::size_t blockChannels_ = 16, blocks_ = 1;
  ConvAxis::Range inside_;  // the outputs of a line whose taps lie between the left and right edges of the image
};

// Returns the row stride of the packed weights in floats. A row holds the weights of all outputs for one tap and one input of
// each group.
std::size_t depthwiseStride(const ConvShape& shape);
inline std::size_t depthwiseBytes(const ConvShape& shape) { return shape.depth() * depthwiseStride(shape) * sizeof(float); }
// Packs the filter, which may be unaligned, as [height][width][inputs of a group][outputs]. Rows of outputs are
// depthwiseStride() floats apart.
void packDepthwise(const ConvShape& shape, const float* filter, const FilterStrides& strides, float* to);

}  // namespace webnn::cpu
