// The middle operation of a block: a depthwise convolution or pooling, which computes each channel separately.
#pragma once

#include <memory>

#include "backends/cpu/conv/conv_depthwise.h"
#include "backends/cpu/runtime/caches.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

class BlockMiddle {
 public:
  struct Size {
    std::size_t lines = 0, width = 0;
    std::size_t pixels() const { return lines * width; }
  };
  BlockMiddle(std::size_t images, std::size_t channelCount, Size inputSize, Size outputSize)
      : batch(images), channels(channelCount), input(inputSize), output(outputSize) {}
  virtual ~BlockMiddle() = default;

  virtual std::string describe() const = 0;
  // Copies the weights to memory that lives as long as the plan.
  virtual void keepWeights(Planner&) {}
  // Returns the range of input lines that output lines [begin, end) read.
  virtual ConvAxis::Range inputs(std::size_t begin, std::size_t end) const = 0;
  // Stores output lines [begin, end) from `to` on. Output pixels are `rowStride` elements apart.
  virtual void run(const DepthwiseImage& image, std::size_t begin, std::size_t end, float* to, std::size_t rowStride) const = 0;

  // Returns the maximum number of input lines that a band of `rows` output lines reads.
  std::size_t inputLines(std::size_t rows) const {
    std::size_t most = 0;
    for (std::size_t y = 0; y < output.lines; y += rows) {
      const ConvAxis::Range range = inputs(y, std::min(y + rows, output.lines));
      most = std::max(most, range.end - range.begin);
    }
    return most;
  }

  const std::size_t batch, channels;
  const Size input, output;
};

std::unique_ptr<BlockMiddle> makeMiddle(const ConvolutionBlock& op, Isa isa, const CacheSizes& caches);

}  // namespace webnn::cpu
