// Random convolutions and products of 8-bit and 4-bit numbers, of shapes and scales that kernels treat apart. Each has one right
// result: the reference's, or what integers give here.
//
// WEBNN_QUANTIZED_ATTACK=<first seed>,<count> runs others.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

#include "context/graph_state.h"
#include "cpu/cpu_support.h"
#include "graph/backend.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  int from(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
  std::uint32_t size(int low, int high) { return static_cast<std::uint32_t>(from(low, high)); }
  bool oneIn(int count) { return from(1, count) == 1; }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[random_() % values.size()];
  }
  std::vector<Number> numbers(std::size_t count, int low, int high) {
    std::vector<Number> result;
    for (; count > 0; --count) result.emplace_back(from(low, high));
    return result;
  }
  DataType byte() { return of({DataType::int8, DataType::uint8}); }
  int code(DataType type) { return lowest(type) + of({0, 255, 128, 127, from(0, 255)}); }
  static int lowest(DataType type) { return type == DataType::int8 ? -128 : 0; }

 private:
  std::mt19937 random_;
};

std::size_t countOf(const Shape& shape) { return elementCount({DataType::float32, shape}); }

// --- Residual sums

// A convolution whose codes are beyond doubt: its scale is an odd multiple of the unit of its sums, so none is near a tie. What
// is added to them, and what the total is divided by, has any scale.
class ResidualGraph {
 public:
  explicit ResidualGraph(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const std::uint32_t channels = dice_.of({1U, 2U, 3U, 4U, 5U, 8U, 16U, 31U});
    outputs_ = dice_.of({1U, 3U, 4U, 15U, 16U, 17U, 32U, 33U, 48U, 63U, 64U, 65U, 80U, 130U, channels, channels});
    shape_ = {dice_.size(1, 2), dice_.size(1, 5), dice_.size(1, 5), channels};
    inputScale_ = scale();
    const DataType type = dice_.byte();
    const Operand image = f_.input(type, shape_);
    const int zero = dice_.code(type);
    x_ = dequantized(image, inputScale_, zero);
    const Operand a = convolution();
    const double totalScale = dice_.oneIn(9) ? anyScale() : near(resultScale_);
    Operand total = f_.builder.add(a, a);
    if (!dice_.oneIn(20)) {
      const Operand b = addend(a.shape());
      total = dice_.oneIn(2) ? f_.builder.add(a, b) : f_.builder.add(b, a);
    }
    if (dice_.oneIn(3)) total = activated(total, totalScale);
    const Operand codes = quantized(total, totalScale);
    results_.push_back(dice_.oneIn(4) ? dequantized(codes, totalScale, zero_, true) : codes);
    if (dice_.oneIn(12)) results_.push_back(total);
    expectCpuAgrees(f_, results_, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
  }

 private:
  double scale() {
    const double mantissa = dice_.oneIn(3) ? 1 : 1 + dice_.from(0, 8388607) * 0x1p-23;
    return std::ldexp(mantissa, dice_.oneIn(6) ? dice_.of({-39, -30, 30, 38}) : dice_.from(-8, 8));
  }
  double anyScale() {
    return dice_.of({0.0, -0.0, kInfinity, -kInfinity, kNaN, 0x1p-149, 0x1.8p-130, 0x1p-41, -0.5, -0.37, 0x1p41, 0x1p127, 3e38});
  }
  // Of about the same size, or with sums that are ties.
  double near(double scale) {
    const double quotient = dice_.oneIn(2) ? dice_.of({1.0, 2.0, 0.5, 4.0, 3.0, 256.0})
                                           : std::ldexp(1 + dice_.from(0, 999999) * 1e-6, dice_.from(-3, 5));
    return static_cast<double>(static_cast<float>(scale * quotient));
  }
  Operand dequantized(const Operand& x, double scale, int zero, bool isSame = false) {
    const Shape ones(x.rank(), 1);
    const Shape shape = !isSame && dice_.oneIn(12) ? Shape{1, 1, 1, x.shape()[3]} : ones;
    return f_.builder.dequantizeLinear(x, f_.constant(shape, {scale}), f_.constant(x.dataType(), shape, {zero}));
  }
  Operand quantized(const Operand& x, double scale) {
    const DataType type = dice_.byte();
    const Shape ones(x.rank(), 1);
    zero_ = dice_.code(type);
    return f_.builder.quantizeLinear(x, f_.constant(ones, {scale}), f_.constant(type, ones, {zero_}));
  }
  Operand activated(const Operand& x, double scale) {
    if (dice_.oneIn(2)) return f_.builder.relu(x);
    const double low = dice_.from(-300, 300) * 0.5 * scale, high = low + dice_.from(0, 300) * 0.5 * std::abs(scale);
    if (!std::isfinite(low) || !std::isfinite(high)) return x;
    switch (dice_.from(0, 3)) {
      case 0: return f_.builder.clamp(x, {.minValue = low});
      case 1: return f_.builder.clamp(x, {.maxValue = high});
      default: return f_.builder.clamp(x, {.minValue = low, .maxValue = high});
    }
  }

  // Dequantized codes.
  Operand convolution() {
    const std::uint32_t channels = shape_[3];
    Conv2dOptions options{.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi};
    std::uint32_t window = dice_.of({1U, 1U, 2U, 3U});
    const bool isDepthwise = channels > 1 && outputs_ % channels == 0 && dice_.oneIn(3);
    if (isDepthwise) options.groups = channels;
    const std::uint32_t inputs = isDepthwise ? 1 : channels;
    options.padding = {window / 2, window / 2, window / 2, window / 2};
    const DataType type = dice_.byte();
    const Shape shape{outputs_, window, window, inputs};
    const int low = Dice::lowest(type), zero = dice_.oneIn(2) ? low + 128 : dice_.code(type);
    const bool isSmall = dice_.oneIn(2) && zero - 2 >= low && zero + 2 <= low + 255;
    const Operand weights =
        f_.constant(type, shape, dice_.numbers(countOf(shape), isSmall ? zero - 2 : low, isSmall ? zero + 2 : low + 255));
    const double unit = std::ldexp(1, dice_.from(-6, 0));
    const Operand filter =
        f_.builder.dequantizeLinear(weights, f_.constant({1, 1, 1, 1}, {unit}), f_.constant(type, {1, 1, 1, 1}, {zero}));
    resultScale_ = static_cast<double>(static_cast<float>(inputScale_ * unit * dice_.of({1, 3, 5, 101})));
    Operand y = f_.builder.conv2d(x_, filter, options);
    if (dice_.oneIn(4))
      y = dice_.oneIn(2) ? f_.builder.relu(y)
                         : f_.builder.clamp(y, {.minValue = -3 * resultScale_, .maxValue = 77 * resultScale_});
    const Operand codes = quantized(y, resultScale_);
    if (dice_.oneIn(12)) results_.push_back(codes);
    return dequantized(codes, resultScale_, zero_, true);
  }
  Operand addend(const Shape& shape) {
    if (dice_.oneIn(6)) {  // another convolution
      const Operand other = convolution();
      if (other.shape() == shape) return other;
    }
    if (shape == shape_ && dice_.oneIn(2)) return x_;
    Shape part = shape;
    if (dice_.oneIn(8)) part[static_cast<std::size_t>(dice_.from(0, 3))] = 1;
    const DataType type = dice_.oneIn(12) ? DataType::int32 : dice_.byte();
    const Operand codes = dice_.oneIn(12) ? f_.constant(type, part, dice_.numbers(countOf(part), 0, 127)) : f_.input(type, part);
    return dequantized(codes, dice_.oneIn(9) ? anyScale() : near(resultScale_), dice_.code(type));
  }

  Dice dice_;
  Fixture f_;
  Shape shape_;
  std::uint32_t outputs_ = 1;
  double inputScale_ = 1, resultScale_ = 1;
  int zero_ = 0;
  Operand x_;
  std::vector<Operand> results_;
};

// --- Runs on the engine

std::vector<std::byte> runOn(Context& context, const Graph& graph, const std::vector<std::byte>& input) {
  const Graph compiled = context.compile(graph);
  std::vector<std::byte> result(byteLength(compiled.outputs()[0].second), std::byte{0xA5});
  const std::span<const std::byte> from = input;
  const std::span<std::byte> to = result;
  compiled.state()->executable()->run({&from, 1}, {&to, 1});
  return result;
}

// --- Convolutions of any shape

// Sums are exact in float32 and scales powers of two: codes are integers divided by powers of two, half to even.
class ConvCase {
 public:
  explicit ConvCase(std::uint32_t seed) : dice_(seed) {}

