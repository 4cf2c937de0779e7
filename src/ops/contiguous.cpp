#include "ops/contiguous.h"

namespace webnn::ops {

std::optional<std::size_t> contiguousOffset(const Slice& slice) {
  const Shape& shape = slice.input.shape();
  const auto& strides = slice.options.strides;
  const auto isStepped = [&](std::size_t d) { return strides && (*strides)[d] != 1; };
  if (bitsPerElement(slice.input.dataType()) < 8) return std::nullopt;
  std::size_t axis = 0;  // the first axis along which more than one element is selected
  while (axis < shape.size() && slice.sizes[axis] == 1) ++axis;
  if (axis < shape.size() && isStepped(axis)) return std::nullopt;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) {
    if (slice.sizes[d] != shape[d] || isStepped(d)) return std::nullopt;
  }
  std::size_t first = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) first = first * shape[d] + slice.starts[d];
  return first * bitsPerElement(slice.input.dataType()) / 8;
}

}  // namespace webnn::ops
