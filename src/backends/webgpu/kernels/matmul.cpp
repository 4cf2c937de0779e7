// Matrix products, in tiles or with one invocation per word of the result. Sums that an intermediate overflow or underflow may
// have made wrong are computed again.
#include <cmath>
#include <numeric>

#include "backends/webgpu/kernels/kernels.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

using compiler::BatchGemm;

// Factors are multiplied by 2^kDown if their products or sum overflow, and by 2^kUp if they underflow.
constexpr int kDown = -80, kUp = 60;
constexpr double kLargeAlpha = 0x1p20;
constexpr float kTinySum = 0x1p-60F;

// A batch of matrices, with the strides at which its operand stores them.
struct Matrix {
  Shape batch;
  std::uint32_t rows = 1, columns = 1;
  Strides batchStrides;
  std::int64_t rowStride = 0, columnStride = 0;
};

Matrix matrixOf(const Shape& shape, const Strides& stored, const std::vector<std::uint32_t>& permutation) {
  const std::size_t rank = shape.size();
  std::vector<std::uint32_t> order(permutation);
  if (order.empty()) {
    order.resize(rank);
    std::iota(order.begin(), order.end(), 0U);
  }
  Matrix matrix;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    matrix.batch.push_back(shape[order[i]]);
    matrix.batchStrides.push_back(stored[order[i]]);
  }
  matrix.rows = shape[order[rank - 2]], matrix.columns = shape[order[rank - 1]];
  matrix.rowStride = stored[order[rank - 2]], matrix.columnStride = stored[order[rank - 1]];
  return matrix;
}

// Returns the strides of a batch that is broadcast to the batch `to`.
Strides broadcastBatch(const Matrix& matrix, const Shape& to) {
  Strides strides(to.size(), 0);
  const std::size_t missing = to.size() - matrix.batch.size();
  for (std::size_t i = 0; i < matrix.batch.size(); ++i) strides[missing + i] = matrix.batch[i] == 1 ? 0 : matrix.batchStrides[i];
  return strides;
}

std::uint32_t product(const Shape& shape) { return std::accumulate(shape.begin(), shape.end(), 1U, std::multiplies<>()); }

// The product of two batches of matrices, with the strides of operands and result.
struct Product {
  Matrix a, b, y;  // y has the batch that a and b are broadcast to
  Strides aBatch, bBatch;

  explicit Product(const BatchGemm& op, const Operand& output)
      : a(matrixOf(op.a.shape(), stridesOf(op.a.shape()), op.aPermutation)),
        b(matrixOf(op.b.shape(), stridesOf(op.b.shape()), op.bPermutation)) {
    // The stored output is the result transposed: its dimension j is dimension outputPermutation[j] of the result.
    std::vector<std::uint32_t> inverse(op.outputPermutation.size());
    for (std::size_t j = 0; j < inverse.size(); ++j) inverse[op.outputPermutation[j]] = static_cast<std::uint32_t>(j);
    y = matrixOf(output.shape(), stridesOf(output.shape()), inverse);
    aBatch = broadcastBatch(a, y.batch), bBatch = broadcastBatch(b, y.batch);
  }
};

std::string times(std::string_view index, std::int64_t stride) {
  if (stride == 1) return std::string(index);
  return formatText("{} * {}u", index, static_cast<std::uint32_t>(stride));
}

// Sums of at least kLong products add kUnrolled products per iteration.
constexpr std::uint32_t kUnrolled = 16, kLong = 1024;

// Returns statements that add the terms 0 to `depth` - 1 to `sum`. `term` returns the WGSL expression of the term with an index.
template <typename Term>
std::string sumOfTerms(std::string_view sum, std::uint32_t depth, const Term& term) {
  const std::uint32_t step = depth < kLong ? 1 : kUnrolled, whole = depth / step * step;
  std::string text = formatText("  for (var k = 0u; k < {}u; k += {}u) {{\n", whole, step);
  for (std::uint32_t i = 0; i < step; ++i)
    text += formatText("    {0} = {0} + {1};\n", sum, term(i == 0 ? std::string("k") : formatText("(k + {}u)", i)));
  text += "  }\n";
  for (std::uint32_t k = whole; k < depth; ++k) text += formatText("  {0} = {0} + {1};\n", sum, term(formatText("{}u", k)));
  return text;
}