  void run() {
    choose();
    if (isTooLarge()) return;
    fill();
    const Graph graph = build();
    const std::vector<std::byte> input = pack({inputType_, imageShape()}, image_);
    const std::vector<std::int64_t> expected = oracle();
    const std::vector<std::string> isas = cpuIsas();
    for (int i = 0; i < 3; ++i) {
      const std::string isa = i == 0 ? "avx512" : isas[dice_.size(0, static_cast<int>(isas.size()) - 1)];
      const unsigned threads = dice_.size(1, 7);
      Context context =
          Context::create({.backend = "cpu",
                           .execution = Execution::callerThread,
                           .threads = threads,
                           .backendOptions = {{"isa", isa}, {"memory", dice_.of({"watched", "apart", "planned"})}}});
      const std::vector<Number> actual = unpack({outputType_, outputShape()}, runOn(context, graph, input));
      for (std::size_t j = 0; j < expected.size(); ++j) {
        if (actual[j].toDouble() == static_cast<double>(expected[j])) continue;
        ADD_FAILURE() << isa << " " << threads << " " << text() << " at " << j << ": " << actual[j].toDouble() << " for "
                      << expected[j];
        return;
      }
    }
  }

 private:
  struct Axis {
    std::uint32_t size = 1, window = 1, stride = 1, dilation = 1, before = 0, after = 0;
    std::uint32_t count() const { return (size + before + after - (window - 1) * dilation - 1) / stride + 1; }
    std::string text() const {
      return std::to_string(size) + " w" + std::to_string(window) + " s" + std::to_string(stride) + " d" +
             std::to_string(dilation) + " p" + std::to_string(before) + "," + std::to_string(after);
    }
  };

