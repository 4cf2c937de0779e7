// Slices that select a contiguous piece of memory.
#pragma once

#include <cstddef>
#include <optional>

#include "ops/shape.h"

namespace webnn::ops {

// Returns the byte offset at which the selected elements begin if they are contiguous in memory, else nullopt. They are if the
// first dimension with more than one selected element has stride 1, and all later dimensions are selected completely. Also
// returns nullopt for 4-bit types. Example: from [4, 3, 5], starts [1, 1, 0] and sizes [1, 2, 5] are contiguous.
std::optional<std::size_t> contiguousOffset(const Slice& slice);

}  // namespace webnn::ops
