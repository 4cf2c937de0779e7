// Reductions over axes, positions of extreme values, and running sums.
#include <algorithm>
#include <limits>

#include "backends/webgpu/kernels/integers.h"
#include "backends/webgpu/kernels/kernels.h"
#include "backends/webgpu/kernels/lines.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

using ops::ReduceKind;

// A reduction as WGSL expressions. Partial results have the type `type`; combining with `identity` changes nothing.
struct Combination {
  std::string type, identity;
  std::string mapped;    // expression for the partial result of an element x
  std::string combined;  // expression for the partial result of two partial results a and b
  std::string finished;  // expression for the result, given the last partial result v
  // Partial results between dispatches are `width` elements of the type `stored`.
  DataType stored = DataType::float32;
  std::uint32_t width = 1;
};

// Keeps sums of float32 in several parts, so that no intermediate sum overflows. Sums of float16 cannot overflow float32.
Combination combinationOfFloats(Shader& shader, ReduceKind kind, bool isHalf, std::uint32_t count) {
  const std::string size = literal(static_cast<float>(count));
  const auto plain = [](std::string mapped, std::string finished) {
    return Combination{"f32", "0.0f", std::move(mapped), "a + b", std::move(finished)};
  };
  const auto parts = [&](std::string_view function, const std::string& argument, std::string finished, std::uint32_t width) {
    shader.use(function);
    const std::string type = formatText("vec{}<f32>", width);
    return Combination{
        type, type + "()", formatText("{}({})", function, argument), "a + b", std::move(finished), DataType::float32, width};
  };
  const std::string magnitude = "bitcast<f32>(bitcast<u32>(x) & 0x7fffffffu)";
  switch (kind) {
    case ReduceKind::reduceMax:
      shader.use("maximum");
      return {"f32", literal(-std::numeric_limits<float>::infinity()), "x", "maximum(a, b)", "v"};
    case ReduceKind::reduceMin:
      shader.use("minimum");
      return {"f32", literal(std::numeric_limits<float>::infinity()), "x", "minimum(a, b)", "v"};
    case ReduceKind::reduceProduct:
      shader.use("productParts");
      shader.use("valueOfParts");
      return {"vec2<f32>",
              "vec2<f32>(1.0f, 0.0f)",
              "productParts(x)",
              "productOfParts(a, b)",
              "valueOfParts(v)",
              DataType::float32,
              2};
    case ReduceKind::reduceSumSquare: return plain("x * x", "v");
    case ReduceKind::reduceL2:
      shader.use("squareRoot");
      shader.use("rootOfSquares");
      return isHalf ? plain("x * x", "squareRoot(v)") : parts("squareParts", "x", "rootOfSquares(v, 1.0f, 0.0f)", 3);
    case ReduceKind::reduceLogSumExp:
      for (const std::string_view function : {"combinedExponentials", "isFinite", "logarithm"}) shader.use(function);
      return {"vec2<f32>",
              formatText("vec2<f32>({}, 0.0f)", literal(-std::numeric_limits<float>::infinity())),
              "vec2<f32>(x, 1.0f)",
              "combinedExponentials(a, b)",
              "select(v.x, v.x + logarithm(v.y), isFinite(v.x))",
              DataType::float32,
              2};
    case ReduceKind::reduceLogSum:
      shader.use("logarithm");
      shader.use("logarithmOfParts");
      return isHalf ? plain("x", "logarithm(v)") : parts("sumParts", "x", "logarithmOfParts(v)", 2);
    case ReduceKind::reduceMean:
      shader.use("sumOfParts");
      return isHalf ? plain("x", "v / " + size) : parts("sumParts", "x", "sumOfParts(v / " + size + ")", 2);
    case ReduceKind::reduceL1:
      shader.use("sumOfParts");
      return isHalf ? plain(magnitude, "v") : parts("sumParts", magnitude, "sumOfParts(v)", 2);
    case ReduceKind::reduceSum: break;
  }
  shader.use("sumOfParts");
  return isHalf ? plain("x", "v") : parts("sumParts", "x", "sumOfParts(v)", 2);
}

