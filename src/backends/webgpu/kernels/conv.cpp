// Convolutions: tiles of an implicit matrix product, or one invocation for each word of the result. All images have channels
// last.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "backends/webgpu/kernels/kernels.h"
#include "base/divide_up.h"
#include "base/text.h"
#include "webnn/error.h"

namespace webnn::webgpu {

namespace {

using compiler::Epilogue;

// One spatial dimension of a convolution, or of the part of a transposed convolution whose results read the same taps of the
// filter. Result i is at position firstResult + i * resultStep. Its tap j is tap firstTap + j * tapStep of the filter, and reads
// position firstInput + i * inputStep + j * inputTapStep of the input, if that is inside the input.
struct Axis {
  std::int64_t inputSize = 1, resultSize = 1;
  std::int64_t results = 1, firstResult = 0, resultStep = 1;
  std::int64_t taps = 1, firstTap = 0, tapStep = 1;
  std::int64_t firstInput = 0, inputStep = 1, inputTapStep = 1;

  // Returns whether all taps of all results are inside the input.
  bool isInside() const {
    const std::int64_t lastTap = (taps - 1) * inputTapStep, lastResult = firstInput + (results - 1) * inputStep;
    return firstInput + std::min<std::int64_t>(lastTap, 0) >= 0 && lastResult + std::max<std::int64_t>(lastTap, 0) < inputSize;
  }
};

// The filter as a matrix for each group: rows are the taps and the group's input channels, columns the group's output channels.
struct Filter {
  Operand operand;
  std::int64_t groupStride = 0, rowStride = 0, columnStride = 0, inputStride = 0, outputStride = 0;
  bool isPacked = false;  // stored as [height, width, inputs of a group, all outputs]
  bool isFinite = false;  // a constant without NaN and infinities
};

// The fields that conv2d and convTranspose2d share.
struct Images {
  Operand input, output;
  Shape inputShape, outputShape;  // [batch, height, width, channels]
  std::optional<Operand> bias;
  const Epilogue* epilogue = nullptr;
  Filter filter;
  std::uint32_t groups = 1, inputs = 1, outputs = 1;  // channels in each group
  std::uint32_t filterWidth = 1;

  std::uint32_t batch() const { return outputShape[0]; }
  std::uint32_t channels() const { return groups * outputs; }
};

bool isFiniteConstant(const Operand& operand) {
  if (!compiler::isConstant(operand)) return false;
  const std::span<const std::byte> bytes = operand.record().bytes;
  const bool isHalf = operand.dataType() == DataType::float16;
  const std::size_t count = elementCount(operand.descriptor());
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * (isHalf ? 2 : 4), isHalf ? 2 : 4);
    const std::uint32_t mask = isHalf ? 0x7C00U : 0x7F800000U;
    if ((bits & mask) == mask) return false;
  }
  return true;
}

// Describes the filter of a convolution. Packs a constant filter (Filter::isPacked).
template <typename Op>
Filter filterOf(const Op& op, const Images& images, Planner& planner) {
  constexpr bool kTransposed = std::is_same_v<Op, ops::ConvTranspose2d>;
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  const Shape& shape = op.filter.shape();
  const Strides strides = stridesOf(shape);
  Filter filter{.operand = op.filter,
                .groupStride = kTransposed ? images.inputs * strides[axes.input] : images.outputs * strides[axes.output],
                .rowStride = strides[axes.height],
                .columnStride = strides[axes.width],
                .inputStride = strides[axes.input],
                .outputStride = strides[axes.output],
                .isFinite = isFiniteConstant(op.filter)};
  const std::int64_t height = shape[axes.height], width = shape[axes.width], channels = images.channels();
  const Filter packed{.operand = op.filter,
                      .groupStride = images.outputs,
                      .rowStride = width * images.inputs * channels,
                      .columnStride = images.inputs * channels,
                      .inputStride = channels,
                      .outputStride = 1,
                      .isPacked = true,
                      .isFinite = filter.isFinite};
  const auto steps = [](const Filter& f) {
    return std::array{f.groupStride, f.rowStride, f.columnStride, f.inputStride, f.outputStride};
  };
  const std::array<std::int64_t, 5> sizes{images.groups, height, width, images.inputs, images.outputs};
  bool isSame = true;
  for (std::size_t i = 0; i < sizes.size(); ++i) isSame = isSame && (sizes[i] == 1 || steps(filter)[i] == steps(packed)[i]);
  if (isSame) return packed;
  if (!compiler::isConstant(op.filter)) return filter;
  const std::size_t size = bitsPerElement(op.filter.dataType()) / 8;
  const std::span<const std::byte> from = op.filter.record().bytes;
  std::vector<std::byte> bytes(elementCount(op.filter.descriptor()) * size);
  std::size_t to = 0;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t i = 0; i < images.inputs; ++i) {
        for (std::int64_t g = 0; g < images.groups; ++g) {
          for (std::int64_t o = 0; o < images.outputs; ++o, to += size) {
            const std::int64_t at = g * filter.groupStride + y * filter.rowStride + x * filter.columnStride +
                                    i * filter.inputStride + o * filter.outputStride;
            std::memcpy(bytes.data() + to, from.data() + static_cast<std::size_t>(at) * size, size);
          }
        }
      }
    }
  }
  Filter result = packed;
  result.operand = planner.constant(
      {op.filter.dataType(),
       {static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width), images.inputs, images.channels()}},
      std::move(bytes));
  return result;
}

