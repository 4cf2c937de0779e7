// Tests numbers near the limits of float32, infinities and NaN: the engine must give the results of the reference backend, which
// computes in double and rounds once.
#include <cmath>
#include <limits>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
constexpr auto kNhwc = InputOperandLayout::nhwc;
constexpr auto kNchw = InputOperandLayout::nchw;

// Returns `count` pseudorandom numbers in [-scale, scale], except those at `places`.
std::vector<Number> numbersWith(std::size_t count, const std::map<std::size_t, double>& places, double scale = 1) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = places.find(i);
    numbers.push_back(place == places.end() ? scale * std::sin(static_cast<double>(i * i + 1)) : place->second);
  }
  return numbers;
}

// Builds softmax(q * k * 0.3) * v, with a mask added to the scores if `isMasked`. With a depth of 1, each score is a single
// product.
Operand attention(Fixture& f, std::uint32_t rows, bool isMasked) {
  GraphBuilder& b = f.builder;
  const Operand q = f.input({1, 2, rows, 1}), k = f.input({1, 2, 1, 33});
  Operand scores = b.mul(b.matmul(q, k), f.constant({}, {0.3}));
  if (isMasked) scores = b.add(scores, f.input({rows, 33}));
  return b.matmul(b.softmax(scores, 3), f.input({1, 2, 33, 16}));
}

TEST(CpuRange, AttentionTakesScoresOfAnySize) {
  for (const bool isMasked : {false, true}) {
    for (const std::uint32_t rows : {4U, 20U}) {  // 4 queries read keys and values in place; 20 queries pack them
      for (const double size : {1e2, 1e4, 3e4, 1e9, 1.8e19}) {
        SCOPED_TRACE(size);
        Fixture f;
        expectCpuAgrees(f, {attention(f, rows, isMasked)}, {.low = -size, .high = size, .relative = 1e-5, .absolute = 1e-5});
      }
    }
  }
}

TEST(CpuRange, AttentionMakesRowsNanOfInfinitiesAsSoftmaxDoes) {
  for (const bool isMasked : {false, true}) {
    for (const std::uint32_t rows : {4U, 20U}) {
      Fixture f;
      const Operand y = attention(f, rows, isMasked);
      CpuCase options{.relative = 1e-5};
      options.inputs["input0"] = numbersWith(2 * rows, {{0, kInfinity}, {2, kNan}, {3, -kInfinity}, {rows, 1e38}});
      std::map<std::size_t, double> masked{{33 + 5, kInfinity}};
      for (std::size_t j = 0; j < 33; ++j) masked[3 * 33 + j] = -kInfinity;
      if (isMasked) options.inputs["input2"] = numbersWith(rows * 33, masked);
      expectCpuAgrees(f, {y}, options);
    }
  }
}

// An infinite or NaN filter element over padding must add nothing to the sum.
TEST(CpuRange, PaddingAddsNothingToConvolutionsWhateverTheWeight) {
  struct Case {
    std::uint32_t channels, groups, outputs, size;
    bool isConstant;
  };
  for (const Case& c : {Case{1, 1, 1, 2, false},
                        {4, 1, 5, 3, true},
                        {4, 1, 5, 3, false},
                        {6, 2, 4, 3, true},
                        {6, 2, 4, 3, false},
                        {8, 8, 8, 3, true},
                        {8, 8, 8, 3, false},
                        {32, 1, 32, 3, true}}) {
    for (const DataType type : {DataType::float32, DataType::float16}) {
      for (const InputOperandLayout layout : {kNhwc, kNchw}) {
        SCOPED_TRACE(c.channels);
        const Shape image = layout == kNhwc ? Shape{2, 9, 10, c.channels} : Shape{2, c.channels, 9, 10};
        const Shape shape{c.outputs, c.channels / c.groups, c.size, c.size};
        const std::size_t count = elementCount({type, shape});
        const std::vector<Number> weights = numbersWith(count, {{0, kInfinity}, {count - 1, kNan}, {count / 2, -kInfinity}});
        const Conv2dOptions conv{.padding = {1, 1, 1, 1}, .groups = c.groups, .inputLayout = layout, .label = {}};
        Fixture f;
        const Operand x = f.input(type, image), filter = c.isConstant ? f.constant(type, shape, weights) : f.input(type, shape);
        CpuCase options{.relative = 1e-5, .absolute = 1e-5};
        if (!c.isConstant) options.inputs["input1"] = weights;
        expectCpuAgrees(f, {f.builder.relu(f.builder.conv2d(x, filter, conv))}, options);
        Fixture finite;  // the same filter with finite elements only
        const Operand y = finite.input(type, image);
        const Operand other = c.isConstant ? finite.constant(type, shape, numbersWith(count, {})) : finite.input(type, shape);
        expectCpuAgrees(finite, {finite.builder.conv2d(y, other, conv)}, {.relative = 1e-5, .absolute = 2e-4});
      }
    }
  }
}

