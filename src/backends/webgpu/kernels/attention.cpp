// Attention in one kernel, which does not store the scores.
#include <numeric>

#include "backends/webgpu/kernels/kernels.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

using compiler::Attention;

// An operand as [batch, heads, rows, columns], with its strides.
struct HeadsView {
  std::array<std::uint32_t, 4> sizes{1, 1, 1, 1};
  std::array<std::int64_t, 4> strides{};
};

// Pads the stored shape with leading 1s to four dimensions, then applies `permutation` to them.
HeadsView headsOf(const Operand& operand, const std::vector<std::uint32_t>& permutation) {
  Shape stored(4 - operand.rank(), 1);
  stored.insert(stored.end(), operand.shape().begin(), operand.shape().end());
  const Strides strides = stridesOf(stored);
  HeadsView view;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t from = permutation.empty() ? i : permutation[i];
    view.sizes[i] = stored[from];
    view.strides[i] = stored[from] == 1 ? 0 : strides[from];
  }
  return view;
}

std::string sumOf(const std::array<std::int64_t, 4>& strides, const std::array<std::string_view, 4>& indices) {
  std::string sum = "0u";
  for (std::size_t i = 0; i < 4; ++i) {
    if (strides[i] != 0) sum += formatText(" + {} * {}u", indices[i], static_cast<std::uint32_t>(strides[i]));
  }
  return sum;
}

constexpr std::uint32_t kHeadThreads = 128;

}  // namespace

// A workgroup computes one row of one head. It processes the columns in chunks of one column per thread, and rescales its sums
// whenever a chunk has a greater score than all earlier chunks.
void plan(const Attention& op, Planner& planner) {
  const Operand& output = planner.output();
  const HeadsView q = headsOf(op.q, op.qPermutation), k = headsOf(op.k, op.kPermutation), v = headsOf(op.v, op.vPermutation);
  // The stored output is the result transposed by outputPermutation.
  std::vector<std::uint32_t> inverse(op.outputPermutation.size());
  for (std::size_t j = 0; j < inverse.size(); ++j) inverse[op.outputPermutation[j]] = static_cast<std::uint32_t>(j);
  const HeadsView y = headsOf(output, inverse);
  const std::uint32_t heads = y.sizes[1], rows = y.sizes[2], columns = k.sizes[2], depth = q.sizes[3], width = y.sizes[3];
  const std::uint32_t parts = (width + kHeadThreads - 1) / kHeadThreads;
  const std::uint64_t groups = std::uint64_t{y.sizes[0]} * heads * rows;
  const auto grid = gridOf(groups, planner.limits().maxWorkgroups);
  planner.requireIterations(std::uint64_t{(columns + kHeadThreads - 1) / kHeadThreads} *
                            (depth + parts * (kHeadThreads + 1) + 16));
  Shader shader;
  shader.use("maximum");
  shader.use("exponential");
  const Shader::Input queries = shader.read(op.q, Lane::f32), keys = shader.read(op.k, Lane::f32),
                      values = shader.read(op.v, Lane::f32);
  std::string masked;
  if (op.mask) {
    const Shader::Input mask = shader.read(*op.mask, Lane::f32);
    masked = " + " + mask.at(sumOf(headsOf(*op.mask, {}).strides, {"batch", "head", "row", "column"}));
  }
  const Operand target = planner.wholeWords(output);
  const Shader::Output to = shader.write(target, Lane::f32);
  declareGroupReduction(shader, "Max", kHeadThreads, "maximum(a, b)");
  declareGroupReduction(shader, "Sum", kHeadThreads, "a + b");
  shader.declare(
      formatText("var<workgroup> weights: array<f32, {}>;\nvar<workgroup> query: array<f32, {}>;\n", kHeadThreads, depth));
  const std::string keyHead = op.repeats == 1 ? "head" : formatText("(head / {}u)", op.repeats);
  const auto kAt = sumOf(k.strides, {"batch", keyHead, "column", "d"}), vAt = sumOf(v.strides, {"batch", keyHead, "c", "j"});
  const std::string main = formatText(
      "@compute @workgroup_size({threads})\n"
      "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{\n"
      "  let number = group.y * {gridX}u + group.x;\n"
      "  if (number >= {groups}u) {{ return; }}\n"
      "  let row = number % {rows}u;\n  let head = (number / {rows}u) % {heads}u;\n  let batch = number / {perBatch}u;\n"
      "  for (var d = thread; d < {depth}u; d += {threads}u) {{ query[d] = {qValue} * {before}; }}\n"
      "  workgroupBarrier();\n"
      "  var most = fromBits(0xff800000u);\n  var total = 0.0f;\n"
      "  var sums: array<f32, {parts}>;\n"
      "  for (var start = 0u; start < {columns}u; start += {threads}u) {{\n"
      "    let column = start + thread;\n"
      "    var score = fromBits(0xff800000u);\n"
      "    if (column < {columns}u) {{\n"
      "      var sum = 0.0f;\n"
      "      for (var d = 0u; d < {depth}u; d++) {{ sum = sum + query[d] * {kValue}; }}\n"
      "      score = sum * {scale}{masked};\n"
      "    }}\n"
      "    let next = maximum(most, reduceMax(score, thread));\n"
      // If all scores so far are -infinity, nothing is added, and the result becomes 0 / 0 unless greater scores follow.
      "    let isLowest = bitcast<u32>(next) == 0xff800000u;\n"
      "    var weight = 0.0f;\n    var factor = 1.0f;\n"
      "    if (!isLowest) {{ weight = exponential(score - next); factor = exponential(most - next); }}\n"
      "    weights[thread] = weight;\n"
      "    total = total * factor + reduceSum(weight, thread);\n"
      "    let end = min({threads}u, {columns}u - start);\n"
      "    for (var part = 0u; part < {parts}u; part++) {{\n"
      "      let j = part * {threads}u + thread;\n"
      "      var sum = sums[part] * factor;\n"
      "      if (j < {width}u) {{\n"
      "        for (var n = 0u; n < end; n++) {{ let c = start + n; sum = sum + weights[n] * {vValue}; }}\n"
      "      }}\n"
      "      sums[part] = sum;\n    }}\n"
      "    most = next;\n"
      "    workgroupBarrier();\n  }}\n"
      "  for (var part = 0u; part < {parts}u; part++) {{\n"
      "    let j = part * {threads}u + thread;\n"
      "    if (j < {width}u) {{ {store} }}\n  }}\n}}\n",
      fmt::arg("threads", kHeadThreads), fmt::arg("gridX", grid[0]), fmt::arg("groups", groups), fmt::arg("rows", rows),
      fmt::arg("heads", heads), fmt::arg("perBatch", rows * heads), fmt::arg("depth", depth),
      fmt::arg("qValue", queries.at(sumOf(q.strides, {"batch", "head", "row", "d"}))), fmt::arg("before", literal(op.before)),
      fmt::arg("columns", columns), fmt::arg("parts", parts), fmt::arg("kValue", keys.at(kAt)),
      fmt::arg("scale", literal(op.scale)), fmt::arg("masked", masked), fmt::arg("width", width),
      fmt::arg("vValue", values.at(vAt)),
      fmt::arg("store", to.set(sumOf(y.strides, {"batch", "head", "row", "j"}), "sums[part] / total")));
  planner.add(shader.whole(main, grid, groups * columns * (2 * depth + 2 * width)), "rows of heads");
  planner.narrow(target, output);
}

}  // namespace webnn::webgpu