template <typename Op>
Images imagesOf(const Op& op, const Operand& output, Planner& planner) {
  Images images{.input = op.input,
                .output = output,
                .inputShape = op.input.shape(),
                .outputShape = output.shape(),
                .bias = op.options.bias,
                .groups = op.options.groups};
  images.inputs = op.input.shape()[3] / images.groups, images.outputs = output.shape()[3] / images.groups;
  images.filterWidth = op.filter.shape()[ops::axesOf(op.options.filterLayout).width];
  images.filter = filterOf(op, images, planner);
  return images;
}

// Declares `fn finish(sum: f32, column: u32, at: u32) -> f32`, which computes the result with the linear index `at` in the
// channel `column`.
void declareFinish(Shader& shader, const Images& images) {
  std::string body = "  var v = sum;\n";
  if (images.bias) {
    const bool isScalar = elementCount(images.bias->descriptor()) == 1;
    body += "  v = v + " + shader.read(*images.bias, Lane::f32).at(isScalar ? "0u" : "column") + ";\n";
  }
  if (images.epilogue && !images.epilogue->empty()) {
    shader.use("settled");
    std::string arguments = "settled(v)";
    for (const Operand& operand : images.epilogue->operands) {
      const Shape& shape = images.outputShape;
      arguments +=
          ", " + shader.read(operand, Lane::f32).at(shader.offset(shape, broadcastStrides(operand.shape(), shape), "at"));
    }
    body += formatText("  v = {}({});\n", shader.program(images.epilogue->program), arguments);
  }
  shader.declare("fn finish(sum: f32, column: u32, at: u32) -> f32 {\n" + body + "  return v;\n}\n");
}

// Returns `a * b` in WGSL, where b is a constant.
std::string timesSigned(std::string_view a, std::int64_t b) {
  if (b == 0) return "0";
  return b == 1 ? std::string(a) : formatText("{} * {}", a, b);
}
std::string timesUnsigned(std::string_view a, std::int64_t b) {
  if (b == 0) return "0u";
  return b == 1 ? std::string(a) : formatText("{} * {}u", a, b);
}

// The tiles into which a dispatch divides the matrix of results. Each of the 16 x 16 invocations of a tile computes `rows` x
// `columns` results.
struct Tiling {
  std::uint32_t rows = 4, columns = 4;
  std::uint32_t parts = 1;  // number of parts of the depth; if above 1, a second dispatch adds their sums
};
constexpr std::uint32_t kSide = 16, kTileThreads = kSide * kSide;

