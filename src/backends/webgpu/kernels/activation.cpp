// Softmax. elementwise.cpp has the other activations.
#include "backends/webgpu/kernels/kernels.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::webgpu {

void declareGroupReduction(Shader& shader, std::string_view name, std::uint32_t size, std::string_view combined) {
  shader.declare(
      formatText("var<workgroup> shared{0}: array<f32, {1}>;\n"
                 "fn reduce{0}(v: f32, thread: u32) -> f32 {{\n"
                 "  workgroupBarrier();\n"
                 "  shared{0}[thread] = v;\n"
                 "  for (var n = {2}u; n > 0u; n = n / 2u) {{\n"
                 "    workgroupBarrier();\n"
                 "    if (thread < n) {{\n"
                 "      let a = shared{0}[thread];\n      let b = shared{0}[thread + n];\n"
                 "      shared{0}[thread] = {3};\n    }}\n  }}\n"
                 "  workgroupBarrier();\n"
                 "  return shared{0}[0];\n}}\n",
                 name, size, size / 2, combined));
}

std::uint32_t threadsFor(std::uint32_t count) {
  std::uint32_t threads = 32;
  while (threads < count && threads < 256) threads *= 2;
  return threads;
}

// One workgroup per row.
void plan(const ops::Softmax& op, Planner& planner) {
  const Operand& output = planner.output();
  const Shape& shape = output.shape();
  const Strides strides = stridesOf(shape);
  const std::uint32_t count = shape[op.axis], threads = threadsFor(count);
  const std::uint64_t rows = elementCount(output.descriptor()) / count;
  Shape others = shape;
  others[op.axis] = 1;
  const Operand target = planner.wholeWords(output);
  planner.requireIterations(std::uint64_t{3} * divideUp(count, threads));
  Shader shader;
  shader.use("maximum");
  shader.use("exponential");
  const Shader::Input x = shader.read(op.input, Lane::f32);
  const Shader::Output y = shader.write(target, Lane::f32);
  declareGroupReduction(shader, "Max", threads, "maximum(a, b)");
  declareGroupReduction(shader, "Sum", threads, "a + b");
  const auto grid = gridOf(rows, planner.limits().maxWorkgroups);
  const std::string at = formatText("base + j * {}u", static_cast<std::uint32_t>(strides[op.axis]));
  const std::string loop = formatText("for (var j = thread; j < {}u; j += {}u)", count, threads);
  planner.add(shader.whole(formatText("@compute @workgroup_size({0})\n"
                                      "fn main(@builtin(workgroup_id) group: vec3<u32>,\n"
                                      "        @builtin(local_invocation_index) thread: u32) {{\n"
                                      "  let row = group.y * {1}u + group.x;\n"
                                      "  if (row >= {2}u) {{ return; }}\n"
                                      "  let base = {3};\n"
                                      "  var most = fromBits(0xff800000u);\n"
                                      "  {4} {{ most = maximum(most, {5}); }}\n"
                                      "  most = reduceMax(most, thread);\n"
                                      "  var sum = 0.0f;\n"
                                      "  {4} {{ sum = sum + exponential({5} - most); }}\n"
                                      "  sum = reduceSum(sum, thread);\n"
                                      "  {4} {{ {6} }}\n}}\n",
                                      threads, grid[0], rows, shader.offset(others, strides, "row"), loop, x.at(at),
                                      y.set(at, "exponential(" + x.at(at) + " - most) / sum")),
                           grid, rows * count * 40),
              "rows by workgroups");
  planner.narrow(target, output);
}

}  // namespace webnn::webgpu
