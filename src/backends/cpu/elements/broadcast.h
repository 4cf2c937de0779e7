// Reads operands as if they had the output's shape.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn::cpu {

// The outer dimensions of a collapsed shape: all but the innermost one.
inline constexpr std::size_t kMostOuter = 7;

// One operand along the rows of the output. Offsets count elements and wrap, so that a step may go back.
struct BroadcastOperand {
  bool isWhole = false;    // it has every element of the output, in its order
  bool isUniform = false;  // it has one element
  bool isFixed = false;    // every row of the output reads the same of its elements
  bool repeats = false;    // within a row, it has one element
  // steps[d]: offset added when outer dimension d advances, including carries
  std::array<std::size_t, kMostOuter> strides{}, steps{};
};

// The output as rows of `inner` elements. Dimensions that all operands traverse alike are merged.
struct Broadcast {
  // keepsColumns: a row is the output's last dimension, even if it could be merged.
  Broadcast(const Shape& output, std::span<const Shape> operands, bool keepsColumns = false);

  std::size_t inner = 1, rows = 1;
  std::size_t outer = 0;  // how many outer dimensions
  std::array<std::size_t, kMostOuter> shape{};
  std::vector<BroadcastOperand> operands;

  std::size_t elements() const { return inner * rows; }
};

// Walks rows.
class RowCursor {
 public:
  void seek(const Broadcast& broadcast, std::size_t row) {
    for (std::size_t d = broadcast.outer; d-- > 0;) {
      at_[d] = row % broadcast.shape[d];
      row /= broadcast.shape[d];
    }
  }
  std::size_t offset(const Broadcast& broadcast, const BroadcastOperand& operand) const {
    std::size_t sum = 0;
    for (std::size_t d = 0; d < broadcast.outer; ++d) sum += at_[d] * operand.strides[d];
    return sum;
  }
  // To the next row: operands move by their steps[result]. After the last row: anything.
  std::size_t next(const Broadcast& broadcast) {
    std::size_t d = broadcast.outer;
    while (d-- > 1) {
      if (++at_[d] < broadcast.shape[d]) return d;
      at_[d] = 0;
    }
    ++at_[0];
    return 0;
  }

 private:
  std::array<std::size_t, kMostOuter> at_{};
};

}  // namespace webnn::cpu