// Chooses the tiles and the number of parts with the shortest estimated time on a GPU with 128 cores.
Tiling chooseTiling(std::uint64_t rows, std::uint64_t columns, std::uint64_t depth, std::uint64_t groups) {
  struct Choice {
    std::uint32_t rows, columns;
    double efficiency;
  };
  constexpr Choice kChoices[] = {{8, 8, 1},   {8, 4, 0.85}, {4, 8, 0.85}, {4, 4, 0.7},
                                 {8, 2, 0.6}, {4, 2, 0.5},  {2, 4, 0.5},  {2, 2, 0.35}};
  constexpr double kCores = 128;
  Tiling best;
  double least = std::numeric_limits<double>::infinity();
  for (const Choice& choice : kChoices) {
    const double tiles = static_cast<double>(divideUp(rows, std::uint64_t{kSide} * choice.rows) *
                                             divideUp(columns, std::uint64_t{kSide} * choice.columns) * groups);
    const std::uint64_t parts =
        tiles * 2 > kCores ? 1 : std::clamp<std::uint64_t>(static_cast<std::uint64_t>(kCores / tiles), 1, depth / 128 + 1);
    const double rounds = std::ceil(tiles * static_cast<double>(parts) / kCores);
    const double cost = rounds / static_cast<double>(parts) * choice.rows * choice.columns / choice.efficiency;
    if (cost >= least) continue;
    least = cost;
    best = {choice.rows, choice.columns, static_cast<std::uint32_t>(parts)};
  }
  return best;
}

// Writes the kernel of the implicit matrix product. A row of the product is a position of the result, a column is an output
// channel, and the depth runs over the taps of the filter and the input channels.
class TiledKernel {
 public:
  TiledKernel(const Images& images, const Axis& y, const Axis& x, const Tiling& tiling, const KernelLimits& limits)
      : images_(images), y_(y), x_(x), tiling_(tiling), maxWorkgroups_(limits.maxWorkgroups) {
    tileRows_ = kSide * tiling.rows, tileColumns_ = kSide * tiling.columns;
    depth_ = (tileRows_ + tileColumns_ + 1) * 16 * 4 <= limits.workgroupBytes ? 16 : 8;
    rows_ = images.batch() * y.results * x.results;
    wholeDepth_ = y.taps * x.taps * images.inputs;
  }

  // Appends the dispatch. If `partial` is given, it receives the sum of each part: [parts, elements of the output].
  void plan(Planner& planner, const std::optional<Operand>& partial) {
    const bool isHalf = images_.output.dataType() == DataType::float16;
    // Two neighbouring channels of float16 share a word, and one invocation computes both.
    pairs_ = !partial && isHalf && images_.outputs % 2 == 0;
    const Operand target = partial ? *partial : pairs_ ? images_.output : planner.wholeWords(images_.output);
    input_ = shader_.read(images_.input, Lane::f32), weights_ = shader_.read(images_.filter.operand, Lane::f32);
    if (!partial) declareFinish(shader_, images_);
    if (pairs_) {
      shader_.use("toHalf");
      output_ = shader_.writeWords(target);
    } else {
      output_ = shader_.write(target, Lane::f32);
    }
    isPartial_ = partial.has_value();
    planner.requireIterations(2 * static_cast<std::uint64_t>(divideUp(wholeDepth_, std::int64_t{tiling_.parts})));
    const std::uint64_t tiles =
        static_cast<std::uint64_t>(divideUp(rows_, tileRows_)) * columnTiles() * tiling_.parts * images_.groups;
    const auto grid = gridOf(tiles, maxWorkgroups_);
    const std::string main = text(grid[0], tiles);
    planner.add(shader_.whole(main, grid, static_cast<std::uint64_t>(2 * rows_ * wholeDepth_) * images_.channels()),
                formatText("convolution in tiles of {}x{}x{}", tileRows_, tileColumns_, depth_));
    if (!partial && !pairs_) planner.narrow(target, images_.output);
  }

 private:
  std::int64_t columnTiles() const { return divideUp(std::int64_t{images_.outputs}, std::int64_t{tileColumns_}); }

  // Returns statements that decode the depth index `k` to `channel`, an input channel, and the taps ky and kx.
  std::string decoded() const {
    if (y_.taps * x_.taps == 1) return "      let channel = k;\n      let ky = 0u;\n      let kx = 0u;\n";
    return formatText("      let channel = k % {0}u;\n      let kx = (k / {0}u) % {1}u;\n      let ky = k / {2}u;\n",
                      images_.inputs, std::max<std::int64_t>(x_.taps, 1), images_.inputs * std::max<std::int64_t>(x_.taps, 1));
  }