// Returns the number of iterations of sumOfTerms(), times 3, because doubtful sums are computed up to three times.
std::uint64_t iterationsOf(std::uint32_t depth) { return std::uint64_t{3} * (depth < kLong ? depth : depth / kUnrolled); }

// The number of products of a sum, and the strides of their factors in a row of `a` and in a column of `b`.
struct Depth {
  std::uint32_t size;
  std::int64_t aStride, bStride;
};

std::string timesAlpha(Shader& shader, double alpha) {
  return alpha == 1 ? "sum" : shader.scaled("sum", static_cast<float>(alpha));
}

// Declares `fn isDoubtful(sum: f32) -> bool`: whether `sum` is infinite or NaN, perhaps by an intermediate overflow, or, with a
// large alpha, may have underflowed. Declares `fn scaledSum(sum: f32, a0: u32, b0: u32) -> f32`: sum * alpha. It recomputes
// doubtful sums with scaled factors, from the products that begin at a0 and b0. Returns whether sums may be doubtful; sums of
// float16 products never are.
bool declareScaledSum(Shader& shader, double alpha, const Operand& left, const Shader::Input& a, const Shader::Input& b,
                      const Depth& depth) {
  const bool mayBeDoubtful = left.dataType() != DataType::float16;
  std::string body, test = "!isFinite(sum)";
  if (mayBeDoubtful) {
    shader.use("isFinite");
    shader.use("shiftedFactor");
    int exponent = 0;
    const auto mantissa = static_cast<float>(std::frexp(alpha, &exponent));
    const auto again = [&](std::string_view condition, int power, std::string_view returned) {
      body += formatText("  if ({}) {{\n    var again = 0.0f;\n{}    {} return shifted({}, {}); }}\n  }}\n", condition,
                         sumOfTerms("again", depth.size,
                                    [&](const std::string& k) {
                                      return formatText("shiftedFactor({0}, {2}) * shiftedFactor({1}, {2})",
                                                        a.at("a0 + " + times(k, depth.aStride)),
                                                        b.at("b0 + " + times(k, depth.bStride)), power);
                                    }),
                         returned, shader.scaled("again", mantissa), exponent - 2 * power);
    };
    again(test, kDown, "{");
    if (std::abs(alpha) > kLargeAlpha) {
      const std::string isTiny = "abs(sum) < " + literal(kTinySum);
      again(isTiny, kUp, "if (isFinite(again)) {");
      test += " || " + isTiny;
    }
  }
  shader.declare("fn isDoubtful(sum: f32) -> bool { return " + (mayBeDoubtful ? test : "false") + "; }\n");
  shader.declare("fn scaledSum(sum: f32, a0: u32, b0: u32) -> f32 {\n" + body + "  return " + timesAlpha(shader, alpha) +
                 ";\n}\n");
  return mayBeDoubtful;
}

// Declares `fn finish(sum: f32, column: u32, at: u32) -> f32`, which computes the stored element with the linear index `at` from
// the scaled sum.
void declareFinish(Shader& shader, const BatchGemm& op, const Operand& output) {
  std::string body = "  var v = sum;\n";
  if (op.bias) {
    const bool isScalar = elementCount(op.bias->descriptor()) == 1;
    body += "  v = v + " + shader.read(*op.bias, Lane::f32).at(isScalar ? "0u" : "column") + ";\n";
  }
  if (!op.epilogue.empty()) {
    shader.use("settled");
    std::string arguments = "settled(v)";
    for (const Operand& operand : op.epilogue.operands) {
      const Strides strides = broadcastStrides(operand.shape(), output.shape());
      arguments += ", " + shader.read(operand, Lane::f32).at(shader.offset(output.shape(), strides, "at"));
    }
    body += formatText("  v = {}({});\n", shader.program(op.epilogue.program), arguments);
  }
  shader.declare("fn finish(sum: f32, column: u32, at: u32) -> f32 {\n" + body + "  return v;\n}\n");
}