  std::string text() const {
    return "batch " + std::to_string(batch_) + " groups " + std::to_string(groups_) + " " + std::to_string(inputs_) + "->" +
           std::to_string(outputs_) + " y " + axes_[0].text() + " x " + axes_[1].text() + " zero " + std::to_string(inputZero_) +
           toString(OperandDescriptor{inputType_, {}}) + (isFirst_ ? " nchw" : " nhwc");
  }
  void choose() {
    batch_ = dice_.oneIn(3) ? dice_.size(2, 5) : 1;
    const int kind = dice_.from(0, 3);
    groups_ = kind < 2 ? 1 : dice_.of({2U, 3U, 4U, 5U, 7U, 8U, 16U, 17U, 32U, 33U, 64U, 65U, 96U});
    const bool isDepthwise = kind == 3;
    inputs_ = isDepthwise ? 1 : kind == 0 ? dice_.size(1, 5) : dice_.size(1, 40);
    outputs_ = isDepthwise && dice_.oneIn(2) ? 1 : dice_.size(1, 40);
    if (kind < 2 && dice_.oneIn(3)) outputs_ = dice_.size(41, 200);
    const int most = dice_.of({3, 9, 20, 70});
    for (Axis& axis : axes_) {
      axis.size = dice_.size(1, most);
      axis.window = dice_.of({1U, 1U, 2U, 3U, 3U, 4U, 5U, 7U}), axis.stride = dice_.of({1U, 1U, 1U, 2U, 3U, 5U, 90U});
      axis.dilation = dice_.of({1U, 1U, 1U, 2U, 3U, 11U});
      axis.before = dice_.of({0U, 0U, 1U, 2U, 3U, 30U}), axis.after = dice_.of({0U, 0U, 1U, 2U, 4U, 30U});
      while (axis.size + axis.before + axis.after < (axis.window - 1) * axis.dilation + 1)
        dice_.oneIn(2) ? ++axis.before : ++axis.after;
    }
    if (dice_.oneIn(4)) axes_[0].window = axes_[1].window = 1;
    isFirst_ = dice_.oneIn(2);
    layout_ = dice_.of({Conv2dFilterOperandLayout::oihw, Conv2dFilterOperandLayout::hwio, Conv2dFilterOperandLayout::ohwi,
                        Conv2dFilterOperandLayout::ihwo});
    inputType_ = dice_.byte(), filterType_ = dice_.byte(), outputType_ = dice_.byte();
    inputZero_ = dice_.code(inputType_), outputZero_ = dice_.code(outputType_);
    hasRelu_ = dice_.oneIn(4);
  }
  bool isTooLarge() const {
    const std::size_t outputs = countOf(outputShape()), depth = std::size_t{inputs_} * axes_[0].window * axes_[1].window;
    return outputs * depth > 3000000 || depth > 256;
  }
  Shape imageShape() const {
    const std::uint32_t channels = groups_ * inputs_;
    return isFirst_ ? Shape{batch_, channels, axes_[0].size, axes_[1].size}
                    : Shape{batch_, axes_[0].size, axes_[1].size, channels};
  }
  Shape outputShape() const {
    const std::uint32_t channels = groups_ * outputs_;
    return isFirst_ ? Shape{batch_, channels, axes_[0].count(), axes_[1].count()}
                    : Shape{batch_, axes_[0].count(), axes_[1].count(), channels};
  }
  Shape filterShape() const {
    const std::uint32_t out = groups_ * outputs_, h = axes_[0].window, w = axes_[1].window;
    switch (layout_) {
      case Conv2dFilterOperandLayout::oihw: return {out, inputs_, h, w};
      case Conv2dFilterOperandLayout::hwio: return {h, w, inputs_, out};
      case Conv2dFilterOperandLayout::ohwi: return {out, h, w, inputs_};
      default: return {inputs_, h, w, out};
    }
  }
  std::size_t filterIndex(std::size_t out, std::size_t in, std::size_t y, std::size_t x) const {
    const std::size_t outs = groups_ * outputs_, h = axes_[0].window, w = axes_[1].window;
    switch (layout_) {
      case Conv2dFilterOperandLayout::oihw: return ((out * inputs_ + in) * h + y) * w + x;
      case Conv2dFilterOperandLayout::hwio: return ((y * w + x) * inputs_ + in) * outs + out;
      case Conv2dFilterOperandLayout::ohwi: return ((out * h + y) * w + x) * inputs_ + in;
      default: return ((in * h + y) * w + x) * outs + out;
    }
  }
  static std::size_t index(const Shape& shape, bool isFirst, std::size_t n, std::size_t c, std::size_t y, std::size_t x) {
    return isFirst ? ((n * shape[1] + c) * shape[2] + y) * shape[3] + x : ((n * shape[1] + y) * shape[2] + x) * shape[3] + c;
  }

