// Divides tensors into lines: the elements that differ in some dimensions only. Reductions and normalizations work on lines.
#pragma once

#include <span>

#include "backends/webgpu/shaders/shader.h"

namespace webnn::webgpu {

struct Lines {
  Lines(const Shape& shape, std::span<const std::uint32_t> axes);

  // Returns an expression for the offset of an element: that of a line, and of an element `k` relative to its line.
  std::string start(Shader& shader, std::string_view line) const { return shader.offset(outer, outerStrides, line); }
  std::string member(Shader& shader, std::string_view k) const { return shader.offset(inner, innerStrides, k); }

  Shape outer, inner;  // the dimensions outside `axes`, and those in `axes`, each in ascending order
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