  // Returns statements for the input positions of this invocation's rows; positions beyond the last row are outside the input.
  std::string rowPlaces() const {
    std::string text;
    for (std::uint32_t j = 0; j < loadsA(); ++j) {
      text += formatText(
          "  let m{0} = row0 + thread / {1}u + {2}u;\n"
          "  let base{0} = m{0} / {3}u * {4}u;\n",
          j, depth_, j * kTileThreads / depth_, y_.results * x_.results,
          std::int64_t{images_.inputShape[1]} * images_.inputShape[2] * images_.inputShape[3]);
      text += formatText("  let y{0} = select(-1073741824, i32((m{0} / {1}u) % {2}u) * {3} + ({4}), m{0} < {5}u);\n", j,
                         x_.results, y_.results, y_.inputStep, y_.firstInput, rows_);
      text += formatText("  let x{0} = i32(m{0} % {1}u) * {2} + ({3});\n", j, x_.results, x_.inputStep, x_.firstInput);
    }
    return text;
  }
  std::uint32_t loadsA() const { return tileRows_ * depth_ / kTileThreads; }
  std::string fillA() const {
    const std::int64_t channels = images_.inputShape[3], width = images_.inputShape[2];
    std::string text = formatText("    {{\n      let k = start + thread % {0}u;\n{1}", depth_, decoded());
    text += formatText("      let source = group0 * {}u + channel;\n", images_.inputs);
    for (std::uint32_t j = 0; j < loadsA(); ++j) {
      if (y_.taps * x_.taps == 1) {
        text += formatText("      let iy{0} = y{0};\n      let ix{0} = x{0};\n", j);
      } else {
        text += formatText("      let iy{0} = y{0} + {1};\n      let ix{0} = x{0} + {2};\n", j,
                           timesSigned("i32(ky)", y_.inputTapStep), timesSigned("i32(kx)", x_.inputTapStep));
      }
      text += formatText(
          "      var v{0} = 0.0f;\n"
          "      if (k < end && u32(iy{0}) < {1}u && u32(ix{0}) < {2}u) {{\n"
          "        v{0} = {3};\n      }}\n"
          "      tileA[(thread % {4}u) * {5}u + thread / {4}u + {6}u] = v{0};\n",
          j, y_.inputSize, x_.inputSize,
          input_.at(formatText("base{0} + (u32(iy{0}) * {1}u + u32(ix{0})) * {2}u + source", j, width, channels)), depth_,
          tileRows_ + 1, j * kTileThreads / depth_);
    }
    return text + "    }\n";
  }

  std::string fillB() const {
    const Filter& filter = images_.filter;
    const bool isWhole = filter.isPacked && y_.firstTap == 0 && x_.firstTap == 0 && y_.tapStep == 1 && x_.tapStep == 1 &&
                         x_.taps == images_.filterWidth;
    const std::string offset =
        isWhole ? formatText("k * {}u + group0 * {}u + column", images_.channels(), images_.outputs)
                : formatText("{} + {} + {} + {} + {}", timesUnsigned("group0", filter.groupStride),
                             timesUnsigned(formatText("({}u + ky * {}u)", y_.firstTap, y_.tapStep), filter.rowStride),
                             timesUnsigned(formatText("({}u + kx * {}u)", x_.firstTap, x_.tapStep), filter.columnStride),
                             timesUnsigned("channel", filter.inputStride), timesUnsigned("column", filter.outputStride));
    return formatText(
        "    for (var n = thread; n < {0}u; n += {1}u) {{\n      let c = n % {2}u;\n      let d = n / {2}u;\n"
        "      let k = start + d;\n      let column = column0 + c;\n{3}"
        "      var v = 0.0f;\n"
        "      if (k < end && column < {4}u) {{ v = {5}; }}\n"
        "      tileB[n] = v;\n    }}\n",
        tileColumns_ * depth_, kTileThreads, tileColumns_, isWhole ? "" : decoded(), images_.outputs, weights_.at(offset));
  }

  // Returns the column, within a tile, of the c-th result of an invocation.
  std::string columnOf(std::uint32_t c) const {
    if (pairs_) return formatText("tx * 2u + {}u", c / 2 * 2 * kSide + c % 2);
    return formatText("tx + {}u", c * kSide);
  }