  void fill() {
    const int low = Dice::lowest(inputType_), lowFilter = Dice::lowest(filterType_);
    image_ = dice_.numbers(countOf(imageShape()), low, low + 255);
    filter_ = dice_.numbers(countOf(filterShape()), lowFilter, lowFilter + 255);
    const std::size_t outputs = groups_ * outputs_;
    filterZeros_.assign(dice_.oneIn(2) ? 1 : outputs, lowFilter + 128);
    if (dice_.oneIn(2)) {
      for (Number& zero : filterZeros_) zero = dice_.code(filterType_);
    }
    if (dice_.oneIn(2)) biases_ = dice_.numbers(outputs, -30000, 30000);
    shift_ = dice_.from(0, 12);
  }
  Graph build() {
    GraphBuilder& b = f_.builder;
    const Shape ones(4, 1);
    const Operand x = b.dequantizeLinear(f_.input(inputType_, imageShape()), f_.constant(ones, {0.5}),
                                         f_.constant(inputType_, ones, {inputZero_}));
    Shape blocks = ones;
    const bool isLast = layout_ == Conv2dFilterOperandLayout::hwio || layout_ == Conv2dFilterOperandLayout::ihwo;
    blocks[isLast ? 3 : 0] = static_cast<std::uint32_t>(filterZeros_.size());
    const Operand filter = b.dequantizeLinear(f_.constant(filterType_, filterShape(), filter_), f_.constant(blocks, {2}),
                                              f_.constant(filterType_, blocks, filterZeros_));
    Conv2dOptions options{.groups = groups_};
    const std::vector<std::uint32_t> padding{axes_[0].before, axes_[0].after, axes_[1].before, axes_[1].after};
    options.padding = padding;
    options.strides = std::vector{axes_[0].stride, axes_[1].stride},
    options.dilations = std::vector{axes_[0].dilation, axes_[1].dilation};
    options.inputLayout = isFirst_ ? InputOperandLayout::nchw : InputOperandLayout::nhwc, options.filterLayout = layout_;
    if (!biases_.empty()) options.bias = f_.constant({groups_ * outputs_}, biases_);
    Operand y = b.conv2d(x, filter, options);
    if (hasRelu_) y = b.relu(y);
    y = b.quantizeLinear(y, f_.constant(ones, {std::ldexp(1, shift_)}), f_.constant(outputType_, ones, {outputZero_}));
    return b.build({{"y", y}});
  }
  std::vector<std::int64_t> oracle() const {
    const auto asInts = [](const std::vector<Number>& numbers) {
      std::vector<int> ints;
      for (const Number& number : numbers) ints.push_back(static_cast<int>(number.toDouble()));
      return ints;
    };
    const std::vector<int> image = asInts(image_), filter = asInts(filter_), zeros = asInts(filterZeros_),
                           biases = asInts(biases_);
    const Shape in = imageShape(), out = outputShape();
    std::vector<std::int64_t> result(countOf(out));
    for (std::size_t n = 0; n < batch_; ++n) {
      for (std::size_t c = 0; c < groups_ * outputs_; ++c) {
        for (std::size_t y = 0; y < axes_[0].count(); ++y) {
          for (std::size_t x = 0; x < axes_[1].count(); ++x) {
            std::int64_t sum = biases.empty() ? 0 : biases[c];
            for (std::size_t i = 0; i < axes_[0].window; ++i) {
              const std::int64_t iy = static_cast<std::int64_t>(y * axes_[0].stride + i * axes_[0].dilation) - axes_[0].before;
              if (iy < 0 || iy >= axes_[0].size) continue;
              for (std::size_t j = 0; j < axes_[1].window; ++j) {
                const std::int64_t ix = static_cast<std::int64_t>(x * axes_[1].stride + j * axes_[1].dilation) - axes_[1].before;
                if (ix < 0 || ix >= axes_[1].size) continue;
                for (std::size_t k = 0; k < inputs_; ++k) {
                  const int a = image[index(in, isFirst_, n, c / outputs_ * inputs_ + k, static_cast<std::size_t>(iy),
                                            static_cast<std::size_t>(ix))];
                  sum += std::int64_t{a - inputZero_} * (filter[filterIndex(c, k, i, j)] - zeros[zeros.size() == 1 ? 0 : c]);
                }
              }
            }
            if (hasRelu_) sum = std::max<std::int64_t>(sum, 0);
            const double code = std::nearbyint(std::ldexp(static_cast<double>(sum), -shift_)) + outputZero_;
            const int low = Dice::lowest(outputType_);
            result[index(out, isFirst_, n, c, y, x)] = static_cast<std::int64_t>(std::clamp<double>(code, low, low + 255));
          }
        }
      }
    }
    return result;
  }

