// Describes the memory layout of groups: elements of a tensor that are normalized together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "webnn/types.h"

namespace webnn::cpu {

// A group consists of the elements that differ only in the coordinates of `axes`. Groups are either rows, which consist of
// contiguous runs, or columns, which lie side by side in memory, `columns` at a time.
struct NormalizationGroups {
  // Uses rows if the innermost dimension of size above 1 is in `axes`, otherwise columns.
  NormalizationGroups(const Shape& shape, const std::vector<std::uint32_t>& axes);
  // Force rows or columns. Rows need axes that include the innermost dimension of size above 1 (or only dimensions of size 1);
  // columns need axes without it.
  static NormalizationGroups asRows(const Shape& shape, const std::vector<std::uint32_t>& axes);
  static NormalizationGroups asColumns(const Shape& shape, const std::vector<std::uint32_t>& axes);

  std::vector<std::size_t> members;          // positions of the runs of a group, relative to its start
  std::size_t runLength = 1, runStride = 1;  // elements in a run, and the distance between neighbors
  std::size_t columns = 0;                   // groups side by side; 0: groups are rows

  // Return the number of rows (or of blocks of columns), and the position of the i-th one, in elements.
  std::size_t outerCount() const;
  std::size_t outerOffset(std::size_t i) const;

 private:
  struct Block {  // adjacent dimensions that are all reduced or all kept
    std::size_t size, stride;
    bool isReduced;
  };
  NormalizationGroups(const Shape& shape, const std::vector<std::uint32_t>& axes, bool isColumns);
  static std::vector<Block> blocksOf(const Shape& shape, const std::vector<std::uint32_t>& axes);
  void take(std::vector<Block> blocks, bool isColumns);

  std::vector<Block> outer_;
};

// Maps the index of a group member in the order of memory to its index in row-major order of `axes`. Empty if both are equal.
std::vector<std::uint32_t> memberOrder(const Shape& shape, const std::vector<std::uint32_t>& axes);

}  // namespace webnn::cpu
