// Divides tensors into groups of elements, for operations along axes: reductions, running sums, normalization.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "backends/reference/tensor.h"

namespace webnn::reference {

// Returns the positions of the elements whose coordinates are 0 outside `axes`, in row-major order of `axes`. Positions fit in 32
// bits, because tensors have at most 2^31 - 1 elements.
inline std::vector<std::uint32_t> offsetsAlong(const Shape& shape, const std::vector<std::uint32_t>& axes) {
  const std::vector<std::size_t> strides = stridesOf(shape);
  std::vector<std::uint32_t> offsets{0};
  Progress progress;
  for (const std::uint32_t axis : axes) {
    std::vector<std::uint32_t> longer;
    longer.reserve(offsets.size() * shape[axis]);
    for (const std::uint32_t offset : offsets) {
      progress.count(shape[axis]);
      for (std::size_t i = 0; i < shape[axis]; ++i) longer.push_back(static_cast<std::uint32_t>(offset + i * strides[axis]));
    }
    offsets = std::move(longer);
  }
  return offsets;
}

// Divides a tensor into groups: the elements of a group have equal coordinates outside `axes`.
struct Groups {
  Groups(const Shape& shape, const std::vector<std::uint32_t>& axes) : offsets(offsetsAlong(shape, axes)) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < shape.size(); ++i) {
      if (std::ranges::find(axes, i) == axes.end()) others.push_back(i);
    }
    firsts = offsetsAlong(shape, others);
  }
  std::vector<std::uint32_t> firsts;   // position of each group's first element, in row-major order of the other dimensions
  std::vector<std::uint32_t> offsets;  // position of each member relative to its group's first element
};

// A view of one group's values.
template <typename V>
struct Group {
  std::span<const V> values;  // the elements of the whole tensor, not only of this group
  std::uint32_t first;
  std::span<const std::uint32_t> offsets;

  std::size_t size() const { return offsets.size(); }
  std::size_t position(std::size_t i) const { return std::size_t{first} + offsets[i]; }
  V operator[](std::size_t i) const { return values[position(i)]; }
};

}  // namespace webnn::reference