  Dice dice_;
  Fixture f_;
  std::uint32_t batch_ = 1, groups_ = 1, inputs_ = 1, outputs_ = 1;  // channels of a group
  Axis axes_[2];
  bool isFirst_ = false, hasRelu_ = false;
  Conv2dFilterOperandLayout layout_ = Conv2dFilterOperandLayout::oihw;
  DataType inputType_ = DataType::uint8, filterType_ = DataType::uint8, outputType_ = DataType::uint8;
  int inputZero_ = 0, outputZero_ = 0, shift_ = 0;
  std::vector<Number> image_, filter_, filterZeros_, biases_;
};

// --- 4-bit matrices

// Rows of small whole numbers; scales are powers of two.
class Int4Case {
 public:
  explicit Int4Case(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const std::uint32_t m = dice_.oneIn(3) ? 1 : dice_.size(1, 40), n = dice_.size(1, dice_.of({5, 40, 130})),
                        others = dice_.size(1, 20);
    blockK_ = dice_.oneIn(3) ? dice_.of({8U, 16U, 24U, 32U, 64U, 256U, 264U}) : dice_.size(1, 70);
    k_ = blockK_ * dice_.size(1, blockK_ > 64 ? 2 : 6);
    if (dice_.oneIn(4)) k_ = blockK_ = dice_.size(1, 600);
    isTransposed_ = dice_.oneIn(2);
    type_ = dice_.of({DataType::int4, DataType::uint4});
    const std::vector<std::uint32_t> widths = divisors(n);
    blockN_ = dice_.oneIn(3) ? widths[dice_.size(0, static_cast<int>(widths.size()) - 1)] : dice_.oneIn(4) ? n : 1;
    const Operand x = f_.input({m, k_});
    std::vector<Operand> results{product(x, n)};
    if (dice_.oneIn(3)) results.push_back(product(x, n));
    if (dice_.oneIn(3)) {  // the same weights again
      results.push_back(multiplied(dice_.oneIn(2) ? x : f_.input({others, k_}), matrix_));
    }
    CpuCase options{.low = -1, .high = 1, .relative = 0, .absolute = 0};
    options.inputs["input0"] = dice_.numbers(std::size_t{m} * k_, -9, 9);
    options.inputs["input1"] = dice_.numbers(std::size_t{others} * k_, -9, 9);
    expectCpuAgrees(f_, results, options);
  }

 private:
  static std::vector<std::uint32_t> divisors(std::uint32_t n) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 1; i <= n; ++i) {
      if (n % i == 0) result.push_back(i);
    }
    return result;
  }
  Operand product(const Operand& x, std::uint32_t n) {
    const int low = type_ == DataType::int4 ? -8 : 0;
    const Shape shape = isTransposed_ ? Shape{n, k_} : Shape{k_, n};
    const Shape blocks = isTransposed_ ? Shape{n / blockN_, k_ / blockK_} : Shape{k_ / blockK_, n / blockN_};
    std::vector<Number> scales;
    for (std::size_t i = countOf(blocks); i > 0; --i) scales.emplace_back(std::ldexp(dice_.oneIn(9) ? -1 : 1, dice_.from(-4, 2)));
    const int zero = type_ == DataType::int4 ? 0 : 8;
    matrix_ = f_.builder.dequantizeLinear(
        f_.constant(type_, shape, dice_.numbers(countOf(shape), low, low + 15)), f_.constant(blocks, scales),
        f_.constant(type_, blocks, dice_.oneIn(2) ? std::vector<Number>{zero} : dice_.numbers(countOf(blocks), low, low + 15)));
    if (dice_.oneIn(8)) matrix_ = f_.builder.transpose(matrix_), isTransposed_ = !isTransposed_;
    return multiplied(x, matrix_);
  }
  Operand multiplied(const Operand& x, const Operand& matrix) {
    GemmOptions options{.bTranspose = isTransposed_};
    const std::uint32_t n = matrix.shape()[isTransposed_ ? 0 : 1];
    if (dice_.oneIn(3)) options.c = f_.constant({dice_.oneIn(3) ? 1 : n}, {3});
    if (dice_.oneIn(6)) options.alpha = dice_.of({0.5, -1.0, 0.0});
    Operand y = f_.builder.gemm(x, matrix, options);
    if (dice_.oneIn(4)) y = f_.builder.relu(y);
    return y;
  }

  Dice dice_;
  Fixture f_;
  std::uint32_t k_ = 1, blockK_ = 1, blockN_ = 1;
  bool isTransposed_ = false;
  DataType type_ = DataType::int4;
  Operand matrix_;
};

// --- Almost equal sub-graphs

// Several chains of one image or matrix, each of which differs from the first in a field or two, or in none.
class TwinGraph {
 public:
  explicit TwinGraph(std::uint32_t seed) : dice_(seed) {}

