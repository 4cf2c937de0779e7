// Tests averages and linear resampling of quantized images against the reference backend and against integer sums.
#include <algorithm>
#include <cmath>

#include "context/graph_state.h"
#include "cpu/dice.h"
#include "graph/backend.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

struct Code {
  double scale = 1;
  int zeroPoint = 0;
  DataType type = DataType::uint8;
};

Operand dequantized(Fixture& f, const Operand& x, const Code& code) {
  const Shape ones(x.rank(), 1);
  return f.builder.dequantizeLinear(x, f.constant(ones, {code.scale}), f.constant(code.type, ones, {code.zeroPoint}));
}
Operand quantized(Fixture& f, const Operand& x, const Code& code) {
  const Shape ones(x.rank(), 1);
  return f.builder.quantizeLinear(x, f.constant(ones, {code.scale}), f.constant(code.type, ones, {code.zeroPoint}));
}

bool hasStep(const std::vector<std::string>& kernels, std::string_view text) {
  return std::ranges::any_of(kernels, [&](const std::string& kernel) { return kernel.find(text) != std::string::npos; });
}

// Returns a quantization: its scale is a power of two if `isExact`, otherwise any number.
Code anyCode(Dice& dice, bool isExact) {
  const DataType type = dice.byte();
  const double scale = std::ldexp(1, dice.from(-3, 3));
  return {isExact ? scale : static_cast<double>(static_cast<float>(scale * (1 + dice.from(1, 999) * 0.001))), dice.code(type),
          type};
}

// Adds random operations after `y`: none, or optionally relu and clamp, then quantizeLinear.
Operand followed(Fixture& f, Dice& dice, Operand y, bool isExact) {
  if (dice.oneIn(6)) return y;
  if (dice.oneIn(4)) y = f.builder.relu(y);
  if (dice.oneIn(5)) y = f.builder.clamp(y, {.minValue = dice.of({-3.0, 0.5}), .maxValue = 6});
  return quantized(f, y, anyCode(dice, isExact));
}

class RandomPool {
 public:
  explicit RandomPool(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const bool isExact = !dice_.oneIn(3), isLast = dice_.oneIn(2);
    const std::uint32_t channels = dice_.oneIn(2) ? dice_.size(1, 9) : dice_.of({16U, 31U, 32U, 64U, 65U, 130U});
    const Shape image{dice_.size(1, 2), dice_.size(1, 9), dice_.size(1, 11), channels};
    const Code code = anyCode(dice_, isExact);
    Operand x = f_.input(code.type, isLast ? image : Shape{image[0], channels, image[1], image[2]});
    x = dequantized(f_, x, code);
    if (dice_.oneIn(5)) x = f_.builder.transpose(x, {.permutation = {{0, 2, 1, 3}}});
    Pool2dOptions options{.layout = isLast ? InputOperandLayout::nhwc : InputOperandLayout::nchw};
    if (!dice_.oneIn(4)) setWindow(options, x.shape()[isLast ? 1 : 2], x.shape()[isLast ? 2 : 3]);
    const Operand y = followed(f_, dice_, f_.builder.averagePool2d(x, options), isExact);
    expectCpuAgrees(f_, {y},
                    {.low = -128, .high = 255, .seed = dice_.size(1, 999), .absolute = 1e-3, .integers = isExact ? 0U : 1U});
  }

 private:
  void setWindow(Pool2dOptions& options, std::uint32_t height, std::uint32_t width) {
    std::vector<std::uint32_t> window, padding, strides, dilations;
    for (const std::uint32_t size : {height, width}) {
      window.push_back(dice_.of({1U, 2U, 3U, 5U, 7U}));
      strides.push_back(dice_.of({1U, 1U, 2U, 3U})), dilations.push_back(dice_.of({1U, 1U, 2U}));
      std::uint32_t before = dice_.of({0U, 1U, 2U, 4U}), after = dice_.of({0U, 1U, 3U});
      while (size + before + after < (window.back() - 1) * dilations.back() + 1) ++after;
      padding.push_back(before), padding.push_back(after);
    }
    options.windowDimensions = window, options.padding = padding, options.strides = strides, options.dilations = dilations;
    options.outputShapeRounding = dice_.of({RoundingType::floor, RoundingType::ceil});
  }