  // Stores the sums in loops, because the code of an epilogue is long.
  std::string stores() const {
    std::string sums;
    for (std::uint32_t r = 0; r < tiling_.rows; ++r) {
      for (std::uint32_t c = 0; c < tiling_.columns; ++c) sums += formatText("{}s{}_{}", sums.empty() ? "" : ", ", r, c);
    }
    const std::uint32_t count = tiling_.columns;
    return formatText("  var sums = array<f32, {}>({});\n", tiling_.rows * count, sums) +
           formatText(
               "  for (var r = 0u; r < {0}u; r++) {{\n    let m = row0 + ty + r * {1}u;\n    if (m >= {2}u) {{ break; }}\n",
               tiling_.rows, kSide, rows_) +
           formatText(
               "    let y = {0}u + (m / {1}u) % {2}u * {3}u;\n    let x = {4}u + m % {1}u * {5}u;\n"
               "    let at = ((m / {6}u * {7}u + y) * {8}u + x) * {9}u + group0 * {10}u{11};\n",
               y_.firstResult, x_.results, y_.results, y_.resultStep, x_.firstResult, x_.resultStep, y_.results * x_.results,
               y_.resultSize, x_.resultSize, images_.channels(), images_.outputs, isPartial_ ? " + partAt" : "") +
           (pairs_ ? formatText(
                         "    for (var c = 0u; c < {0}u; c += 2u) {{\n"
                         "      store(at, column0 + tx * 2u + c * {1}u, group0, sums[r * {0}u + c], sums[r * {0}u + c + 1u]);\n",
                         count, kSide)
                   : formatText("    for (var c = 0u; c < {0}u; c++) {{\n"
                                "      store(at, column0 + tx + c * {1}u, group0, sums[r * {0}u + c]);\n",
                                count, kSide)) +
           "    }\n  }\n";
  }

  std::string storeFunction() const {
    const std::string guard = formatText("  if (column >= {}u) {{ return; }}\n", images_.outputs);
    const std::string channel = formatText("group0 * {}u + column", images_.outputs);
    if (pairs_) {
      return "fn store(at: u32, column: u32, group0: u32, a: f32, b: f32) {\n" + guard +
             formatText(
                 "  let channel = {};\n  let low = toHalf(finish(a, channel, at + column));\n"
                 "  let high = toHalf(finish(b, channel + 1u, at + column + 1u));\n  {}\n}}\n",
                 channel, output_.set("(at + column) / 2u", "low | (high << 16u)"));
    }
    return "fn store(at: u32, column: u32, group0: u32, sum: f32) {\n" + guard + "  " +
           output_.set("at + column", isPartial_ ? "sum" : "finish(sum, " + channel + ", at + column)") + "\n}\n";
  }

  std::string text(std::uint32_t gridWidth, std::uint64_t tiles) {
    shader_.declare(formatText("var<workgroup> tileA: array<f32, {}>;\nvar<workgroup> tileB: array<f32, {}>;\n",
                               (tileRows_ + 1) * depth_, tileColumns_ * depth_));
    shader_.declare(storeFunction());
    std::string declared, loads, sums;
    for (std::uint32_t r = 0; r < tiling_.rows; ++r)
      loads += formatText("      let a{} = tileA[d * {}u + ty + {}u];\n", r, tileRows_ + 1, r * kSide);
    for (std::uint32_t c = 0; c < tiling_.columns; ++c)
      loads += formatText("      let b{} = tileB[d * {}u + {}];\n", c, tileColumns_, columnOf(c));
    for (std::uint32_t r = 0; r < tiling_.rows; ++r) {
      for (std::uint32_t c = 0; c < tiling_.columns; ++c) {
        declared += formatText("  var s{}_{} = 0.0f;\n", r, c);
        sums += formatText("      s{0}_{1} = s{0}_{1} + a{0} * b{1};\n", r, c);
      }
    }
    const std::int64_t rowTiles = divideUp(rows_, std::int64_t{tileRows_});
    const std::int64_t partDepth = roundUp(divideUp(wholeDepth_, std::int64_t{tiling_.parts}), std::int64_t{depth_});
    std::string main = formatText(
        "@compute @workgroup_size({0})\n"
        "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{\n"
        "  let tile = group.y * {1}u + group.x;\n"
        "  if (tile >= {2}u) {{ return; }}\n"
        "  let tx = thread % {3}u;\n  let ty = thread / {3}u;\n"
        "  let column0 = tile % {4}u * {5}u;\n"
        "  let row0 = tile / {4}u % {6}u * {7}u;\n"
        "  let part = tile / {8}u % {9}u;\n"
        "  let group0 = tile / {10}u;\n",
        kTileThreads, gridWidth, tiles, kSide, columnTiles(), tileColumns_, rowTiles, tileRows_, columnTiles() * rowTiles,
        tiling_.parts, columnTiles() * rowTiles * tiling_.parts);
    main += rowPlaces() + declared;
    if (isPartial_) main += formatText("  let partAt = part * {}u;\n", elementCount(images_.output.descriptor()));
    main += formatText(
        "  let end = min((part + 1u) * {0}u, {1}u);\n"
        "  for (var start = part * {0}u; start < end; start += {2}u) {{\n",
        partDepth, wholeDepth_, depth_);
    main += fillA() + fillB();
    main += formatText("    workgroupBarrier();\n    for (var d = 0u; d < {}u; d++) {{\n", depth_);
    return main + loads + sums + "    }\n    workgroupBarrier();\n  }\n" + stores() + "}\n";
  }

