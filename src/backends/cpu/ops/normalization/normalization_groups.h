// How the elements that are normalized together lie in a tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "webnn/types.h"

namespace webnn::cpu {

// The elements of a tensor that differ in the coordinates of some axes only make a group. A group is either a row: some
// contiguous runs; or a column: `columns` groups lie beside each other.
struct NormalizationGroups {
  // As rows if the last dimension (of more than one element) is one of `axes`, else as columns.
  NormalizationGroups(const Shape& shape, const std::vector<std::uint32_t>& axes);
  // In one of both ways. Rows need axes that end with the last dimension, columns axes that do not contain it.
  static NormalizationGroups asRows(const Shape& shape, const std::vector<std::uint32_t>& axes);
  static NormalizationGroups asColumns(const Shape& shape, const std::vector<std::uint32_t>& axes);

  std::vector<std::size_t> members;          // where the runs of a group begin
  std::size_t runLength = 1, runStride = 1;  // a run
  std::size_t columns = 0;                   // 0: rows

  // The groups, or the blocks of columns: how many, and where each begins, in elements.
  std::size_t outerCount() const;
  std::size_t outerOffset(std::size_t i) const;

 private:
  struct Block {  // adjacent dimensions that are all among the axes, or none is
    std::size_t size, stride;
    bool isReduced;
  };
  NormalizationGroups(const Shape& shape, const std::vector<std::uint32_t>& axes, bool isColumns);
  static std::vector<Block> blocksOf(const Shape& shape, const std::vector<std::uint32_t>& axes);
  void take(std::vector<Block> blocks, bool isColumns);

  std::vector<Block> outer_;
};

// The place of each member of a group, in row-major order of the axes as `axes` lists them, by its place in row-major order
// of the tensor; empty if those are the same.
std::vector<std::uint32_t> memberOrder(const Shape& shape, const std::vector<std::uint32_t>& axes);

}  // namespace webnn::cpu
