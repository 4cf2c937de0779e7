#include "backends/webgpu/kernels/lines.h"

#include <algorithm>

#include "base/text.h"

namespace webnn::webgpu {

Lines::Lines(const Shape& shape, std::span<const std::uint32_t> along) : axes(along.begin(), along.end()) {
  std::ranges::sort(axes);
  const Strides strides = stridesOf(shape);
  for (std::uint32_t d = 0; d < shape.size(); ++d) {
    const bool isInner = std::ranges::binary_search(axes, d);
    (isInner ? inner : outer).push_back(shape[d]);
    (isInner ? innerStrides : outerStrides).push_back(strides[d]);
    (isInner ? size : count) *= shape[d];
  }
}

void declareGroupReduction(Shader& shader, std::string_view name, std::string_view type, std::uint32_t size,
                           std::string_view combine) {
  shader.declare(
      formatText("var<workgroup> shared{0}: array<{1}, {2}>;\n"
                 "fn reduced{0}(v: {1}, thread: u32) -> {1} {{\n"
                 "  workgroupBarrier();\n"
                 "  shared{0}[thread] = v;\n"
                 "  for (var n = {3}u; n > 0u; n = n / 2u) {{\n"
                 "    workgroupBarrier();\n"
                 "    if (thread < n) {{ shared{0}[thread] = {4}(shared{0}[thread], shared{0}[thread + n]); }}\n"
                 "  }}\n"
                 "  workgroupBarrier();\n"
                 "  return shared{0}[0];\n}}\n",
                 name, type, size, size / 2, combine));
}

}  // namespace webnn::webgpu
