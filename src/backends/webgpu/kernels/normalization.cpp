// Plans batch, instance, layer and RMS normalization.
#include <cmath>
#include <limits>

#include "backends/webgpu/kernels/kernels.h"
#include "backends/webgpu/kernels/lines.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

// A normalization of each line. The elements of a line differ only in their indices along `axes`.
struct LineNormalization {
  Operand input;
  std::optional<Operand> residual;  // added to the input
  std::vector<std::uint32_t> axes;
  std::optional<Operand> scale, bias;
  // The index into scale and bias: a WGSL expression of `line` and of `k`, the index of the element in its line.
  std::string parameter;
  bool rms = false;        // RMS normalization: the mean is not subtracted
  bool asWritten = false;  // whether to round and overflow like separate float32 operations
  float epsilon = 0;
};

// Declares `fn loaded(line: u32, k: u32) -> f32`, which returns the input plus the residual.
void declareValues(Shader& shader, const LineNormalization& op, const Lines& lines) {
  const std::string at = lines.start(shader, "line") + " + " + lines.member(shader, "k");
  std::string value = shader.read(op.input, Lane::f32).at("at");
  if (op.residual) value += " + " + shader.read(*op.residual, Lane::f32).at("at");
  if (op.residual && op.input.dataType() == DataType::float16) {  // the sum is rounded to float16
    shader.use("fromHalf");
    shader.use("toHalf");
    value = "fromHalf(toHalf(" + value + "))";
  }
  shader.declare(formatText("fn loaded(line: u32, k: u32) -> f32 {{\n  let at = {};\n  return {};\n}}\n", at, value));
}

// Returns statements that compute `mean` (subtracted from the values), `rest` (the rounding error of `mean`) and `root` (the
// divisor of the differences). Halves all values and sums differences from the first value, so that no difference or sum
// overflows, and equal values give exactly 0.
std::string exactMoments(Shader& shader, const LineNormalization& op, std::uint32_t threads, std::uint32_t size) {
  for (const std::string_view function : {"settled", "sumParts", "sumOfParts", "squareParts", "rootOfSquares"})
    shader.use(function);
  shader.declare(
      "fn addPairs(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> { return a + b; }\n"
      "fn addMoments(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> { return a + b; }\n"
      "fn centred(v: f32, mean: f32) -> f32 { return settled(0.5f * v) - mean; }\n"
      // The differences are scaled, so that their sum does not overflow.
      "fn momentsOf(d: f32) -> vec4<f32> { return vec4<f32>(squareParts(d), d * 2.3283064e-10f); }\n");
  declareGroupReduction(shader, "Sum", "vec2<f32>", threads, "addPairs");
  declareGroupReduction(shader, "Moments", "vec4<f32>", threads, "addMoments");
  const std::string loop = formatText("  for (var k = thread; k < {}u; k += {}u)", size, threads);
  return formatText(
      "  let first = 0.5f * loaded(line, 0u);\n"
      "  var sum = vec2<f32>();\n"
      "{0} {{ sum = sum + sumParts(centred(loaded(line, k), first)); }}\n"
      "  let mean = first + sumOfParts(reducedSum(sum, thread) / {1});\n"
      "  var some = vec4<f32>();\n"
      "{0} {{ some = some + momentsOf(centred(loaded(line, k), mean)); }}\n"
      "  let moments = reducedMoments(some, thread);\n"
      "  let rest = moments.w / {1} * 4294967296.0f;\n"
      "  var root = rootOfSquares(moments.xyz, {2}, {3});\n"
      "  if (rest != 0.0f) {{ root = root * squareRoot(max(1.0f - (rest / root) * (rest / root), 0.0f)); }}\n",
      loop, literal(static_cast<float>(size)), literal(1 / static_cast<float>(size)),
      literal(static_cast<float>(op.epsilon / 4)));
}