  const Images& images_;
  const Axis &y_, &x_;
  const Tiling tiling_;
  const std::uint32_t maxWorkgroups_;
  std::uint32_t tileRows_ = 0, tileColumns_ = 0, depth_ = 0;
  std::int64_t rows_ = 0, wholeDepth_ = 0;
  bool pairs_ = false, isPartial_ = false;
  Shader shader_;
  Shader::Input input_, weights_;
  Shader::Output output_;
};

void planTiled(const Images& images, const Axis& y, const Axis& x, bool mayDivide, Planner& planner) {
  const std::uint64_t rows = static_cast<std::uint64_t>(images.batch() * y.results * x.results),
                      depth = static_cast<std::uint64_t>(y.taps * x.taps * images.inputs);
  Tiling tiling = chooseTiling(rows, images.outputs, depth, images.groups);
  const std::uint64_t count = elementCount(images.output.descriptor());
  if (!mayDivide || count * tiling.parts > (std::uint64_t{1} << 24)) tiling.parts = 1;
  TiledKernel kernel(images, y, x, tiling, planner.limits());
  if (tiling.parts == 1) return kernel.plan(planner, std::nullopt);
  Shape shape{tiling.parts};
  shape.insert(shape.end(), images.outputShape.begin(), images.outputShape.end());
  const Operand partial = planner.scratch({DataType::float32, shape});
  kernel.plan(planner, partial);
  Shader shader;
  declareFinish(shader, images);
  const Shader::Input sums = shader.read(partial, Lane::f32);
  planner.elements(shader, images.output, Lane::f32,
                   formatText("  var sum = 0.0f;\n"
                              "  for (var part = 0u; part < {}u; part++) {{ sum = sum + {}; }}\n"
                              "  return finish(sum, i % {}u, i);",
                              tiling.parts, sums.at(formatText("part * {}u + i", count)), images.channels()),
                   "sums of parts", tiling.parts);
}

// Returns whether to compute in tiles. Returns false for small products, which would waste most of a tile. Also returns false
// if taps lie outside the input and the filter may hold infinities or NaN, because a tile multiplies the filter by zeros
// instead of skipping padding.
bool isTiled(const Images& images, std::int64_t rows, std::int64_t taps, bool isInside) {
  return (isInside || images.filter.isFinite) && rows >= 8 && images.outputs >= 12 && taps * images.inputs >= 8;
}

