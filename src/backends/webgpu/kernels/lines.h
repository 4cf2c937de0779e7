// Divides tensors into lines for reductions and normalizations. The elements of a line differ only in their indices along `axes`.
#pragma once

#include <span>

#include "backends/webgpu/shaders/shader.h"

namespace webnn::webgpu {

struct Lines {
  Lines(const Shape& shape, std::span<const std::uint32_t> axes);

  // Return expressions for offsets: start() returns the offset of a line's first element, member() the offset of element `k`
  // relative to the first.
  std::string start(Shader& shader, std::string_view line) const { return shader.offset(outer, outerStrides, line); }
  std::string member(Shader& shader, std::string_view k) const { return shader.offset(inner, innerStrides, k); }

  Shape outer, inner;  // sizes of the dimensions that are not in `axes`, and of those in `axes`
  Strides outerStrides, innerStrides;
  std::vector<std::uint32_t> axes;  // ascending
  std::uint32_t count = 1;          // the number of lines
  std::uint32_t size = 1;           // the number of elements of a line
};

// Declares `fn reducedNAME(v: TYPE, thread: u32) -> TYPE`, which combines the values of all `size` threads of a workgroup with
// the function `combine`. All threads must call it, and get the same result. `size` is a power of two.
void declareGroupReduction(Shader& shader, std::string_view name, std::string_view type, std::uint32_t size,
                           std::string_view combine);

}  // namespace webnn::webgpu