  Dice dice_;
  Fixture f_;
};

TEST(QuantizedImages, AveragesAgree) { runSeeds<RandomPool>(60); }

class RandomMean {
 public:
  explicit RandomMean(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const bool isExact = !dice_.oneIn(3);
    Shape shape;
    for (int rank = dice_.from(1, 6); rank > 0; --rank) shape.push_back(dice_.of({1U, 2U, 3U, 5U, 17U}));
    if (dice_.oneIn(4)) shape.back() = dice_.of({33U, 64U, 300U});
    std::vector<std::uint32_t> axes;
    for (std::uint32_t d = 0; d < shape.size(); ++d) {
      if (dice_.oneIn(2)) axes.push_back(d);
    }
    if (elementCount({DataType::float32, shape}) > 20000) return;
    const Code code = anyCode(dice_, isExact);
    const Operand x = dequantized(f_, f_.input(code.type, shape), code);
    const Operand mean = f_.builder.reduceMean(x, {.axes = axes, .keepDimensions = dice_.oneIn(2)});
    expectCpuAgrees(f_, {followed(f_, dice_, mean, isExact)},
                    {.low = -128, .high = 255, .seed = dice_.size(1, 999), .absolute = 1e-3, .integers = isExact ? 0U : 1U});
  }

 private:
  Dice dice_;
  Fixture f_;
};

TEST(QuantizedImages, MeansAgree) { runSeeds<RandomMean>(60); }

class RandomResample {
 public:
  explicit RandomResample(std::uint32_t seed) : dice_(seed) {}

  void run() {
    // If the scales are powers of two, weights are multiples of 1/64 and every step is exact.
    const bool isExact = dice_.oneIn(2);
    Shape shape{dice_.size(1, 2), dice_.size(1, 5), dice_.size(1, 9), dice_.of({1U, 3U, 7U, 17U, 40U})};
    const Code code = anyCode(dice_, isExact);
    const Operand x = dequantized(f_, f_.input(code.type, shape), code);
    const auto axes = dice_.of<std::vector<std::uint32_t>>({{2, 3}, {1, 2}, {0, 1}, {3, 2}, {1, 3}});
    Resample2dOptions options{.mode = InterpolationMode::linear, .axes = axes};
    if (isExact) {
      options.scales = {{dice_.of({1.0F, 2.0F, 4.0F}), dice_.of({2.0F, 0.5F, 1.0F})}};
      for (const std::size_t i : {0U, 1U}) {
        if (static_cast<float>(shape[axes[i]]) * (*options.scales)[i] < 1) return;
      }
    } else {
      options.sizes = {{dice_.size(1, 13), dice_.size(1, 40)}};
    }
    Operand y = f_.builder.resample2d(x, options);
    if (!dice_.oneIn(6)) y = quantized(f_, y, anyCode(dice_, isExact));
    expectCpuAgrees(f_, {y},
                    {.low = -128,
                     .high = 255,
                     .seed = dice_.size(1, 999),
                     .relative = 4e-6,
                     .absolute = 1e-3,
                     .integers = isExact ? 0U : 1U});
  }

 private:
  Dice dice_;
  Fixture f_;
};

TEST(QuantizedImages, ResamplingAgrees) { runSeeds<RandomResample>(60); }

std::vector<std::byte> runOn(const std::string& isa, unsigned threads, const Graph& graph,
                             const std::vector<std::vector<std::byte>>& inputs) {
  ContextOptions options{.backend = "cpu", .execution = Execution::callerThread, .threads = threads};
  options.backendOptions["isa"] = isa;
  const Graph compiled = Context::create(std::move(options)).compile(graph);
  std::vector<std::byte> output(byteLength(compiled.outputs()[0].second));
  const std::vector<std::span<const std::byte>> from(inputs.begin(), inputs.end());
  const std::span<std::byte> to(output);
  compiled.state()->executable()->run(from, {&to, 1});
  return output;
}
// Returns the bytes of a run. Expects that they are equal on all instruction sets, with one and two threads.
std::vector<std::byte> runEverywhere(const Graph& graph, const std::vector<std::vector<std::byte>>& inputs) {
  std::vector<std::byte> first;
  for (const std::string& isa : cpuIsas()) {
    for (const unsigned threads : {1U, 2U}) {
      const std::vector<std::byte> bytes = runOn(isa, threads, graph, inputs);
      if (first.empty()) first = bytes;
      EXPECT_EQ(bytes, first) << isa << " with " << threads << " threads";
    }
  }
  return first;
}

