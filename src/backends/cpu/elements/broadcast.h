// Broadcasts operands to the output's shape.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn::cpu {

// The maximum number of outer dimensions, which are all dimensions but the innermost one.
inline constexpr std::size_t kMostOuter = 7;

// Describes how an operand is read along the rows of the output. Offsets count elements. They are unsigned and wrap around, so
// that adding a step can move backwards.
struct BroadcastOperand {
  bool isWhole = false;    // the operand has the output's elements in the output's order
  bool isUniform = false;  // the operand has a single element
  bool isFixed = false;    // all rows of the output read the same elements of the operand
  bool repeats = false;    // a row of the output reads a single element of the operand
  // strides[d]: the offset between neighbors along outer dimension d, 0 if broadcast. steps[d]: the offset added when the index
  // along d advances and the indices after d return to 0.
  std::array<std::size_t, kMostOuter> strides{}, steps{};
};

// The output as rows of `inner` elements. Dimensions are merged if every operand steps through them with one stride.
struct Broadcast {
  // `keepsColumns`: a row is exactly the output's last dimension, even if it could be merged with others.
  Broadcast(const Shape& output, std::span<const Shape> operands, bool keepsColumns = false);

  std::size_t inner = 1, rows = 1;
  std::size_t outer = 0;  // number of outer dimensions
  std::array<std::size_t, kMostOuter> shape{};
  std::vector<BroadcastOperand> operands;

  std::size_t elements() const { return inner * rows; }
};

// The indices of a row of the output along the outer dimensions.
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
  // Returns the number of rows until the index along the last outer dimension returns to 0.
  std::size_t rest(const Broadcast& broadcast) const { return broadcast.shape[broadcast.outer - 1] - at_[broadcast.outer - 1]; }
  // Skips rows, fewer than rest().
  void skip(const Broadcast& broadcast, std::size_t rows) { at_[broadcast.outer - 1] += rows; }
  // Advances to the next row. The operands' offsets then grow by steps[result]. After the last row, the result is meaningless.
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