// Plans a kernel without tiles, for products that isTiled() rejects.
void planSmall(const BatchGemm& op, const Product& product, Planner& planner) {
  const Operand& output = planner.output();
  Shader shader;
  const Shader::Input a = shader.read(op.a, Lane::f32), b = shader.read(op.b, Lane::f32);
  declareScaledSum(shader, op.alpha, op.a, a, b, {product.a.columns, product.a.columnStride, product.b.rowStride});
  declareFinish(shader, op, output);
  // Strides that map the stored element i to its first factors in a and b, and to its column (see Shader::offset()).
  Strides rowStrides(output.rank(), 0), columnStrides(output.rank(), 0), aStrides(output.rank(), 0), bStrides(output.rank(), 0);
  const std::size_t rank = output.rank();
  std::vector<std::uint32_t> order(op.outputPermutation);
  if (order.empty()) {
    order.resize(rank);
    std::iota(order.begin(), order.end(), 0U);
  }
  for (std::size_t j = 0; j < rank; ++j) {
    const std::size_t dimension = order[j];
    if (dimension + 2 < rank) {
      aStrides[j] = product.aBatch[dimension], bStrides[j] = product.bBatch[dimension];
    } else if (dimension + 2 == rank) {
      aStrides[j] = product.a.rowStride;
    } else {
      bStrides[j] = product.b.columnStride, columnStrides[j] = 1;
    }
  }
  const std::uint64_t perWord = 32 / bitsPerElement(output.dataType());
  planner.requireIterations(perWord * iterationsOf(product.a.columns));
  const std::string body = formatText(
      "  let a0 = {};\n  let b0 = {};\n  var sum = 0.0f;\n{}"
      "  return finish(scaledSum(sum, a0, b0), {}, i);",
      shader.offset(output.shape(), aStrides, "i"), shader.offset(output.shape(), bStrides, "i"),
      sumOfTerms("sum", product.a.columns,
                 [&](const std::string& k) {
                   return a.at("a0 + " + times(k, product.a.columnStride)) + " * " +
                          b.at("b0 + " + times(k, product.b.rowStride));
                 }),
      shader.offset(output.shape(), columnStrides, "i"));
  planner.elements(shader, output, Lane::f32, body, "products of elements", 2 * product.a.columns);
}

// A workgroup of 16 x 16 invocations computes a tile of 64 x 64 sums, 4 x 4 in each invocation, from tiles of a and b in
// workgroup memory. float16 operands are summed in float32.
constexpr std::uint32_t kTile = 64, kDepth = 16, kThreads = 256;

// Returns statements that fill `tile` from rows [begin, begin + kTile) and the depth [start, start + kDepth). Neighbouring
// invocations read neighbouring elements of the dimension whose stride is 1.
std::string fill(std::string_view tile, const Shader::Input& from, std::string_view base, std::string_view begin,
                 std::uint32_t size, std::int64_t stride, std::uint32_t depth, std::int64_t depthStride) {
  const bool depthFirst = depthStride == 1 || stride != 1;
  const std::string element = formatText("{} + {} + {}", base, times("row", stride), times("k", depthStride));
  return formatText(
      "    for (var n = thread; n < {0}u; n += {1}u) {{\n"
      "      let r = {2};\n      let d = {3};\n"
      "      let row = {4} + r;\n      let k = start + d;\n"
      "      var v = 0.0f;\n"
      "      if (row < {5}u && k < {6}u) {{ v = {7}; }}\n"
      "      {8}[d * {9}u + r] = v;\n    }}\n",
      kTile * kDepth, kThreads, depthFirst ? formatText("n / {}u", kDepth) : formatText("n % {}u", kTile),
      depthFirst ? formatText("n % {}u", kDepth) : formatText("n / {}u", kTile), begin, size, depth, from.at(element), tile,
      kTile);
}