Combination combinationOfIntegers(Shader& shader, ReduceKind kind, DataType type) {
  using ops::BinaryKind;
  const bool isSigned = laneOf(type) == Lane::i32;
  const BinaryKind combined = kind == ReduceKind::reduceMax       ? BinaryKind::max
                              : kind == ReduceKind::reduceMin     ? BinaryKind::min
                              : kind == ReduceKind::reduceProduct ? BinaryKind::mul
                                                                  : BinaryKind::add;
  std::string mapped = "x";
  if (kind == ReduceKind::reduceSumSquare) mapped = integerOperation(shader, BinaryKind::mul, type, "x", "x");
  if (kind == ReduceKind::reduceL1 && isSigned) {
    if (isWide(type)) shader.use("abs64");
    mapped = isWide(type) ? "abs64(x)" : "select(x, -x, x < 0)";
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Number identity = kind == ReduceKind::reduceMax       ? webnn::cast(-kInfinity, type)
                          : kind == ReduceKind::reduceMin     ? webnn::cast(kInfinity, type)
                          : kind == ReduceKind::reduceProduct ? Number(1)
                                                              : Number(0);
  const DataType stored = isWide(type) ? type : isSigned ? DataType::int32 : DataType::uint32;
  return {std::string(wgslType(arithmeticLane(type), type)),
          integerLiteral(identity, type),
          mapped,
          integerOperation(shader, combined, type, "a", "b"),
          "v",
          stored};
}

Combination combinationOf(Shader& shader, ReduceKind kind, DataType type, std::uint32_t count) {
  return isFloat(type) ? combinationOfFloats(shader, kind, type == DataType::float16, count)
                       : combinationOfIntegers(shader, kind, type);
}

void declareCombined(Shader& shader, const Combination& by) {
  shader.declare(formatText("fn combined(a: {0}, b: {0}) -> {0} {{ return {1}; }}\n", by.type, by.combined));
}
void declareMapped(Shader& shader, const Combination& by, DataType type) {
  shader.declare(
      formatText("fn mapped(x: {}) -> {} {{ return {}; }}\n", wgslType(arithmeticLane(type), type), by.type, by.mapped));
}

// One invocation reduces a line of at most kShort elements, or of at most kShortOfMany if there are at least kMany lines.
constexpr std::uint32_t kShort = 64, kShortOfMany = 512, kMany = 8192;
// plan(ops::Reduce) divides longer lines into parts of this many elements, and reduces each part in a workgroup.
constexpr std::uint32_t kLongest = 16384;

// Plans the kernel that combines lines of `size` values. The shader has functions `loaded(line, k)` and `combined`.
void planLines(Shader& shader, const Combination& by, std::uint32_t size, const Operand& output, Lane lane, Planner& planner) {
  const std::uint32_t lines = static_cast<std::uint32_t>(elementCount(output.descriptor()));
  if (size <= (lines >= kMany ? kShortOfMany : kShort)) {
    planner.elements(shader, output, lane,
                     formatText("  var v = loaded(i, 0u);\n"
                                "  for (var k = 1u; k < {}u; k++) {{ v = combined(v, loaded(i, k)); }}\n"
                                "  return {};",
                                size, by.finished),
                     "lines by invocations", size);
    return;
  }
  const std::uint32_t threads = threadsFor(size);
  planner.requireIterations(std::uint64_t{2} * divideUp(size, threads));
  declareGroupReduction(shader, "Line", by.type, threads, "combined");
  planner.groups(shader, output, lane, threads,
                 formatText("  var v = {};\n"
                            "  for (var k = thread; k < {}u; k += {}u) {{ v = combined(v, loaded(i, k)); }}\n"
                            "  v = reducedLine(v, thread);\n"
                            "  return {};",
                            by.identity, size, threads, by.finished),
                 "lines by workgroups", size);
}

// Declares `fn loaded(line: u32, k: u32)` for the elements of an operand.
void declareLoaded(Shader& shader, const Combination& by, const Operand& input, const Lines& lines) {
  const Shader::Input x = shader.read(input, arithmeticLane(input.dataType()));
  declareMapped(shader, by, input.dataType());
  shader.declare(formatText("fn loaded(line: u32, k: u32) -> {} {{ return mapped({}); }}\n", by.type,
                            x.at(lines.start(shader, "line") + " + " + lines.member(shader, "k"))));
}

// Divides long lines into parts and reduces each part. Returns the partial results, [lines, parts, Combination::width].
Operand planParts(const ops::Reduce& op, const Lines& lines, std::uint32_t parts, Planner& planner) {
  Shader shader;
  const Combination by = combinationOf(shader, op.kind, op.input.dataType(), lines.size);
  const Operand partial = planner.scratch({by.stored, {lines.count, parts, by.width}});
  declareLoaded(shader, by, op.input, lines);
  declareCombined(shader, by);
  const std::uint32_t threads = threadsFor(kLongest);
  declareGroupReduction(shader, "Part", by.type, threads, "combined");
  const Shader::Output y = shader.write(partial, arithmeticLane(by.stored));
  std::string stores;
  for (std::uint32_t c = 0; c < by.width; ++c) {
    stores += y.set(formatText("group * {}u + {}u", by.width, c), by.width == 1 ? "v" : formatText("v[{}]", c));
  }
  const std::uint64_t groups = std::uint64_t{lines.count} * parts;
  const auto grid = gridOf(groups, planner.limits().maxWorkgroups);
  planner.add(shader.whole(formatText("@compute @workgroup_size({0})\n"
                                      "fn main(@builtin(workgroup_id) id: vec3<u32>,\n"
                                      "        @builtin(local_invocation_index) thread: u32) {{\n"
                                      "  let group = id.y * {1}u + id.x;\n"
                                      "  if (group >= {2}u) {{ return; }}\n"
                                      "  let line = group / {3}u;\n  let begin = (group % {3}u) * {4}u;\n"
                                      "  var v = {5};\n"
                                      "  for (var k = begin + thread; k < min(begin + {4}u, {6}u); k += {0}u) {{\n"
                                      "    v = combined(v, loaded(line, k));\n  }}\n"
                                      "  v = reducedPart(v, thread);\n"
                                      "  if (thread == 0u) {{ {7} }}\n}}\n",
                                      threads, grid[0], groups, parts, kLongest, by.identity, lines.size, stores),
                           grid, std::uint64_t{lines.count} * lines.size),
              "parts of lines by workgroups");
  return partial;
}

}  // namespace