TEST(CpuRange, PaddingAddsNothingToTransposedConvolutionsWhateverTheWeight) {
  for (const bool isConstant : {true, false}) {
    for (const std::uint32_t stride : {1U, 2U, 4U}) {
      const std::vector<Number> weights = numbersWith(4 * 6 * 9, {{0, kInfinity}, {100, kNan}, {200, -kInfinity}});
      Fixture f;
      const Operand x = f.input({1, 4, 5, 6});
      const Operand filter = isConstant ? f.constant({4, 6, 3, 3}, weights) : f.input({4, 6, 3, 3});
      CpuCase options{.relative = 1e-5, .absolute = 1e-5};
      if (!isConstant) options.inputs["input1"] = weights;
      const ConvTranspose2dOptions conv{.strides = {stride, stride}, .bias = f.constant({6}, {1, 2, 3, 4, 5, 6}), .label = {}};
      expectCpuAgrees(f, {f.builder.convTranspose2d(x, filter, conv)}, options);
    }
  }
}

// Builds a convolution that uses Winograd's algorithm. `followed` selects the operations after it.
Operand winograd(Fixture& f, const std::vector<Number>& weights, int followed) {
  const Operand x = f.input({1, 16, 28, 28});
  const Operand y =
      f.builder.conv2d(x, f.constant({16, 16, 3, 3}, weights), {.padding = {1, 1, 1, 1}, .bias = f.constant({16}, {1})});
  if (followed == 1) return f.builder.relu(f.builder.add(y, x));
  return followed == 2 ? f.builder.gelu(y) : y;
}

TEST(CpuRange, WinogradKeepsLargeElementsToTheOutputsThatDependOnThem) {
  const std::vector<Number> weights = numbersWith(16 * 16 * 9, {});
  Fixture shown;
  std::string kernels;
  for (const std::string& kernel : cpuKernels(shown, {winograd(shown, weights, 0)})) kernels += kernel + "\n";
  EXPECT_NE(kernels.find("winograd"), std::string::npos) << kernels;
  for (const double large : {kNan, kInfinity, -kInfinity, 3e38, 1e20, 1e8}) {
    for (const int followed : {0, 1, 2}) {
      SCOPED_TRACE(large);
      Fixture f;
      const Operand y = winograd(f, weights, followed);
      CpuCase options{.relative = 2e-5, .absolute = 1e-4};
      // The large values are in the middle, at an edge and in a corner.
      options.inputs["input0"] = numbersWith(16 * 28 * 28, {{14 * 28 + 13, large}, {784 * 5 + 7, large}, {784 * 16 - 1, large}});
      expectCpuAgrees(f, {y}, options);
    }
  }
}