void planTiled(const BatchGemm& op, const Product& product, Planner& planner) {
  const Operand& output = planner.output();
  const std::uint32_t batch = webgpu::product(product.y.batch), depth = product.a.columns;
  const std::uint32_t tileRows = divideUp(product.y.rows, kTile), tileColumns = divideUp(product.y.columns, kTile);
  Shader shader;
  const Shader::Input a = shader.read(op.a, Lane::f32), b = shader.read(op.b, Lane::f32);
  const bool mayBeDoubtful =
      declareScaledSum(shader, op.alpha, op.a, a, b, {product.a.columns, product.a.columnStride, product.b.rowStride});
  declareFinish(shader, op, output);
  const Operand target = planner.wholeWords(output);
  const Shader::Output y = shader.write(target, Lane::f32);
  shader.declare(formatText("var<workgroup> tileA: array<f32, {0}>;\nvar<workgroup> tileB: array<f32, {0}>;\n", kTile * kDepth));
  std::string loads, sums;
  for (int r = 0; r < 4; ++r) loads += formatText("      let a{0} = tileA[d * {1}u + ty + {2}u];\n", r, kTile, 16 * r);
  for (int c = 0; c < 4; ++c) loads += formatText("      let b{0} = tileB[d * {1}u + tx + {2}u];\n", c, kTile, 16 * c);
  std::string declared, stores, doubts;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      declared += formatText("  var s{}{} = 0.0f;\n", r, c);
      sums += formatText("      s{0}{1} = s{0}{1} + a{0} * b{1};\n", r, c);
      stores += formatText("  store(y0at, row0 + ty + {}u, column0 + tx + {}u, s{}{});\n", 16 * r, 16 * c, r, c);
      doubts += formatText("{}isDoubtful(s{}{})", r + c == 0 ? "" : " || ", r, c);
    }
  }
  const std::string place =
      formatText("base + {} + {}", times("row", product.y.rowStride), times("column", product.y.columnStride));
  shader.declare(
      formatText("fn store(base: u32, row: u32, column: u32, sum: f32) {{\n"
                 "  if (row >= {}u || column >= {}u) {{ return; }}\n"
                 "  let at = {};\n  let v = {};\n  {}\n}}\n",
                 product.y.rows, product.y.columns, place, timesAlpha(shader, op.alpha), y.set("at", "finish(v, column, at)")));
  if (mayBeDoubtful) {  // one loop for all sums of the invocation, because the code is large and rarely runs
    shader.declare(
        formatText("fn storeAgain(base: u32, a0: u32, b0: u32, row: u32, column: u32) {{\n"
                   "  if (row >= {}u || column >= {}u) {{ return; }}\n"
                   "  var sum = 0.0f;\n{}"
                   "  let at = {};\n  let v = scaledSum(sum, a0, b0);\n  {}\n}}\n",
                   product.y.rows, product.y.columns,
                   sumOfTerms("sum", depth,
                              [&](const std::string& k) {
                                return a.at("a0 + " + times(k, product.a.columnStride)) + " * " +
                                       b.at("b0 + " + times(k, product.b.rowStride));
                              }),
                   place, y.set("at", "finish(v, column, at)")));
    stores += formatText(
        "  if ({}) {{\n"
        "    for (var n = 0u; n < 16u; n++) {{\n"
        "      let row = row0 + ty + 16u * (n / 4u);\n      let column = column0 + tx + 16u * (n % 4u);\n"
        "      storeAgain(y0at, a0 + {}, b0 + {}, row, column);\n    }}\n  }}\n",
        doubts, times("row", product.a.rowStride), times("column", product.b.columnStride));
  }
  const std::string main = formatText(
      "@compute @workgroup_size({0})\n"
      "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{\n"
      "  let tx = thread % 16u;\n  let ty = thread / 16u;\n"
      "  let column0 = (group.x % {1}u) * {2}u;\n  let row0 = (group.x / {1}u) * {2}u;\n"
      "  let batch = group.y;\n"
      "  let a0 = {3};\n  let b0 = {4};\n  let y0at = {5};\n"
      "{6}"
      "  for (var start = 0u; start < {7}u; start += {8}u) {{\n"
      "{9}{10}    workgroupBarrier();\n"
      "    for (var d = 0u; d < {8}u; d++) {{\n{11}{12}    }}\n"
      "    workgroupBarrier();\n  }}\n{13}}}\n",
      kThreads, tileColumns, kTile, shader.offset(product.y.batch, product.aBatch, "batch"),
      shader.offset(product.y.batch, product.bBatch, "batch"), shader.offset(product.y.batch, product.y.batchStrides, "batch"),
      declared, depth, kDepth, fill("tileA", a, "a0", "row0", product.a.rows, product.a.rowStride, depth, product.a.columnStride),
      fill("tileB", b, "b0", "column0", product.b.columns, product.b.columnStride, depth, product.b.rowStride), loads, sums,
      stores);
  planner.add(shader.whole(main, {tileRows * tileColumns, batch, 1},
                           std::uint64_t{2} * batch * product.y.rows * product.y.columns * depth),
              "tiles of 64x64x16");
  planner.narrow(target, output);
}

