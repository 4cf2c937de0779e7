// Pooling: one invocation for each word of the result, or a workgroup if the window is large.
#include <algorithm>
#include <bit>
#include <cmath>

#include "backends/webgpu/kernels/kernels.h"
#include "base/divide_up.h"
#include "base/text.h"
#include "webnn/error.h"

namespace webnn::webgpu {

namespace {

using ops::Pool2dKind;

// Sums are scaled by powers of two, so that they do not overflow if the result does not.
constexpr std::string_view kScaleDeclaration =
    "fn scaleFor(most: f32) -> f32 {\n"
    "  if (most > 1e15f) { return fromBits(0x1f800000u); }\n"   // 2^-64
    "  if (most < 1e-15f) { return fromBits(0x5f800000u); }\n"  // 2^64
    "  return 1.0f;\n}\n";

// Returns a loop over the window elements of a result. Thread `thread` visits the elements whose index is `thread` modulo
// `threads`.
std::string windowLoop(const std::array<ops::WindowAxis, 2>& window, std::int64_t rowStride, std::int64_t columnStride,
                       std::string_view element, std::string_view step, std::uint32_t threads) {
  const auto& [y, x] = window;
  return formatText(
      "  for (var n = {0}; n < {1}u; n += {2}u) {{\n"
      "    let iy = y0 + i32(n / {3}u * {4}u);\n    let ix = x0 + i32(n % {3}u * {5}u);\n"
      "    if (u32(iy) >= {6}u || u32(ix) >= {7}u) {{ continue; }}\n"
      "    let at = plane + u32(iy) * {8}u + u32(ix) * {9}u;\n    let v = {10};\n    {11}\n  }}\n",
      threads == 1 ? "0u" : "thread", y.windowSize * x.windowSize, threads, x.windowSize, y.dilation, x.dilation, y.inputSize,
      x.inputSize, rowStride, columnStride, element, step);
}

// Returns declarations of the position of result `i`: plane, and the window's first row y0 and column x0.
std::string placeOf(const ops::Pool2d& op, const Shape& output, const std::array<ops::WindowAxis, 2>& window) {
  const ops::ImageAxes image = ops::axesOf(op.options.layout);
  const Strides in = stridesOf(op.input.shape()), out = stridesOf(output);
  const auto coordinate = [&](std::size_t axis) { return formatText("(i / {}u % {}u)", out[axis], output[axis]); };
  const auto first = [&](std::size_t axis, const ops::WindowAxis& of) {
    return formatText("i32{} * {} - {}", coordinate(axis), of.stride, of.beginningPadding);
  };
  return formatText("  let plane = {} * {}u + {} * {}u;\n  let y0 = {};\n  let x0 = {};\n", coordinate(image.batch),
                    in[image.batch], coordinate(image.channel), in[image.channel], first(image.height, window[0]),
                    first(image.width, window[1]));
}

// Returns declarations of the number of window elements inside the input, as the float `count`.
std::string countOf(const std::array<ops::WindowAxis, 2>& window) {
  const auto inside = [](std::string_view name, const ops::WindowAxis& axis) {
    return formatText(
        "  let begin{0} = max(0, (-{0}0 + {1}) / {2});\n"
        "  let end{0} = min({3}, ({4} - {0}0 + {1}) / {2});\n",
        name, axis.dilation - 1, axis.dilation, axis.windowSize, axis.inputSize);
  };
  return inside("y", window[0]) + inside("x", window[1]) +
         "  let count = f32(max(0, endy - beginy)) * f32(max(0, endx - beginx));\n";
}

void planIntegers(const ops::Pool2d& op, const std::array<ops::WindowAxis, 2>& window, Planner& planner) {
  const Operand& output = planner.output();
  const DataType type = op.input.dataType();
  const bool isLong = bitsPerElement(type) == 64, isSigned = laneOf(type) == Lane::i32;
  const Lane lane = isLong ? Lane::bits : laneOf(type);
  planner.requireIterations(window[0].windowSize * window[1].windowSize * std::max<std::uint64_t>(32 / bitsPerElement(type), 1));
  Shader shader;
  const Shader::Input x = shader.read(op.input, lane);
  const ops::ImageAxes image = ops::axesOf(op.options.layout);
  const Strides in = stridesOf(op.input.shape());
  std::string start, step;
  if (isLong) {
    start = isSigned ? "vec2<u32>(0u, 2147483648u)" : "vec2<u32>(0u, 0u)";
    const std::string_view above = isSigned ? "bitcast<i32>(v.y) > bitcast<i32>(best.y)" : "v.y > best.y";
    step = formatText("if ({} || (v.y == best.y && v.x > best.x)) {{ best = v; }}", above);
  } else {
    start = isSigned ? formatText("(-{} - 1)", (std::uint64_t{1} << (bitsPerElement(type) - 1)) - 1) : "0u";
    step = "best = max(best, v);";
  }
  planner.elements(shader, output, lane,
                   placeOf(op, output.shape(), window) + formatText("  var best = {};\n", start) +
                       windowLoop(window, in[image.height], in[image.width], x.at("at"), step, 1) + "  return best;",
                   "pool", window[0].windowSize * window[1].windowSize);
}

}  // namespace

void requireSmall(const ops::WindowAxis& axis, std::uint64_t resultSize) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  if (axis.beginningPadding < kMost && axis.stride < kMost && axis.dilation < kMost && axis.effectiveWindowSize() < kMost &&
      std::max(resultSize, axis.inputSize) * axis.stride < kMost)
    return;
  fail(
      ErrorKind::notSupportedError,
      "build: the WebGPU backend does not support a {} of {} with a window of {}, a stride of {}, a dilation of {} and a padding "
      "of {}; places in a padded image must be below {}.",
      axis.name, axis.inputSize, axis.windowSize, axis.stride, axis.dilation, axis.beginningPadding, kMost);
}