// Means are computed in integers: ties are rounded half to even for every `count`.
TEST(QuantizedImages, MeansRoundTiesToEven) {
  for (const std::uint32_t count : {2U, 6U, 10U, 14U, 49U, 50U, 98U}) {
    constexpr std::uint32_t kRows = 256;
    Fixture f;
    std::vector<Number> numbers;
    std::vector<std::byte> expected;
    for (std::uint32_t row = 0; row < kRows; ++row) {
      const std::uint32_t sum = row * count / 2;  // if the count is even, every other row is a tie
      std::uint32_t left = sum;
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t number = std::min(left, 255U);
        numbers.emplace_back(number), left -= number;
      }
      const std::uint32_t whole = sum / count, twice = 2 * (sum % count);
      expected.push_back(static_cast<std::byte>(whole + (twice > count || (twice == count && whole % 2 == 1) ? 1 : 0)));
    }
    const Code code{0.25, 0, DataType::uint8};
    const Operand x = f.input(DataType::uint8, {kRows, count});
    const Operand y = quantized(f, f.builder.reduceMean(dequantized(f, x, code), {.axes = {{1}}}), code);
    EXPECT_EQ(runEverywhere(f.builder.build({{"y", y}}), {pack(x.descriptor(), numbers)}), expected) << count;
  }
}

// For any scales, means are computed from integers. They may be off by one only near ties, and are equal on every instruction
// set.
TEST(QuantizedImages, MeansAreSumsByOneFactor) {
  Dice dice(7);
  for (int round = 0; round < 20; ++round) {
    const Code code = anyCode(dice, false), to = anyCode(dice, false);
    const std::uint32_t rows = dice.size(1, 40), count = dice.size(2, 90);
    Fixture f;
    const Operand x = f.input(code.type, {rows, count});
    const Operand y = quantized(f, f.builder.reduceMean(dequantized(f, x, code), {.axes = {{1}}}), to);
    const int low = Dice::lowest(code.type), least = Dice::lowest(to.type);
    const std::vector<Number> numbers = dice.numbers(std::size_t{rows} * count, low, low + 255);
    const std::vector<std::byte> results = runEverywhere(f.builder.build({{"y", y}}), {pack(x.descriptor(), numbers)});
    for (std::uint32_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::uint32_t i = 0; i < count; ++i) sum += numbers[row * count + i].toDouble() - code.zeroPoint;
      const double exact = sum * code.scale / count / to.scale;
      const double expected = std::clamp<double>(std::nearbyint(exact) + to.zeroPoint, least, least + 255);
      const int result = to.type == DataType::int8 ? static_cast<std::int8_t>(results[row]) : std::to_integer<int>(results[row]);
      const bool isNearTie = std::abs(std::abs(exact - std::nearbyint(exact)) - 0.5) < 0x1p-15;
      EXPECT_LE(std::abs(result - expected), isNearTie ? 1 : 0) << exact;
    }
  }
}

TEST(QuantizedImages, ResamplingGivesTheSameBytesEverywhere) {
  Dice dice(9);
  for (int round = 0; round < 20; ++round) {
    const Code code = anyCode(dice, false), to = anyCode(dice, false);
    Fixture f;
    const Operand x = f.input(code.type, {1, dice.size(1, 4), dice.size(2, 9), dice.size(2, 20)});
    const Operand y =
        f.builder.resample2d(dequantized(f, x, code), {.mode = InterpolationMode::linear,
                                                       .sizes = {{dice.size(2, 20), dice.size(2, 30)}},
                                                       .axes = dice.of<std::vector<std::uint32_t>>({{2, 3}, {1, 2}})});
    const int low = Dice::lowest(code.type);
    runEverywhere(f.builder.build({{"y", quantized(f, y, to)}}),
                  {pack(x.descriptor(), dice.numbers(elementCount(x.descriptor()), low, low + 255))});
  }
}