  void run() {
    isGemm_ = dice_.oneIn(3);
    const std::uint32_t count = dice_.of({2U, 3U, 4U, 8U, 16U});  // a square, so that transposes suit
    type_ = dice_.byte();
    const Shape shape = isGemm_ ? Shape{count, count} : Shape{1, count, count, count};
    const Operand image = f_.input(type_, shape), other = f_.input(type_, shape);
    const Chain first{.zero = dice_.code(type_), .weightZero = dice_.from(0, 127), .resultZero = dice_.from(0, 127)};
    weights_ = dice_.numbers(countOf(shape) * count, 0, 127);
    std::vector<Operand> results;
    for (int i = dice_.from(2, 6); i > 0; --i) {
      Chain chain = first;
      for (int fields = i == 1 ? 0 : dice_.from(0, 2); fields > 0; --fields) change(chain);
      results.push_back(build(chain, image, other, count));
    }
    expectCpuAgrees(f_, results, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
  }

 private:
  struct Chain {
    double scale = 1, weightScale = 0.5, resultScale = 64, bias = 8, low = 0, high = 600;
    int zero = 0, weightZero = 0, resultZero = 0, activation = 0;
    DataType weightType = DataType::uint8, resultType = DataType::uint8;
    bool hasBias = true, isTransposed = false, isQuantized = true, isBack = false, hasAddend = false, isOther = false;
    std::uint32_t padding = 1, stride = 1, dilation = 1, groups = 1;
    double addendScale = 4, totalScale = 128;
    int addendZero = 3, totalZero = 5;
  };
  void change(Chain& c) {
    const int codes = dice_.from(0, 127);
    switch (dice_.from(0, 23)) {
      case 0: c.scale *= dice_.of({0.5, 2.0, -1.0}); break;
      case 1: c.weightScale *= dice_.of({0.5, 2.0, -1.0, 0.0}); break;
      case 2: c.resultScale *= dice_.of({0.5, 2.0, -1.0}); break;
      case 3: c.bias = dice_.of({0.0, -0.0, 9.0}); break;
      case 4: c.activation = dice_.from(0, 2); break;
      case 5: c.low = dice_.of({0.0, -0.0, -3.0}); break;
      case 6: c.high = dice_.of({6.0, 700.0, 0.0}); break;
      case 7: c.zero = codes; break;
      case 8: c.weightZero = codes; break;
      case 9: c.resultZero = codes; break;
      case 10: c.weightType = DataType::int8; break;
      case 11: c.resultType = DataType::int8; break;
      case 12: c.hasBias = !c.hasBias; break;
      case 13: c.isTransposed = !c.isTransposed; break;
      case 14: c.isQuantized = !c.isQuantized; break;
      case 15: c.isBack = !c.isBack; break;
      case 16: c.hasAddend = !c.hasAddend; break;
      case 17: c.padding = 2; break;
      case 18: c.stride = 2; break;
      case 19: c.dilation = 2; break;
      case 20: c.isOther = true; break;
      case 21: c.addendScale *= 2; break;
      case 22: c.totalScale *= 2; break;
      default: dice_.oneIn(2) ? c.addendZero = codes : c.totalZero = codes;
    }
  }
  Operand dequantized(const Operand& x, double scale, int zero) {
    const Shape ones(x.rank(), 1);
    return f_.builder.dequantizeLinear(x, f_.constant(ones, {scale}), f_.constant(x.dataType(), ones, {zero}));
  }
  Operand quantized(const Operand& x, double scale, DataType type, int zero) {
    const Shape ones(x.rank(), 1);
    return f_.builder.quantizeLinear(x, f_.constant(ones, {scale}), f_.constant(type, ones, {zero}));
  }
  Operand build(const Chain& c, const Operand& image, const Operand& other, std::uint32_t count) {
    const Operand x = dequantized(c.isOther ? other : image, c.scale, c.zero);
    const Shape shape = isGemm_ ? Shape{count, count} : Shape{count, 2, 2, count};
    const std::vector<Number> weights(weights_.begin(), weights_.begin() + static_cast<std::ptrdiff_t>(countOf(shape)));
    const Operand filter = dequantized(f_.constant(c.weightType, shape, weights), c.weightScale, c.weightZero);
    std::optional<Operand> bias;
    if (c.hasBias) bias = f_.constant({count}, {c.bias});
    Operand y;
    if (isGemm_) {
      y = f_.builder.gemm(x, filter, {.c = bias, .bTranspose = c.isTransposed});
    } else {
      Conv2dOptions options{.inputLayout = InputOperandLayout::nhwc, .bias = bias};
      options.padding = {c.padding, c.padding, 1, 1}, options.strides = {c.stride, 1}, options.dilations = {c.dilation, 1};
      options.filterLayout = c.isTransposed && count == 2 ? Conv2dFilterOperandLayout::hwio : Conv2dFilterOperandLayout::ohwi;
      y = f_.builder.conv2d(x, filter, options);
    }
    if (c.activation == 1) y = f_.builder.relu(y);
    if (c.activation == 2) y = f_.builder.clamp(y, {.minValue = c.low, .maxValue = c.high});
    if (!c.isQuantized) return y;
    y = quantized(y, c.resultScale, c.resultType, c.resultZero);
    if (!c.isBack && !c.hasAddend) return y;
    y = dequantized(y, c.resultScale, c.resultZero);
    if (!c.hasAddend) return f_.builder.reciprocal(y);
    const Operand addend =
        f_.builder.slice(f_.builder.tile(other, Shape(other.rank(), 3)), std::vector<std::uint32_t>(y.rank(), 0), y.shape());
    y = f_.builder.add(y, dequantized(addend, c.addendScale, c.addendZero));
    return c.isBack ? y : quantized(y, c.totalScale, DataType::uint8, c.totalZero);
  }

  Dice dice_;
  Fixture f_;
  bool isGemm_ = false;
  DataType type_ = DataType::uint8;
  std::vector<Number> weights_;
};

// --- Any factors

// What comes of exact sums, unless it is near a tie: then it may be one off.
class FactorCase {
 public:
  explicit FactorCase(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const bool isGemm = dice_.oneIn(2);
    const std::uint32_t k = dice_.of({1U, 3U, 16U, 65U, 300U, 1000U}), n = dice_.of({1U, 3U, 16U, 17U, 40U}),
                        m = dice_.size(1, 9);
    const DataType type = dice_.byte(), weightType = dice_.byte(), resultType = dice_.byte();
    const int zero = dice_.code(type), resultZero = dice_.code(resultType), low = Dice::lowest(weightType);
    const double scale = random(), resultScale = random() * std::ldexp(1, dice_.from(-8, 14));
    const std::uint32_t scales = dice_.oneIn(2) ? 1 : n;
    std::vector<Number> weightScales, biases;
    for (std::uint32_t i = 0; i < scales; ++i) weightScales.emplace_back(random());
    const std::vector<Number> zeros =
        dice_.oneIn(2) ? dice_.numbers(scales, low, low + 255) : std::vector<Number>(scales, low + 128);
    const std::vector<Number> weights = dice_.numbers(std::size_t{n} * k, low, low + 255);
    const int lowInput = Dice::lowest(type), lowResult = Dice::lowest(resultType);
    const std::vector<Number> image = dice_.numbers(std::size_t{m} * k, lowInput, lowInput + 255);
    const bool hasBias = dice_.oneIn(2), cancels = dice_.oneIn(2);
    const auto sumOf = [&](std::size_t row, std::size_t column) {
      double sum = 0;
      for (std::size_t j = 0; j < k; ++j)
        sum += (image[row * k + j].toDouble() - zero) *
               (weights[column * k + j].toDouble() - zeros[scales == 1 ? 0 : column].toDouble());
      return sum;
    };
    const int size = dice_.oneIn(4) ? dice_.from(8, 30) : dice_.from(0, 12);
    for (std::uint32_t i = 0; hasBias && i < n; ++i)
      biases.emplace_back(
          static_cast<double>(static_cast<float>(dice_.from(-999999, 999999) * 1e-6 * std::ldexp(resultScale, size))));
    const Shape ones(isGemm ? 2 : 4, 1), filterShape = isGemm ? Shape{n, k} : Shape{n, 1, 1, k};
    for (std::uint32_t i = 0; hasBias && cancels && i < n; ++i)
      biases[i] = static_cast<double>(static_cast<float>(dice_.from(-100, 100) * resultScale -
                                                         sumOf(0, i) * scale * weightScales[scales == 1 ? 0 : i].toDouble()));
    Shape blocks = ones;
    blocks[0] = scales;
    const Shape shape = isGemm ? Shape{m, k} : Shape{1, m, 1, k};
    Operand x = f_.builder.dequantizeLinear(f_.input(type, shape), f_.constant(ones, {scale}), f_.constant(type, ones, {zero}));
    const Operand filter = f_.builder.dequantizeLinear(f_.constant(weightType, filterShape, weights),
                                                       f_.constant(blocks, weightScales), f_.constant(weightType, blocks, zeros));
    std::optional<Operand> bias;
    if (hasBias) bias = f_.constant({n}, biases);
    Operand y =
        isGemm ? f_.builder.gemm(x, filter, {.c = bias, .bTranspose = true})
               : f_.builder.conv2d(
                     x, filter,
                     {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi, .bias = bias});
    y = f_.builder.quantizeLinear(y, f_.constant(ones, {resultScale}), f_.constant(resultType, ones, {resultZero}));
    const Graph graph = f_.builder.build({{"y", y}});
    Context context = Context::create({.backend = "cpu",
                                       .execution = Execution::callerThread,
                                       .threads = 1,
                                       .backendOptions = {{"isa", dice_.of({"sse4", "avx2", "avx512"})}}});
    const std::vector<Number> actual = unpack({resultType, y.shape()}, runOn(context, graph, pack({type, shape}, image)));
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const std::size_t row = i / n, column = i % n, block = scales == 1 ? 0 : column;
      const double sum = sumOf(row, column);
      long double exact = static_cast<long double>(sum) * scale * weightScales[block].toDouble();
      if (hasBias) exact += biases[column].toDouble();
      exact = exact / resultScale + resultZero;
      const auto clampedTo = [&](long double v) {
        return static_cast<double>(std::clamp<long double>(v, lowResult, lowResult + 255));
      };
      const double off = std::abs(actual[i].toDouble() - clampedTo(exact));
      const double big = hasBias ? std::abs(biases[column].toDouble() / resultScale) : 0;
      if (off <= 0.5 + 0x1p-14 + big * 0x1p-23) continue;
      ADD_FAILURE() << (isGemm ? "gemm" : "conv") << " off by " << off << " sum " << sum << " bias " << big << " k " << k
                    << " result " << clampedTo(exact);
      return;
    }
  }