void plan(const ops::Reduce& op, Planner& planner) {
  const Operand& output = planner.output();
  const DataType type = op.input.dataType();
  const Lines lines(op.input.shape(), *op.options.axes);
  Shader shader;
  const Combination by = combinationOf(shader, op.kind, type, lines.size);
  declareCombined(shader, by);
  if (lines.size <= kLongest) {
    declareLoaded(shader, by, op.input, lines);
    return planLines(shader, by, lines.size, output, arithmeticLane(type), planner);
  }
  const std::uint32_t parts = divideUp(lines.size, kLongest);
  const Shader::Input x = shader.read(planParts(op, lines, parts, planner), arithmeticLane(by.stored));
  std::string values;
  for (std::uint32_t c = 0; c < by.width; ++c) values += (c == 0 ? "" : ", ") + x.at(formatText("at + {}u", c));
  shader.declare(
      formatText("fn loaded(line: u32, k: u32) -> {0} {{\n  let at = (line * {1}u + k) * {2}u;\n  return {0}({3});\n}}\n",
                 by.type, parts, by.width, values));
  planLines(shader, by, parts, output, arithmeticLane(type), planner);
}

void plan(const ops::ArgMinMax& op, Planner& planner) {
  const Operand& output = planner.output();
  const DataType type = op.input.dataType();
  const bool isMin = op.kind == ops::ArgMinMaxKind::argMin;
  const std::uint32_t axes[] = {op.axis};
  const Lines lines(op.input.shape(), axes);
  Shader shader;
  const Shader::Input x = shader.read(op.input, arithmeticLane(type));
  const std::string_view value = wgslType(arithmeticLane(type), type);
  std::string better;
  if (isFloat(type)) {  // the first NaN wins over all numbers
    shader.use("below");
    better = formatText("(isNaN(a) && !isNaN(b)) || {}", isMin ? "below(a, b)" : "below(b, a)");
  } else {
    better = integerOperation(shader, isMin ? ops::BinaryKind::lesser : ops::BinaryKind::greater, type, "a", "b");
  }
  shader.declare(
      formatText("struct Best {{ value: {0}, at: u32 }}\n"
                 "fn isBetter(a: {0}, b: {0}) -> bool {{ return {1}; }}\n"
                 "fn combined(a: Best, b: Best) -> Best {{\n"
                 "  if (b.at == 4294967295u || isBetter(a.value, b.value)) {{ return a; }}\n"
                 "  if (a.at == 4294967295u || isBetter(b.value, a.value) || b.at < a.at) {{ return b; }}\n"
                 "  return a;\n}}\n"
                 "fn loaded(line: u32, k: u32) -> Best {{ return Best({2}, k); }}\n",
                 value, better, x.at(lines.start(shader, "line") + " + " + lines.member(shader, "k"))));
  const bool isLong = output.dataType() == DataType::int64;
  const Combination by{.type = "Best",
                       .identity = formatText("Best({}(), 4294967295u)", value),
                       .mapped = {},
                       .combined = {},
                       .finished = isLong ? "vec2<u32>(v.at, 0u)" : "i32(v.at)"};
  planLines(shader, by, lines.size, output, isLong ? Lane::bits : Lane::i32, planner);
}

