// Groups the elements of a tensor that a reduction over some axes combines. Coordinates are found by dividing the flat index,
// not with strides as in the library: the tests use this to check the reference backend.
#pragma once

#include <map>
#include <vector>

#include "webnn/types.h"

namespace webnn::test {

// Returns the coordinates of the element with flat index `i`.
inline std::vector<std::size_t> coordinatesOf(std::size_t i, const Shape& shape) {
  std::vector<std::size_t> coordinates(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; i /= shape[d]) coordinates[d] = i % shape[d];
  return coordinates;
}

// Maps each group to the flat indices of its elements. The key is the elements' coordinates with those along `axes` set to 0, so
// that the map lists the groups in row-major order.
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

// Returns all subsets of the axes of a rank, each in ascending order.
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