// Returns statements that compute `mean`, `rest` (0) and `root` by the separate operations of the graph.
std::string writtenMoments(Shader& shader, const LineNormalization& op, std::uint32_t threads, std::uint32_t size) {
  shader.use("squareRoot");
  shader.declare("fn addValues(a: f32, b: f32) -> f32 { return a + b; }\n");
  declareGroupReduction(shader, "Sum", "f32", threads, "addValues");
  const std::string loop = formatText("  for (var k = thread; k < {}u; k += {}u)", size, threads),
                    count = literal(static_cast<float>(size));
  shader.declare("fn centred(v: f32, mean: f32) -> f32 { return v - mean; }\n");
  std::string text = "  let rest = 0.0f;\n  let mean = 0.0f;\n";
  if (!op.rms) {
    text = formatText(
        "  let rest = 0.0f;\n  var sum = 0.0f;\n"
        "{} {{ sum = sum + loaded(line, k); }}\n"
        "  let mean = reducedSum(sum, thread) / {};\n",
        loop, count);
  }
  return text + formatText(
                    "  var squares = 0.0f;\n"
                    "{} {{\n    let d = loaded(line, k) - mean;\n    squares = squares + d * d;\n  }}\n"
                    "  let root = squareRoot(reducedSum(squares, thread) / {} + {});\n",
                    loop, count, literal(op.epsilon));
}

// Plans a kernel with one workgroup per line.
void planNormalization(const LineNormalization& op, const Lines& lines, Shader& shader, Planner& planner) {
  const Operand& output = planner.output();
  const Operand target = planner.wholeWords(output);
  const std::uint32_t threads = threadsFor(lines.size);
  planner.requireIterations(std::uint64_t{3} * divideUp(lines.size, threads));
  declareValues(shader, op, lines);
  const Shader::Output y = shader.write(target, Lane::f32);
  const std::string moments =
      op.asWritten ? writtenMoments(shader, op, threads, lines.size) : exactMoments(shader, op, threads, lines.size);
  std::string value = "(centred(loaded(line, k), mean) - rest) / root";
  if (op.scale) value = shader.read(*op.scale, Lane::f32).at("p") + " * (" + value + ")";
  if (op.bias) value += " + " + shader.read(*op.bias, Lane::f32).at("p");
  const auto grid = gridOf(lines.count, planner.limits().maxWorkgroups);
  planner.add(shader.whole(formatText("@compute @workgroup_size({0})\n"
                                      "fn main(@builtin(workgroup_id) group: vec3<u32>,\n"
                                      "        @builtin(local_invocation_index) thread: u32) {{\n"
                                      "  let line = group.y * {1}u + group.x;\n"
                                      "  if (line >= {2}u) {{ return; }}\n"
                                      "{3}"
                                      "  for (var k = thread; k < {4}u; k += {0}u) {{\n"
                                      "    let p = {5};\n    let at = {6} + {7};\n    {8}\n  }}\n}}\n",
                                      threads, grid[0], lines.count, moments, lines.size, op.parameter,
                                      lines.start(shader, "line"), lines.member(shader, "k"), y.set("at", value)),
                           grid, std::uint64_t{8} * lines.count * lines.size),
              "lines by workgroups");
  planner.narrow(target, output);
}

// Returns an expression for the index of `line` along dimension `axis`, which must not be in lines.axes.
std::string channelOf(Shader& shader, const Lines& lines, std::uint32_t axis, std::size_t rank) {
  Strides strides;
  for (std::uint32_t d = 0; d < rank; ++d) {
    if (std::ranges::find(lines.axes, d) == lines.axes.end()) strides.push_back(d == axis ? 1 : 0);
  }
  return shader.offset(lines.outer, strides, "line");
}

}  // namespace