// One invocation sums a short line. A workgroup sums a long line, in pieces.
void plan(const ops::CumulativeSum& op, Planner& planner) {
  const Operand& output = planner.output();
  const DataType type = op.input.dataType();
  const Lane lane = arithmeticLane(type);
  const std::uint32_t axes[] = {op.axis};
  const Lines lines(op.input.shape(), axes);
  const Operand target = isFloat(type) ? planner.wholeWords(output) : output;
  Shader shader;
  const Combination by = combinationOf(shader, ReduceKind::reduceSum, type, lines.size);
  declareCombined(shader, by);
  const Shader::Input x = shader.read(op.input, lane);
  const Shader::Output y = shader.write(target, lane);
  declareMapped(shader, by, type);
  const std::string member = op.options.reversed ? formatText("{}u - k", lines.size - 1) : "k";
  shader.declare(formatText(
      "fn placeOf(line: u32, k: u32) -> u32 {{ return {} + {}; }}\n"
      "fn finished(v: {}) -> {} {{ return {}; }}\n",
      lines.start(shader, "line"), lines.member(shader, formatText("({})", member)), by.type, wgslType(lane, type), by.finished));
  const std::uint64_t work = std::uint64_t{lines.count} * lines.size;
  const bool isShort = lines.size <= (lines.count >= kMany ? kShortOfMany : kShort);
  const std::uint32_t threads = isShort ? Shader::kElementsSize : threadsFor(lines.size);
  const auto grid = gridOf(isShort ? divideUp(lines.count, threads) : lines.count, planner.limits().maxWorkgroups);
  const std::string store = y.set("at", op.options.exclusive ? "finished(before)" : "finished(after)");
  std::string body;
  if (isShort) {
    body = formatText(
        "  let line = (group.y * {0}u + group.x) * {1}u + thread;\n"
        "  if (line >= {2}u) {{ return; }}\n"
        "  var before = {3};\n"
        "  for (var k = 0u; k < {4}u; k++) {{\n"
        "    let at = placeOf(line, k);\n"
        "    let after = combined(before, mapped({5}));\n"
        "    {6}\n"
        "    before = after;\n  }}\n",
        grid[0], threads, lines.count, by.identity, lines.size, x.at("at"), store);
  } else {
    // Each thread sums adjacent elements, so that few sums depend on each other.
    planner.requireIterations(std::uint64_t{3} * divideUp(lines.size, threads));
    const std::uint32_t each = std::min(32U, divideUp(lines.size, threads));
    shader.declare(formatText("var<workgroup> sums: array<{}, {}>;\n", by.type, threads));
    body = formatText(
        "  let line = group.y * {0}u + group.x;\n"
        "  if (line >= {1}u) {{ return; }}\n"
        "  var carry = {2};\n"
        "  for (var begin = 0u; begin < {3}u; begin += {4}u * {5}u) {{\n"
        "    let first = begin + thread * {5}u;\n    let end = min(first + {5}u, {3}u);\n"
        "    var v = {2};\n"
        "    for (var k = first; k < end; k++) {{\n"
        "      let at = placeOf(line, k);\n      v = combined(v, mapped({6}));\n    }}\n"
        "    for (var n = 1u; n < {4}u; n = n * 2u) {{\n"
        "      sums[thread] = v;\n      workgroupBarrier();\n"
        "      if (thread >= n) {{ v = combined(sums[thread - n], v); }}\n      workgroupBarrier();\n    }}\n"
        "    sums[thread] = v;\n    workgroupBarrier();\n"
        "    var before = carry;\n"
        "    if (thread > 0u) {{ before = combined(carry, sums[thread - 1u]); }}\n"
        "    for (var k = first; k < end; k++) {{\n"
        "      let at = placeOf(line, k);\n"
        "      let after = combined(before, mapped({6}));\n      {7}\n      before = after;\n    }}\n"
        "    carry = combined(carry, sums[{8}]);\n    workgroupBarrier();\n  }}\n",
        grid[0], lines.count, by.identity, lines.size, threads, each, x.at("at"), store, threads - 1);
  }
  planner.add(shader.whole(formatText("@compute @workgroup_size({})\n"
                                      "fn main(@builtin(workgroup_id) group: vec3<u32>,\n"
                                      "        @builtin(local_invocation_index) thread: u32) {{\n{}}}\n",
                                      threads, body),
                           grid, 2 * work),
              isShort ? "lines by invocations" : "lines by workgroups");
  if (isFloat(type)) planner.narrow(target, output);
}

}  // namespace webnn::webgpu
