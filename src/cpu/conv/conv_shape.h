// What a convolution computes, in numbers: images are [batch][height][width][channels] floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/conv.h"

namespace webnn::cpu {

// One spatial dimension: output i, of `count`, takes tap t from the input's position i * step + offsets[t], unless that is
// outside of [0, size), on padding.
struct ConvAxis {
  std::size_t size = 0, count = 0;
  std::uint64_t step = 1;
  std::vector<std::int64_t> offsets;  // by tap
  std::vector<std::size_t> taps;      // which of the filter's taps they are

  std::size_t tapCount() const { return offsets.size(); }
  // The positions are next to one another, in this order.
  bool isDense() const;
  // Each output reads the input of its own position: nothing moves.
  bool isPointwise() const { return tapCount() == 1 && offsets[0] == 0 && step == 1 && count == size; }
  // The outputs [begin, end) that find `positions` positions, the first of them at `offset`, all inside.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  Range inside(std::int64_t offset, std::size_t positions = 1) const;
};

// How far apart a filter's elements are, in elements. An output or input is counted within its group.
struct FilterStrides {
  std::size_t group = 0, output = 0, input = 0, height = 0, width = 0;
};

struct ConvShape {
  std::size_t batch = 0, groups = 1;
  std::size_t inputs = 0, outputs = 0;  // channels in all
  ConvAxis height, width;

  std::size_t groupInputs() const { return inputs / groups; }
  std::size_t groupOutputs() const { return outputs / groups; }
  std::size_t tapCount() const { return height.tapCount() * width.tapCount(); }
  std::size_t depth() const { return tapCount() * groupInputs(); }  // K of the GEMM
  std::size_t pixels() const { return batch * height.count * width.count; }
  std::size_t inputElements() const { return batch * height.size * width.size * inputs; }
  std::size_t outputElements() const { return pixels() * outputs; }
  bool isPointwise() const { return height.isPointwise() && width.isPointwise(); }
};

ConvShape shapeOf(const ops::Conv2d& op);
FilterStrides filterStrides(const ops::Conv2d& op);
FilterStrides filterStrides(const ops::ConvTranspose2d& op);

// A transposed convolution is a convolution for each phase: the outputs whose positions leave the same remainders by the
// strides. Phases that no tap reaches are left out.
struct ConvPhase {
  ConvShape shape;                            // counts: the outputs of this phase
  std::size_t firstRow = 0, firstColumn = 0;  // of the output
};
struct ConvPhases {
  std::vector<ConvPhase> phases;
  std::size_t rowStep = 1, columnStep = 1;  // from one output of a phase to the next
  std::size_t batch = 0, outputs = 0, height = 0, width = 0;
  bool isComplete = true;  // the phases cover the output
};
ConvPhases phasesOf(const ops::ConvTranspose2d& op, const Shape& outputShape);

}  // namespace webnn::cpu
