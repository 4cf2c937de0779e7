// Which elements belong together along axes, found by division instead of strides: an oracle for the oracle.
#pragma once

#include <map>
#include <vector>

#include "webnn/types.h"

namespace webnn::test {

// The coordinates of the i-th element.
inline std::vector<std::size_t> coordinatesOf(std::size_t i, const Shape& shape) {
  std::vector<std::size_t> coordinates(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; i /= shape[d]) coordinates[d] = i % shape[d];
  return coordinates;
}

// The elements, by their coordinates with those of `axes` set to 0, which sorts the groups row-major.
using NaiveGroups = std::map<std::vector<std::size_t>, std::vector<std::size_t>>;
inline NaiveGroups naiveGroups(const Shape& shape, const std::vector<std::uint32_t>& axes) {
  NaiveGroups groups;
  for (std::size_t i = 0; i < elementCount({DataType::int8, shape}); ++i) {
    std::vector<std::size_t> key = coordinatesOf(i, shape);
    for (const std::uint32_t axis : axes) key[axis] = 0;
    groups[key].push_back(i);
  }
  return groups;
}

// All subsets of the axes of a rank, each in ascending order.
inline std::vector<std::vector<std::uint32_t>> allSubsets(std::uint32_t rank) {
  std::vector<std::vector<std::uint32_t>> subsets;
  for (std::uint32_t mask = 0; mask < 1u << rank; ++mask) {
    subsets.emplace_back();
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      if (mask >> axis & 1) subsets.back().push_back(axis);
    }
  }
  return subsets;
}

}  // namespace webnn::test