// Returns the statements of an invocation that computes result `i`. `rowTap` sets y, the input row of tap ky, or continues with
// the next tap; `columnTap` does so for x and kx.
std::string directBody(Shader& shader, const Images& images, std::int64_t height, std::int64_t width, std::string_view rowTap,
                       std::string_view columnTap) {
  const Shape &in = images.inputShape, &out = images.outputShape;
  const Filter& filter = images.filter;
  const Shader::Input x = shader.read(images.input, Lane::f32), w = shader.read(filter.operand, Lane::f32);
  // Long sums are unrolled, because a software adapter limits the iterations of loops.
  const std::uint32_t step = images.inputs < 16 ? 1 : 16, whole = images.inputs / step * step;
  const auto term = [&](const std::string& channel) {
    return formatText(
        "        sum = sum + {} * {};\n", x.at("source + " + channel),
        w.at(formatText("{} + tap + {}", timesUnsigned(formatText("(column % {}u)", images.outputs), filter.outputStride),
                        timesUnsigned(channel, filter.inputStride))));
  };
  std::string terms, rest;
  for (std::uint32_t k = 0; k < step; ++k) terms += term(formatText("(first + {}u)", k));
  for (std::uint32_t k = whole; k < images.inputs; ++k) rest += term(formatText("{}u", k));
  return formatText(
      "  let column = i % {0}u;\n  let group0 = column / {19}u;\n"
      "  let ox = i32((i / {0}u) % {1}u);\n  let oy = i32((i / {2}u) % {3}u);\n"
      "  let image = i / {4}u * {5}u;\n"
      "  var sum = 0.0f;\n"
      "  for (var ky = 0; ky < {6}; ky++) {{\n{7}"
      "    if (u32(y) >= {8}u) {{ continue; }}\n"
      "    for (var kx = 0; kx < {9}; kx++) {{\n{10}"
      "      if (u32(x) >= {11}u) {{ continue; }}\n"
      "      let source = image + (u32(y) * {11}u + u32(x)) * {12}u + group0 * {13}u;\n"
      "      let tap = {14} + {15} + {16};\n"
      "      for (var first = 0u; first < {20}u; first += {21}u) {{\n{17}      }}\n{18}"
      "    }}\n  }}\n"
      "  return finish(sum, column, i);",
      images.channels(), out[2], images.channels() * out[2], out[1], std::uint64_t{images.channels()} * out[2] * out[1],
      std::uint64_t{in[1]} * in[2] * in[3], height, rowTap, in[1], width, columnTap, in[2], in[3], images.inputs,
      timesUnsigned("group0", filter.groupStride), timesUnsigned("u32(ky)", filter.rowStride),
      timesUnsigned("u32(kx)", filter.columnStride), terms, rest, images.outputs, whole, step);
}

void planDirect(const Images& images, std::int64_t height, std::int64_t width, std::string_view rowTap,
                std::string_view columnTap, Planner& planner) {
  const std::int64_t perWord = 32 / static_cast<std::int64_t>(bitsPerElement(images.output.dataType()));
  const std::int64_t channels = images.inputs < 16 ? images.inputs : images.inputs / 16;
  planner.requireIterations(static_cast<std::uint64_t>(perWord * height * (1 + width * (1 + channels))));
  Shader shader;
  declareFinish(shader, images);
  const std::string body = directBody(shader, images, height, width, rowTap, columnTap);
  planner.elements(shader, images.output, Lane::f32, body, images.inputs == 1 ? "depthwise convolution" : "direct convolution",
                   static_cast<std::uint64_t>(2 * height * width) * images.inputs);
}

}  // namespace

void plan(const compiler::Convolution& op, Planner& planner) {
  const Operand& output = planner.output();
  const auto windows = ops::convolutionAxes(op.conv);
  Images images = imagesOf(op.conv, output, planner);
  images.epilogue = &op.epilogue;
  std::array<Axis, 2> axes;
  for (std::size_t i = 0; i < 2; ++i) {
    const ops::WindowAxis& window = windows[i];
    const std::int64_t size = output.shape()[1 + i];
    requireSmall(window, static_cast<std::uint64_t>(size));
    axes[i] = {.inputSize = static_cast<std::int64_t>(window.inputSize),
               .resultSize = size,
               .results = size,
               .taps = static_cast<std::int64_t>(window.windowSize),
               .firstInput = -static_cast<std::int64_t>(window.beginningPadding),
               .inputStep = static_cast<std::int64_t>(window.stride),
               .inputTapStep = static_cast<std::int64_t>(window.dilation)};
  }
  const auto& [y, x] = axes;
  if (isTiled(images, images.batch() * y.results * x.results, y.taps * x.taps, y.isInside() && x.isInside()))
    return planTiled(images, y, x, true, planner);
  const auto tap = [](std::string_view name, const Axis& axis) {
    return formatText("      let {0} = o{0} * {1} + ({2}) + k{0} * {3};\n", name, axis.inputStep, axis.firstInput,
                      axis.inputTapStep);
  };
  planDirect(images, y.taps, x.taps, tap("y", y), tap("x", x), planner);
}