TEST(CpuRange, WinogradKeepsLargeWeightsToTheElementsThatTheyMultiply) {
  for (const double large : {kNan, kInfinity, 3e38, 1e20, 1e8}) {
    SCOPED_TRACE(large);
    Fixture f;
    const Operand y = winograd(f, numbersWith(16 * 16 * 9, {{4, large}, {700, large}}), 0);
    CpuCase options{.relative = 2e-5, .absolute = 1e-4};
    std::map<std::size_t, double> zeros;  // the images' upper rows are 0: large weights contribute only to the lower rows
    for (std::size_t i = 0; i < 16 * 784; ++i) {
      if (i % 784 < 14 * 28) zeros[i] = 0;
    }
    options.inputs["input0"] = numbersWith(16 * 784, zeros);
    expectCpuAgrees(f, {y}, options);
  }
}

TEST(CpuRange, PoolingReachesTheEndsOfTheRange) {
  for (const InputOperandLayout layout : {kNhwc, kNchw}) {
    for (const auto& [low, high] : {std::pair{2e38, 3.4e38}, {-3.4e38, 3.4e38}, {1e-25, 2e-25}, {1e-40, 1e-38}, {0.0, 0.0}}) {
      for (const std::uint32_t size : {3U, 9U}) {  // a window of 9 x 9 covers the image
        SCOPED_TRACE(high);
        Fixture f;
        const Operand x = f.input(layout == kNhwc ? Shape{2, 9, 9, 37} : Shape{2, 37, 9, 9});
        const Pool2dOptions options{.windowDimensions = {{size, size}}, .layout = layout, .label = {}};
        expectCpuAgrees(f, {f.builder.averagePool2d(x, options), f.builder.l2Pool2d(x, options), f.builder.maxPool2d(x, options)},
                        {.low = low, .high = high, .absolute = low < 0 ? 1e33 : 3e-45});
      }
    }
  }
}

TEST(CpuRange, NormalizationReachesTheEndsOfTheRange) {
  using Axes = std::vector<std::uint32_t>;
  for (const auto& [low, high] : {std::pair{2e38, 3.4e38}, {-3.4e38, 3.4e38}, {-1e22, 1e22}, {1e-25, 2e-25}, {1e-40, 1e-38}}) {
    SCOPED_TRACE(high);
    for (const double epsilon : {1e-5, 0.0}) {
      for (const Axes& axes : {Axes{2}, {1}, {0, 1}, {0, 2}}) {
        Fixture f;
        const Operand x = f.input({5, 7, 66});
        Shape sizes;
        for (const std::uint32_t axis : axes) sizes.push_back(x.shape()[axis]);
        const std::size_t count = elementCount({DataType::float32, sizes});
        LayerNormalizationOptions options{.scale = f.constant(sizes, numbersWith(count, {})),
                                          .bias = f.constant(sizes, numbersWith(count, {})),
                                          .epsilon = epsilon,
                                          .label = {}};
        options.axes = axes;
        const double absolute = epsilon == 0 ? 1e-5 : 3e-6;
        expectCpuAgrees(f, {f.builder.layerNormalization(x, options)},
                        {.low = low, .high = high, .relative = 1e-5, .absolute = absolute});
      }
      for (const InputOperandLayout layout : {kNhwc, kNchw}) {
        Fixture f;
        const Operand x = f.input(layout == kNhwc ? Shape{2, 5, 6, 37} : Shape{2, 37, 5, 6});
        const InstanceNormalizationOptions options{
            .scale = f.constant({37}, numbersWith(37, {{3, 1e30}})), .epsilon = epsilon, .layout = layout, .label = {}};
        expectCpuAgrees(f, {f.builder.instanceNormalization(x, options)},
                        {.low = low, .high = high, .relative = 1e-5, .absolute = 1e-5});
      }
    }
  }
}

// The squares of some inputs are infinite. The fused operation must give the same result as the separate operations.
TEST(CpuRange, WrittenOutRmsNormalizationKeepsItsSquares) {
  Fixture f;
  const Operand x = f.input({4, 3});
  const Operand mean = f.builder.reduceMean(f.builder.mul(x, x), {.axes = {1}, .keepDimensions = true});
  CpuCase how;
  how.inputs["input0"] = {1e30, 1, 2, 1e-15, 2e-15, 1e-15, 1, 2, 3, -1e25, 0, 1e25};
  expectCpuAgrees(f, {f.builder.div(x, f.builder.sqrt(mean))}, how);
}