 private:
  double random() {
    return static_cast<double>(static_cast<float>(std::ldexp(1 + dice_.from(0, 8388607) * 0x1p-23, dice_.from(-9, 3))));
  }
  Dice dice_;
  Fixture f_;
};

template <typename Maker>
void runSeeds(unsigned count) {
  unsigned first = 1;
  if (const char* const variable = std::getenv("WEBNN_QUANTIZED_ATTACK")) std::sscanf(variable, "%u,%u", &first, &count);
  for (unsigned seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Maker(seed).run();
  }
}

TEST(QuantizedAttack, ResidualsWithAnyScales) { runSeeds<ResidualGraph>(40); }
TEST(QuantizedAttack, ConvolutionsOfAnyShape) { runSeeds<ConvCase>(60); }
TEST(QuantizedAttack, Twins) { runSeeds<TwinGraph>(40); }
TEST(QuantizedAttack, Factors) { runSeeds<FactorCase>(40); }
TEST(QuantizedAttack, MatricesOf4BitsInAnyBlocks) { runSeeds<Int4Case>(40); }

// --- Single graphs

TEST(QuantizedAttack, AHugeBiasIsAddedToSumsThatOverflow) {
  Fixture f;
  const Shape ones(4, 1);
  const Operand x = f.builder.dequantizeLinear(f.input(DataType::uint8, {1, 2, 3, 1}), f.constant(ones, {0x1p40}),
                                               f.constant(DataType::uint8, ones, {0}));
  const Operand filter = f.builder.dequantizeLinear(f.constant(DataType::int8, {2, 1, 1, 1}, {9, -9}), f.constant(ones, {0x1p40}),
                                                    f.constant(DataType::int8, ones, {0}));
  Conv2dOptions options{.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi};
  options.bias = f.constant({2}, {-0x1p120, 0x1p120});
  const Operand y = f.builder.quantizeLinear(f.builder.conv2d(x, filter, options), f.constant(ones, {0x1p-40}),
                                             f.constant(DataType::uint8, ones, {7}));
  expectCpuAgrees(f, {y}, {.low = 1, .high = 255, .relative = 0, .absolute = 0});
}

