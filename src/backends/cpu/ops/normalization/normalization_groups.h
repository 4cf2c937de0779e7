// Describes how elements that are normalized together lie in a tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "webnn/types.h"

namespace webnn::cpu {

// A group contains the elements that differ only in the coordinates of some axes. It is a row (some contiguous runs) or a column
// (`columns` groups lie side by side).
struct NormalizationGroups {
  // Reduces along rows if the innermost dimension of more than one element is in `axes`, otherwise along columns.
  NormalizationGroups(const Shape& shape, const std::vector<std::uint32_t>& axes);
  // Groups by one of the two ways. Rows need axes that end with the last dimension, columns axes without it.
  static NormalizationGroups asRows(const Shape& shape, const std::vector<std::uint32_t>& axes);
  static NormalizationGroups asColumns(const Shape& shape, const std::vector<std::uint32_t>& axes);

  std::vector<std::size_t> members;          // where the runs of a group begin
  std::size_t runLength = 1, runStride = 1;  // a run
  std::size_t columns = 0;                   // 0: rows

  // Returns the number of groups, or of blocks of columns, and the begin of each in elements.
  std::size_t outerCount() const;
  std::size_t outerOffset(std::size_t i) const;

 private:
  struct Block {  // adjacent dimensions that are all in the axes, or all not
    std::size_t size, stride;
    bool isReduced;
  };
  NormalizationGroups(const Shape& shape, const std::vector<std::uint32_t>& axes, bool isColumns);
  static std::vector<Block> blocksOf(const Shape& shape, const std::vector<std::uint32_t>& axes);
  void take(std::vector<Block> blocks, bool isColumns);

  std::vector<Block> outer_;
};

// Returns the index of each member of a group in row-major order of `axes`, by its index in row-major order of the tensor; empty
// if both orders are equal.
std::vector<std::uint32_t> memberOrder(const Shape& shape, const std::vector<std::uint32_t>& axes);

}  // namespace webnn::cpu