TEST(QuantizedImages, AreComputedOnBytes) {
  const Code code{0.5, 3, DataType::int8}, other{0.3, 100, DataType::uint8};
  const auto kernels = [&](auto make) {
    Fixture f;
    const Operand x = dequantized(f, f.input(DataType::int8, {1, 8, 6, 6}), code);
    return cpuKernels(f, {make(f, x)});
  };
  const auto expectOnly = [&](const std::string& kernel, auto make) {
    const std::vector<std::string> steps = kernels(make);
    EXPECT_TRUE(hasStep(steps, kernel)) << kernel;
    EXPECT_FALSE(hasStep(steps, "dequantize")) << kernel;
  };
  expectOnly("quantized pool nchw int8 to uint8",
             [&](Fixture& f, const Operand& x) { return quantized(f, f.builder.averagePool2d(x), other); });
  expectOnly("quantized pool nchw int8 to float32", [&](Fixture& f, const Operand& x) { return f.builder.averagePool2d(x); });
  expectOnly("quantized pool nchw int8 to uint8", [&](Fixture& f, const Operand& x) {
    return quantized(f, f.builder.reduceMean(x, {.axes = {{2, 3}}}), other);
  });
  expectOnly("quantized pool nchw int8 to uint8",
             [&](Fixture& f, const Operand& x) { return quantized(f, f.builder.reduceMean(x, {.axes = {{3}}}), other); });
  expectOnly("quantized pool nhwc int8 to uint8",
             [&](Fixture& f, const Operand& x) { return quantized(f, f.builder.reduceMean(x, {.axes = {{1}}}), other); });
  expectOnly("quantized resample int8 to uint8", [&](Fixture& f, const Operand& x) {
    return quantized(f, f.builder.resample2d(x, {.mode = InterpolationMode::linear, .scales = {{2, 2}}}), other);
  });
}

// l2Pool2d computes no average, and non-adjacent axes cannot be merged into one. The engine must not replace either by an
// average of 8-bit values.
TEST(QuantizedImages, DoNotReplaceOtherPoolingsAndReductions) {
  const Code code{0.5, 3, DataType::uint8};
  const auto steps = [&](auto make) {
    Fixture f;
    const Operand x = dequantized(f, f.input(DataType::uint8, {2, 8, 6, 6}), code);
    const Operand y = quantized(f, make(f, x), code);
    return cpuKernels(f, {y});
  };
  EXPECT_FALSE(hasStep(steps([](Fixture& f, const Operand& x) { return f.builder.l2Pool2d(x); }), "quantized pool"));
  EXPECT_FALSE(hasStep(steps([](Fixture& f, const Operand& x) {
                         return f.builder.reduceMean(x, {.axes = {{0, 2}}});
                       }),
                       "quantized pool"));
  EXPECT_FALSE(
      hasStep(steps([](Fixture& f, const Operand& x) { return f.builder.reduceSum(x, {.axes = {{2}}}); }), "quantized pool"));
}

// Sums of up to 257 codes fit in 16 bits, and sums of up to kMostAveraged codes in 24 bits.
TEST(QuantizedImages, AveragesOfManyNumbers) {
  const Code code{0.5, 0, DataType::uint8};
  for (const Shape& shape : {Shape{1, 16, 17, 33}, Shape{1, 257, 1, 64}, Shape{1, 2, 129, 200}, Shape{1, 300, 219, 3},
                             Shape{1, 300, 220, 3}}) {  // the last averages are of more than kMostAveraged codes
    Fixture f;
    const Operand x = dequantized(f, f.input(DataType::uint8, shape), code);
    const Operand y = quantized(f, f.builder.averagePool2d(x, {.layout = InputOperandLayout::nhwc}), code);
    expectCpuAgrees(f, {y}, {.low = 250, .high = 255});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