TEST(QuantizedAttack, PaddingWithMinusZeroStaysThat) {
  Fixture f;
  const Shape ones(4, 1);
  const Operand scale = f.constant(ones, {1}), zero = f.constant(DataType::uint8, ones, {0});
  const Operand x = f.builder.dequantizeLinear(f.input(DataType::uint8, {1, 2, 3, 1}), scale, zero);
  const Operand padded = f.builder.pad(x, {0, 1, 1, 0}, {0, 1, 1, 0}, {.value = -0.0});
  expectCpuAgrees(f, {f.builder.quantizeLinear(padded, scale, zero), f.builder.reciprocal(padded)}, {.low = 1, .high = 255});
}

TEST(QuantizedAttack, ADequantizedZeroIsPositive) {
  Fixture f;
  const Shape ones(2, 1);
  const Operand one = f.constant(ones, {1}), none = f.constant(DataType::uint8, ones, {0});
  const Operand x = f.builder.dequantizeLinear(f.input(DataType::uint8, {4, 3}), one, none);
  const Operand b = f.builder.dequantizeLinear(f.constant(DataType::int8, {3, 2}, {-1, 1, 1, -1, -1, 0}), one,
                                               f.constant(DataType::int8, ones, {0}));
  const Operand product = f.builder.gemm(x, b), scale = f.constant(ones, {1024}), zero = f.constant(DataType::uint8, ones, {128});
  const auto isInfinite = [&](const Operand& y) {
    return f.builder.reciprocal(f.builder.dequantizeLinear(f.builder.quantizeLinear(y, scale, zero), scale, zero));
  };
  expectCpuAgrees(f, {isInfinite(product), isInfinite(f.builder.relu(f.builder.gemm(x, b)))}, {.low = 0, .high = 255});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