namespace {

// Returns the parts of a dimension of a transposed convolution: one for each remainder of the result's position modulo the
// stride.
std::vector<Axis> partsOf(const ops::WindowAxis& window, std::int64_t resultSize) {
  const auto stride = static_cast<std::int64_t>(window.stride), dilation = static_cast<std::int64_t>(window.dilation),
             padding = static_cast<std::int64_t>(window.beginningPadding), size = static_cast<std::int64_t>(window.windowSize);
  const std::int64_t tapStep = stride / std::gcd(stride, dilation);
  std::vector<Axis> parts;
  for (std::int64_t first = 0; first < std::min(stride, resultSize); ++first) {
    Axis axis{.inputSize = static_cast<std::int64_t>(window.inputSize),
              .resultSize = resultSize,
              .results = divideUp(resultSize - first, stride),
              .firstResult = first,
              .resultStep = stride,
              .tapStep = tapStep,
              .inputTapStep = -tapStep * dilation / stride};
    while (axis.firstTap < std::min(tapStep, size) && (first + padding - axis.firstTap * dilation) % stride != 0) ++axis.firstTap;
    axis.taps = axis.firstTap < std::min(tapStep, size) ? divideUp(size - axis.firstTap, tapStep) : 0;
    axis.firstInput = axis.taps == 0 ? 0 : (first + padding - axis.firstTap * dilation) / stride;
    parts.push_back(axis);
  }
  return parts;
}

}  // namespace

void plan(const ops::ConvTranspose2d& op, Planner& planner) {
  const Operand& output = planner.output();
  const auto windows = ops::convolutionAxes(op);
  for (std::size_t i = 0; i < 2; ++i) requireSmall(windows[i], output.shape()[1 + i]);
  const Images images = imagesOf(op, output, planner);
  const std::uint64_t strides = windows[0].stride * windows[1].stride;
  constexpr std::uint64_t kMostParts = 16;
  const bool isPaired = output.dataType() != DataType::float16 || images.outputs % 2 == 0;
  if (strides <= kMostParts && isPaired && images.filter.isFinite) {
    const std::vector<Axis> rows = partsOf(windows[0], output.shape()[1]), columns = partsOf(windows[1], output.shape()[2]);
    const bool isSuited = std::ranges::all_of(rows, [&](const Axis& y) {
      return std::ranges::all_of(columns, [&](const Axis& x) {
        return isTiled(images, images.batch() * y.results * x.results, std::max<std::int64_t>(y.taps * x.taps, 1), false);
      });
    });
    if (isSuited) {
      for (const Axis& y : rows) {
        for (const Axis& x : columns) planTiled(images, y, x, rows.size() * columns.size() == 1, planner);
      }
      return;
    }
  }
  const auto tap = [](std::string_view name, const ops::WindowAxis& axis) {
    return formatText(
        "      let t{0} = o{0} + {1} - k{0} * {2};\n"
        "      if (t{0} < 0 || t{0} % {3} != 0) {{ continue; }}\n      let {0} = t{0} / {3};\n",
        name, axis.beginningPadding, axis.dilation, axis.stride);
  };
  planDirect(images, static_cast<std::int64_t>(windows[0].windowSize), static_cast<std::int64_t>(windows[1].windowSize),
             tap("y", windows[0]), tap("x", windows[1]), planner);
}

void planRowProducts(const Operand& input, const Operand& weights, const std::optional<Operand>& bias, std::uint32_t depth,
                     const Operand& output, Planner& planner) {
  const auto columns = static_cast<std::uint32_t>(elementCount(weights.descriptor()) / depth),
             rows = static_cast<std::uint32_t>(elementCount(input.descriptor()) / depth);
  const Images images{.input = input,
                      .output = output,
                      .inputShape = {1, 1, rows, depth},
                      .outputShape = {1, 1, rows, columns},
                      .bias = bias,
                      .filter = {.operand = weights, .inputStride = 1, .outputStride = depth},
                      .inputs = depth,
                      .outputs = columns};
  const Axis y, x{.inputSize = rows, .resultSize = rows, .results = rows};
  if (isTiled(images, rows, 1, true)) return planTiled(images, y, x, true, planner);
  planDirect(images, 1, 1, "      let y = 0;\n", "      let x = ox;\n", planner);
}

}  // namespace webnn::webgpu