void plan(const ops::Pool2d& op, Planner& planner) {
  const Operand& output = planner.output();
  const auto window = ops::poolingAxes(op);
  const ops::ImageAxes image = ops::axesOf(op.options.layout);
  requireSmall(window[0], output.shape()[image.height]);
  requireSmall(window[1], output.shape()[image.width]);
  const std::uint64_t size = window[0].windowSize * window[1].windowSize;
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 31;
  if (size >= kMostElements) {
    fail(ErrorKind::notSupportedError,
         "build: the WebGPU backend does not support a window of {} x {}; a window must have fewer than {} elements.",
         window[0].windowSize, window[1].windowSize, kMostElements);
  }
  if (!isFloat(op.input.dataType())) return planIntegers(op, window, planner);

  constexpr std::uint64_t kLargeWindow = 128;
  const std::uint32_t threads =
      size < kLargeWindow ? 1 : threadsFor(static_cast<std::uint32_t>(std::min<std::uint64_t>(size, 256)));
  const std::uint64_t loops = op.kind == Pool2dKind::maxPool2d ? 1 : 2;
  planner.requireIterations(2 * loops * divideUp(size, std::uint64_t{threads}));
  const Strides in = stridesOf(op.input.shape());
  Shader shader;
  const Shader::Input x = shader.read(op.input, Lane::f32);
  shader.use("maximum");
  if (threads > 1) {
    declareGroupReduction(shader, "Max", threads, "maximum(a, b)");
    if (op.kind != Pool2dKind::maxPool2d) declareGroupReduction(shader, "Sum", threads, "a + b");
  }
  const auto loop = [&](std::string_view step) {
    return windowLoop(window, in[image.height], in[image.width], x.at("at"), step, threads);
  };
  const auto combined = [&](std::string_view name, std::string_view value) {
    return threads == 1 ? std::string(value) : formatText("reduce{}({}, thread)", name, value);
  };
  std::string body = placeOf(op, output.shape(), window);
  switch (op.kind) {
    case Pool2dKind::maxPool2d:
      body += "  var best = fromBits(0xff800000u);\n" + loop("best = maximum(best, v);") + "  return " + combined("Max", "best") +
              ";";
      break;
    case Pool2dKind::averagePool2d: {
      // If the sum overflows, divides each element by a power of two that is at least the number of elements. Subtracts from the
      // exponent as an integer, because shader compilers would move a common factor out of a sum.
      const auto bits = static_cast<std::uint32_t>(std::bit_width(size - 1));
      shader.declare(
          formatText("fn divided(v: f32) -> f32 {{\n  let bits = bitcast<u32>(v);\n  let e = (bits >> 23u) & 255u;\n"
                     "  if (e == 255u) {{ return v; }}\n  if (e <= {0}u) {{ return 0.0f; }}\n"
                     "  return bitcast<f32>(bits - ({0}u << 23u));\n}}\n",
                     bits));
      body += countOf(window) + "  let most = max(count, 1.0f);\n  var sum = 0.0f;\n" + loop("sum = sum + v;") +
              formatText("  let whole = {};\n  var small = 0.0f;\n", combined("Sum", "sum")) +
              "  if ((bitcast<u32>(whole) & 0x7f800000u) == 0x7f800000u) {\n" + loop("small = small + divided(v);") + "  }\n" +
              formatText(
                  "  let rest = {};\n"
                  "  if ((bitcast<u32>(whole) & 0x7f800000u) == 0x7f800000u) {{ return rest / (most * {}); }}\n"
                  "  return whole / most;",
                  combined("Sum", "small"), literal(std::ldexp(1.0f, -static_cast<int>(bits))));
      break;
    }
    case Pool2dKind::l2Pool2d:
      shader.declare(kScaleDeclaration);
      body += "  var most = 0.0f;\n" + loop("most = maximum(most, abs(v));") +
              formatText("  let scale = scaleFor({});\n  var sum = 0.0f;\n", combined("Max", "most")) +
              loop("sum = sum + (v * scale) * (v * scale);") +
              formatText("  return squareRoot({}) / scale;", combined("Sum", "sum"));
      shader.use("squareRoot");
      break;
  }
  if (threads == 1) return planner.elements(shader, output, Lane::f32, body, "pool", size);
  planner.groups(shader, output, Lane::f32, threads, body, "pool by workgroups", size);
}

}  // namespace webnn::webgpu
