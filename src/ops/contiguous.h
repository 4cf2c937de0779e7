// Slices that select one piece of memory.
#pragma once

#include <cstddef>
#include <optional>

#include "ops/shape.h"

namespace webnn::ops {

// Returns the offset in bytes at which the selected elements of a contiguous slice begin. Nullopt if the elements are not whole
// bytes in one piece: the dimensions after the first with more than one selected element must be whole, and the strides of all
// these dimensions 1.
std::optional<std::size_t> contiguousOffset(const Slice& slice);

}  // namespace webnn::ops