bool isTiled(const Product& product, const KernelLimits& limits) {
  constexpr std::uint32_t kSmallest = 24;
  const std::uint64_t tiles = std::uint64_t{divideUp(product.y.rows, kTile)} * divideUp(product.y.columns, kTile);
  // The number of iterations of an invocation: for a tile, and for 16 sums that are computed again because they may be wrong.
  const std::uint64_t iterations = std::uint64_t{2} * product.a.columns + 16 * iterationsOf(product.a.columns);
  if (iterations > limits.maxIterations) return false;
  return product.y.rows >= kSmallest && product.y.columns >= kSmallest && product.a.columns >= 8 &&
         tiles <= limits.maxWorkgroups && webgpu::product(product.y.batch) <= limits.maxWorkgroups;
}

}  // namespace

void plan(const BatchGemm& op, Planner& planner) {
  const Operand& output = planner.output();
  const Product product(op, output);
  if (isTiled(product, planner.limits())) return planTiled(op, product, planner);
  planSmall(op, product, planner);
}

// Computes float16 products whose scaled sum must be rounded only once; lowering replaces all others by BatchGemm.
void plan(const ops::Gemm& op, Planner& planner) {
  const Operand& output = planner.output();
  const GemmOptions& options = op.options;
  const std::uint32_t columns = output.shape()[1], depth = op.a.shape()[options.aTranspose ? 0 : 1];
  Shader shader;
  const Shader::Input a = shader.read(op.a, Lane::f32), b = shader.read(op.b, Lane::f32);
  const std::int64_t aColumns = op.a.shape()[1], bColumns = op.b.shape()[1];
  const std::int64_t aStride = options.aTranspose ? aColumns : 1, bStride = options.bTranspose ? 1 : bColumns;
  planner.requireIterations(32 / bitsPerElement(output.dataType()) * iterationsOf(depth));
  declareScaledSum(shader, options.alpha, op.a, a, b, {depth, aStride, bStride});
  std::string result = "scaledSum(sum, a0, b0)";
  if (options.c) {
    const Strides strides = broadcastStrides(options.c->shape(), output.shape());
    result += " + " + shader.scaled(shader.read(*options.c, Lane::f32).at(shader.offset(output.shape(), strides, "i")),
                                    static_cast<float>(options.beta));
  }
  planner.elements(shader, output, Lane::f32,
                   formatText("  let a0 = {};\n  let b0 = {};\n  var sum = 0.0f;\n{}  return {};",
                              times(formatText("(i / {}u)", columns), options.aTranspose ? 1 : aColumns),
                              times(formatText("(i % {}u)", columns), options.bTranspose ? bColumns : 1),
                              sumOfTerms("sum", depth,
                                         [&](const std::string& k) {
                                           return a.at("a0 + " + times(k, aStride)) + " * " + b.at("b0 + " + times(k, bStride));
                                         }),
                              result),
                   "products of elements", 2 * depth);
}

}  // namespace webnn::webgpu