// Computes scale * ((x - mean) / sqrt(variance + epsilon)) + bias. Halving x and mean keeps their difference finite.
void plan(const ops::BatchNormalization& op, Planner& planner) {
  const Operand& output = planner.output();
  const std::uint32_t axis = op.options.axis;
  const std::int64_t inner = stridesOf(output.shape())[axis];
  Shader shader;
  shader.use("squareRoot");
  shader.use("settled");
  const auto read = [&](const Operand& operand) { return shader.read(operand, Lane::f32).at("c"); };
  // Doubles the quotient instead of scaling the variance down, because a small variance would round.
  std::string value = formatText("(settled(0.5f * {}) - settled(0.5f * {})) / squareRoot({} + {}) * 2.0f",
                                 shader.read(op.input, Lane::f32).at("i"), read(op.mean), read(op.variance),
                                 literal(static_cast<float>(op.options.epsilon)));
  if (op.options.scale) value = read(*op.options.scale) + " * (" + value + ")";
  if (op.options.bias) value += " + " + read(*op.options.bias);
  planner.elements(shader, output, Lane::f32,
                   formatText("  let c = (i / {}u) % {}u;\n  return {};", inner, output.shape()[axis], value), "elements", 8);
}

void plan(const ops::InstanceNormalization& op, Planner& planner) {
  const bool nchw = op.options.layout == InputOperandLayout::nchw;
  LineNormalization normalization{.input = op.input,
                                  .axes = nchw ? std::vector<std::uint32_t>{2, 3} : std::vector<std::uint32_t>{1, 2}};
  normalization.scale = op.options.scale, normalization.bias = op.options.bias;
  normalization.epsilon = static_cast<float>(op.options.epsilon);
  const Lines lines(op.input.shape(), normalization.axes);
  Shader shader;
  normalization.parameter = channelOf(shader, lines, nchw ? 1 : 3, 4);
  planNormalization(normalization, lines, shader, planner);
}

// Scale and bias have the dimensions of `axes`, in the order of `axes`.
void plan(const ops::LayerNormalization& op, Planner& planner) {
  const Shape& shape = op.input.shape();
  const std::vector<std::uint32_t>& axes = *op.options.axes;
  LineNormalization normalization{.input = op.input, .axes = axes};
  normalization.scale = op.options.scale, normalization.bias = op.options.bias;
  normalization.epsilon = static_cast<float>(op.options.epsilon);
  const Lines lines(shape, axes);
  Shape sizes;
  for (const std::uint32_t axis : axes) sizes.push_back(shape[axis]);
  const Strides own = stridesOf(sizes);
  Strides strides;
  for (const std::uint32_t axis : lines.axes)
    strides.push_back(own[static_cast<std::size_t>(std::ranges::find(axes, axis) - axes.begin())]);
  Shader shader;
  normalization.parameter = shader.offset(lines.inner, strides, "k");
  planNormalization(normalization, lines, shader, planner);
}

void plan(const compiler::RowNormalization& op, Planner& planner) {
  LineNormalization normalization{.input = op.input,
                                  .residual = op.residual,
                                  .axes = {static_cast<std::uint32_t>(op.input.rank()) - 1},
                                  .scale = op.scale,
                                  .bias = op.bias,
                                  .parameter = "k",
                                  .rms = op.rms,
                                  .asWritten = op.rms || op.asWritten,
                                  .epsilon = op.epsilon};
  Shader shader;
  planNormalization(normalization, Lines(op.input.shape(), normalization.axes), shader, planner);
}

void plan(const compiler::WrittenNormalization& op, Planner& planner) {
  LineNormalization normalization{.input = op.input,
                                  .residual = {},
                                  .axes = op.axes,
                                  .scale = op.scale,
                                  .bias = op.bias,
                                  .parameter = "k",
                                  .asWritten = true,
                                  .epsilon = op.epsilon};
  const Lines lines(op.input.shape(), op.axes);
  Shader shader;
  if (op.isOfChannels) normalization.parameter = channelOf(shader, lines, op.channel(), op.input.rank());
  planNormalization(normalization, lines, shader, planner);
}

}  // namespace webnn::webgpu