TEST(CpuRange, BatchNormalizationReachesTheEndsOfTheRange) {
  for (const bool isConstant : {true, false}) {
    for (const std::uint32_t axis : {1U, 2U}) {
      Fixture f;
      const Operand x = f.input({3, 4, 4});
      const std::vector<std::vector<Number>> values{
          {-3e38, 1, 0, 1e-25}, {1e38, 1e-10, 0, 1e-30}, {1, 1e38, 1e-38, 1e-20}, {1e38, 0, 1, 0}};
      CpuCase how{.low = -3.4e38, .high = 3.4e38, .absolute = 1e-30};
      std::vector<Operand> parameters;
      for (std::size_t i = 0; i < 4; ++i) {
        parameters.push_back(isConstant ? f.constant({4}, values[i]) : f.input({4}));
        if (!isConstant) how.inputs["input" + std::to_string(i + 1)] = values[i];
      }
      const BatchNormalizationOptions options{
          .scale = parameters[2], .bias = parameters[3], .axis = axis, .epsilon = 1e-30, .label = {}};
      expectCpuAgrees(f, {f.builder.batchNormalization(x, parameters[0], parameters[1], options)}, how);
    }
  }
}

TEST(CpuRange, ReductionsReachTheEndsOfTheRange) {
  for (const auto& [low, high] : {std::pair{-3.4e38, 3.4e38}, {2e38, 3.4e38}, {1e-25, 2e-25}, {1e-40, 1e-38}, {0.0, 0.0}}) {
    for (const std::vector<std::uint32_t>& axes : {std::vector<std::uint32_t>{0}, {1}, {0, 1}}) {
      SCOPED_TRACE(high);
      Fixture f;
      const Operand x = f.input({70, 65});
      const ReduceOptions options{.axes = axes, .label = {}};
      GraphBuilder& b = f.builder;
      expectCpuAgrees(f,
                      {b.reduceMean(x, options), b.reduceL1(x, options), b.reduceL2(x, options), b.reduceSumSquare(x, options),
                       b.reduceLogSumExp(x, options), b.reduceSum(x, options)},
                      {.low = low, .high = high, .relative = 1e-5, .absolute = 3e-45});
    }
  }
}

TEST(CpuRange, GemmWithBetaZeroAddsZeroTimesC) {
  for (const bool isConstant : {true, false}) {
    for (const Shape& shape : {Shape{}, {3}, {2, 1}, {2, 3}}) {
      const std::size_t count = elementCount({DataType::float32, shape});
      for (const double value : {kNan, kInfinity, 2.0}) {
        Fixture f;
        const std::vector<Number> numbers = numbersWith(count, {{count - 1, value}});
        CpuCase how;
        if (!isConstant) how.inputs["input2"] = numbers;
        const Operand a = f.input({2, 4}), b = f.input({4, 3}), c = isConstant ? f.constant(shape, numbers) : f.input(shape);
        expectCpuAgrees(f, {f.builder.gemm(a, b, {.c = c, .beta = 0})}, how);
        Fixture g;
        how.disable = "lowerMatmul";
        const Operand d = g.input({2, 4}), e = g.input({4, 3}), h = isConstant ? g.constant(shape, numbers) : g.input(shape);
        expectCpuAgrees(g, {g.builder.gemm(d, e, {.c = h, .beta = 0})}, how);
      }
    }
  }
}

TEST(CpuRange, ResamplingStaysBetweenNumbersAtBothEnds) {
  Fixture f;
  const Operand x = f.input({1, 3, 5, 4});
  expectCpuAgrees(f, {f.builder.resample2d(x, {.mode = InterpolationMode::linear, .scales = {2.0F, 3.0F}})},
                  {.low = -3.4e38, .high = 3.4e38, .relative = 1e-5, .absolute = 1e32});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
