// Kernels that read elements at places which other operands give.
#include "backends/webgpu/kernels/kernels.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

// Declares `fn placeN(i: u32) -> u32`, which returns the place on a dimension of `size` elements that index `i` gives. Negative
// indices count from the end; places beyond the ends become the ends, so that no index reads outside the tensor.
std::string declarePlace(Shader& shader, const Operand& indices, std::uint32_t size) {
  const Lane lane = laneOf(indices.dataType());
  const std::string value = shader.read(indices, lane).at("i"), name = shader.uniqueName("place");
  if (lane == Lane::u32) {
    shader.declare(formatText("fn {}(i: u32) -> u32 {{ return min({}, {}u); }}\n", name, value, size - 1));
  } else {
    shader.declare(
        formatText("fn {0}(i: u32) -> u32 {{\n  let v = clamp({1}, -{2}, {3});\n"
                   "  return u32(select(v, v + {2}, v < 0));\n}}\n",
                   name, value, size, size - 1));
  }
  return name;
}

}  // namespace

void plan(const ops::Gather& op, Planner& planner) {
  const Shape& from = op.input.shape();
  const std::uint32_t axis = op.options.axis, size = from[axis];
  const std::int64_t inner = stridesOf(from)[axis];
  const std::uint64_t count = elementCount(op.indices.descriptor());
  Shader shader;
  const Shader::Input x = shader.read(op.input, Lane::bits);
  const std::string place = declarePlace(shader, op.indices, size);
  planner.elements(shader, planner.output(), Lane::bits,
                   formatText("  let at = {}((i / {}u) % {}u);\n  return {};", place, inner, count,
                              x.at(formatText("(i / {}u * {}u + at) * {}u + i % {}u", inner * static_cast<std::int64_t>(count),
                                              size, inner, inner))),
                   "gather");
}

void plan(const ops::GatherElements& op, Planner& planner) {
  const Operand& output = planner.output();
  const std::uint32_t axis = op.options.axis;
  Strides strides = stridesOf(op.input.shape());
  const std::int64_t along = strides[axis];
  strides[axis] = 0;
  Shader shader;
  const Shader::Input x = shader.read(op.input, Lane::bits);
  const std::string place = declarePlace(shader, op.indices, op.input.shape()[axis]);
  planner.elements(
      shader, output, Lane::bits,
      "  return " + x.at(formatText("{} + {}(i) * {}u", shader.offset(output.shape(), strides, "i"), place, along)) + ";",
      "gather");
}

void plan(const ops::GatherND& op, Planner& planner) {
  const Operand& output = planner.output();
  const Shape& from = op.input.shape();
  const Strides strides = stridesOf(from);
  const std::uint32_t depth = op.indices.shape().back();
  std::int64_t block = 1;
  for (std::size_t d = depth; d < from.size(); ++d) block *= from[d];
  Shader shader;
  const Shader::Input x = shader.read(op.input, Lane::bits);
  std::string body = formatText("  let tuple = (i / {0}u) * {1}u;\n  var at = i % {0}u;\n", block, depth);
  for (std::uint32_t d = 0; d < depth; ++d) {
    body += formatText("  at = at + {}(tuple + {}u) * {}u;\n", declarePlace(shader, op.indices, from[d]), d, strides[d]);
  }
  planner.elements(shader, output, Lane::bits, body + "  return " + x.at("at") + ";", "gather");
}

}  // namespace webnn::webgpu
