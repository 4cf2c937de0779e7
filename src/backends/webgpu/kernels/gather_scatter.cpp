// Kernels that read or write elements at positions that an operand of indices gives.
#include "backends/webgpu/kernels/kernels.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

// Declares `fn placeN(i: u32) -> u32`, which returns the position in a dimension of `size` elements for element `i` of `indices`.
// Negative indices count from the end. Positions are clamped to the dimension, so that no index reads outside the tensor.
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

// The targets of a scatter. The result consists of slots of equal size, and each update replaces one slot. `slot` is a WGSL
// expression for the slot of update `u`.
struct Targets {
  std::uint32_t slots, updates;
  std::string slot;
};

// Plans a scatter in three kernels. If several updates have the same slot, the last update wins: the first kernel
// writes 0 for each slot, the second stores 1 + the index of the slot's last update there, and the third moves the elements.
// WGSL expressions: `slotOf` is the slot of element `i` of the result; `element` is the index in `updates` of the element that
// update `w` writes to element `i` of the result.
void planScatter(const Operand& input, const Operand& updates, Shader& finding, const Targets& targets, std::string_view slotOf,
                 std::string_view element, Planner& planner) {
  const Operand& output = planner.output();
  const Operand last = planner.scratch({DataType::uint32, {targets.slots}});
  Shader clearing;
  planner.elements(clearing, last, Lane::u32, "  return 0u;", "clear");
  const std::string numbers = finding.writeAtomics(last);
  const auto grid = gridOf(divideUp(targets.updates, Shader::kElementsSize), planner.limits().maxWorkgroups);
  planner.add(finding.whole(formatText("@compute @workgroup_size({0})\n"
                                       "fn main(@builtin(workgroup_id) group: vec3<u32>,\n"
                                       "        @builtin(local_invocation_index) thread: u32) {{\n"
                                       "  let u = (group.y * {1}u + group.x) * {0}u + thread;\n"
                                       "  if (u >= {2}u) {{ return; }}\n"
                                       "  atomicMax(&{3}[{4}], u + 1u);\n}}\n",
                                       Shader::kElementsSize, grid[0], targets.updates, numbers, targets.slot),
                            grid, targets.updates),
              "last updates");
  Shader moving;
  const Shader::Input numbersOf = moving.read(last, Lane::u32), x = moving.read(input, Lane::bits),
                      from = moving.read(updates, Lane::bits);
  planner.elements(moving, output, Lane::bits,
                   formatText("  let number = {};\n  if (number == 0u) {{ return {}; }}\n  let w = number - 1u;\n  return {};",
                              numbersOf.at(slotOf), x.at("i"), from.at(element)),
                   "scatter");
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

void plan(const ops::ScatterElements& op, Planner& planner) {
  const Shape &shape = op.input.shape(), &indices = op.indices.shape();
  const std::uint32_t axis = op.options.axis;
  Strides strides = stridesOf(shape);
  const std::int64_t along = strides[axis];
  strides[axis] = 0;
  Shader finding;
  const std::string place = declarePlace(finding, op.indices, shape[axis]);
  const Targets targets{
      .slots = static_cast<std::uint32_t>(elementCount(op.input.descriptor())),
      .updates = static_cast<std::uint32_t>(elementCount(op.indices.descriptor())),
      .slot = formatText("{} + {}(u) * {}u", finding.offset(indices, strides, "u"), place, along),
  };
  planScatter(op.input, op.updates, finding, targets, "i", "w", planner);
}

void plan(const ops::ScatterND& op, Planner& planner) {
  const Shape& shape = op.input.shape();
  const Strides strides = stridesOf(shape);
  const std::uint32_t depth = op.indices.shape().back();
  std::uint32_t block = 1;
  for (std::size_t d = depth; d < shape.size(); ++d) block *= shape[d];
  Shader finding;
  std::string slot = "0u";
  for (std::uint32_t d = 0; d < depth; ++d) {
    slot += formatText(" + {}(u * {}u + {}u) * {}u", declarePlace(finding, op.indices, shape[d]), depth, d, strides[d] / block);
  }
  std::uint32_t tuples = 1;
  for (std::size_t d = 0; d + 1 < op.indices.shape().size(); ++d) tuples *= op.indices.shape()[d];
  const Targets targets{.slots = static_cast<std::uint32_t>(elementCount(op.input.descriptor())) / block,
                        .updates = tuples,
                        .slot = std::move(slot)};
  planScatter(op.input, op.updates, finding, targets, formatText("i / {}u", block), formatText("w * {0}u + i % {0}u", block),
              planner);
}

}  // namespace webnn::webgpu
