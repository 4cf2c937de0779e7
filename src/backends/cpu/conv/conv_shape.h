// The shape of a convolution. Images are [batch][height][width][channels]; their elements are floats, or bytes in quantized
// convolutions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/cpu/runtime/weight_memory.h"
#include "ops/conv.h"

namespace webnn::cpu {

// One spatial dimension. Output i of `count` reads tap t at input position i * step + offsets[t]; positions outside [0, size) are
// padding.
struct ConvAxis {
  std::size_t size = 0, count = 0;
  std::size_t step = 1;
  std::vector<std::int64_t> offsets;  // each tap's offset in the input
  std::vector<std::size_t> taps;      // each tap's index in the filter

  std::size_t tapCount() const { return offsets.size(); }
  // Returns whether the positions of the taps are contiguous and ascending.
  bool isDense() const { return tapCount() == 1 || distance() == 1; }
  // Returns the distance between neighboring taps if it is the same for all and the taps ascend, else 0; 0 for a single tap.
  std::size_t distance() const;
  // Returns the number of input positions from the first to the last that outputs read, including padding and positions that no
  // tap reads.
  std::size_t extent() const { return (count - 1) * step + extentOfTaps(); }
  // Returns the number of input positions from an output's first tap to its last.
  std::size_t extentOfTaps() const { return static_cast<std::size_t>(offsets.back() - offsets.front()) + 1; }
  // Returns whether each output reads only the input at its own position.
  bool isPointwise() const { return tapCount() == 1 && offsets[0] == 0 && step == 1 && count == size; }
  // The positions [begin, end), of outputs or of inputs.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  // Returns the outputs i for which the `positions` consecutive input positions that begin at i * step + offset are all inside
  // the input.
  Range inside(std::int64_t offset, std::size_t positions = 1) const;
};

// Strides of a filter, in elements. Outputs and inputs are counted within their group.
struct FilterStrides {
  std::size_t group = 0, output = 0, input = 0, height = 0, width = 0;
};

struct ConvShape {
  std::size_t batch = 0, groups = 1;
  std::size_t inputs = 0, outputs = 0;  // channels of all groups
  ConvAxis height, width;

  std::size_t groupInputs() const { return inputs / groups; }
  std::size_t groupOutputs() const { return outputs / groups; }
  std::size_t tapCount() const { return height.tapCount() * width.tapCount(); }
  std::size_t depth() const { return tapCount() * groupInputs(); }  // K of the GEMM
  std::size_t imagePixels() const { return height.count * width.count; }
  std::size_t pixels() const { return batch * imagePixels(); }
  bool isPointwise() const { return height.isPointwise() && width.isPointwise(); }
  // Returns whether there are several groups, each with one input channel and at most 16 outputs. If a group has several outputs,
  // kernels read a copy of the image in which each channel is repeated once per output.
  bool isDepthwise() const { return groups > 1 && groupInputs() == 1 && groupOutputs() <= 16; }
  // Returns whether the image has at least 16 channels in groups of 2, 4, 8 or 16 inputs and equally many outputs, so that whole
  // groups fill vectors of 16 lanes.
  bool hasSmallGroups() const {
    const std::size_t size = groupOutputs();
    return groups > 1 && size > 1 && size == groupInputs() && 16 % size == 0 && outputs >= 16;
  }
};

ConvShape shapeOf(const ops::Conv2d& op);
// Removes the lines and columns of the filter that read only padding: most of them, if the dilation exceeds the image's size. If
// all lines (or all columns) read only padding, keeps them.
ConvShape withoutPaddedTaps(ConvShape shape);
FilterStrides filterStrides(const ops::Conv2d& op);
FilterStrides filterStrides(const ops::ConvTranspose2d& op);

// Add the strides of a filter, or its channels and taps, to the key of a packed filter.
void addStrides(PackKey& key, const FilterStrides& strides);
void addTaps(PackKey& key, const ConvShape& shape);

// A transposed convolution is one convolution per phase. A phase is the set of outputs whose positions have the same remainders
// modulo the strides. Phases that no tap reaches are left out.
struct ConvPhase {
  ConvShape shape;                            // height.count and width.count count only the outputs of this phase
  std::size_t firstRow = 0, firstColumn = 0;  // the phase's first output
};
struct ConvPhases {
  std::vector<ConvPhase> phases;
  std::size_t rowStep = 1, columnStep = 1;  // distance between outputs of a phase
  std::size_t batch = 0, outputs = 0, height = 0, width = 0;
  bool isComplete = true;  // whether the phases cover all outputs
};
ConvPhases phasesOf(const ops::ConvTranspose2d& op, const Shape& outputShape);

}  // namespace webnn::cpu
