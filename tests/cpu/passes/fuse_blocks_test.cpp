// Tests depthwise convolutions and poolings that are fused with the convolutions before and after them, if there are any.
#include <cmath>
#include <random>

#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  std::uint32_t from(std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(random_);
  }
  bool isLucky() { return from(0, 1) == 1; }
  std::vector<Number> numbers(std::size_t count, double scale) {
    std::vector<Number> values;
    for (; count > 0; --count) values.emplace_back(std::uniform_real_distribution<double>(-scale, scale)(random_));
    return values;
  }

 private:
  std::mt19937 random_;
};

// A convolution in nhwc with constant weights, an optional bias, and optionally a clamp or SiLU. The weights are scaled so that
// results are about as large as the input.
struct Part {
  std::uint32_t outputs = 1, height = 1, width = 1;
  Conv2dOptions options;
  bool hasBias = false, clamps = false, isSilu = false;

  Operand apply(Fixture& f, Dice& dice, const Operand& x) const {
    const std::uint32_t inputs = x.shape()[3] / options.groups;
    Conv2dOptions all = options;
    all.inputLayout = InputOperandLayout::nhwc;
    all.filterLayout = Conv2dFilterOperandLayout::hwio;
    if (hasBias) all.bias = f.constant(DataType::float32, {outputs}, dice.numbers(outputs, 1));
    const Shape shape{height, width, inputs, outputs};
    const std::size_t sums = std::size_t{height} * width * inputs;
    const double scale = 1 / std::sqrt(static_cast<double>(sums));
    const Operand y = f.builder.conv2d(x, f.constant(DataType::float32, shape, dice.numbers(sums * outputs, scale)), all);
    if (isSilu) return f.builder.mul(y, f.builder.sigmoid(y));
    return clamps ? f.builder.clamp(y, {.minValue = -0.5, .maxValue = 1.0}) : y;
  }
};

Part pointwise(std::uint32_t outputs) { return {.outputs = outputs, .options = {}, .hasBias = true, .clamps = true}; }
Part depthwise(std::uint32_t channels, std::uint32_t window, std::uint32_t stride) {
  const std::uint32_t padding = window / 2;
  const Conv2dOptions options{
      .padding = {{padding, padding, padding, padding}}, .strides = {{stride, stride}}, .groups = channels};
  return {.outputs = channels, .height = window, .width = window, .options = options, .hasBias = true, .clamps = true};
}

// Returns a number of rows for which an image of this width with `channels` channels is so large that a block pays off
// (kFewestBytes in conv_block.cpp).
std::uint32_t rowsFor(std::uint32_t width, std::uint32_t channels) { return 150'000 / (width * channels) + 4; }

const CpuCase kCase{.relative = 4e-6, .absolute = 8e-6};

void expectOneStep(Fixture& f, const Operand& y) {
  const std::vector<std::string> kernels = cpuKernels(f, {y});
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_TRUE(kernels[0].starts_with("convolution block")) << kernels[0];
}

void fuse(cpu::Module& module, const cpu::PassOptions& options) {
  for (const PassFunction pass : {cpu::lowerConv, cpu::lowerElementwise, cpu::fuseEpilogues, cpu::fuseBlocks}) {
    pass(module, options);
  }
}

// Builds a random block. The same seed always gives the same block.
Operand randomBlock(Fixture& f, std::uint32_t seed) {
  Dice dice(seed);
  const std::uint32_t channels = dice.from(1, 50), width = dice.from(1, 20), batch = dice.from(1, 2);
  const std::uint32_t window = dice.from(1, 5), columns = dice.from(1, std::min(width, 5U));
  Part middle = depthwise(channels, 1, 1);
  middle.height = window, middle.width = columns;
  middle.options.padding = {dice.from(0, 3), dice.from(0, 3), dice.from(0, 2), dice.from(0, 2)};
  middle.options.strides = {dice.from(1, 3), dice.from(1, 2)};
  middle.options.dilations = {dice.from(1, 2), 1U};
  middle.hasBias = dice.isLucky(), middle.clamps = dice.isLucky(), middle.isSilu = dice.isLucky();
  const std::uint32_t pooling = dice.from(0, 5);  // 0 to 2 select a pooling instead of the depthwise convolution
  // 0: no first convolution; 1: a 1x1 convolution; 2: a 2x2 convolution with stride 2.
  const std::uint32_t kind = dice.from(0, 2), inputs = kind == 0 ? channels : dice.from(1, 20);
  const std::uint32_t rows = rowsFor(width, channels);
  const std::uint32_t step = kind == 2 ? 2 : 1;
  Operand x = f.input({batch, rows * step, width * step, inputs});
  if (kind > 0) {
    Part first{.outputs = channels, .options = {}, .hasBias = dice.isLucky(), .clamps = dice.isLucky()};
    first.isSilu = dice.isLucky();
    if (kind == 2) {
      first.height = first.width = 2;
      first.options.strides = {2U, 2U};
    }
    x = first.apply(f, dice, x);
  }
  const Pool2dOptions pool{.windowDimensions = {{window, columns}},
                           .padding = middle.options.padding,
                           .strides = middle.options.strides,
                           .dilations = middle.options.dilations,
                           .layout = InputOperandLayout::nhwc};
  GraphBuilder& b = f.builder;
  Operand y = pooling == 0   ? b.maxPool2d(x, pool)
              : pooling == 1 ? b.averagePool2d(x, pool)
              : pooling == 2 ? b.l2Pool2d(x, pool)
                             : middle.apply(f, dice, x);
  if (pooling > 2 || dice.isLucky()) {
    Part last = pointwise(dice.from(1, 40));
    last.hasBias = dice.isLucky(), last.clamps = false, last.isSilu = dice.isLucky();
    y = last.apply(f, dice, y);
  }
  if (dice.isLucky()) y = f.builder.add(y, f.input(y.shape()));
  if (dice.isLucky()) y = f.builder.relu(y);
  return y;
}

TEST(FuseBlocks, AgreesWithTheReferenceForAnyOptions) {
  int fused = 0;
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    Fixture f, g;
    expectCpuAgrees(f, {randomBlock(f, seed)}, kCase);
    if (operationsAfter(g, {randomBlock(g, seed)}, {fuse}).find("convolutionBlock") != std::string::npos) ++fused;
  }
  EXPECT_GE(fused, 10);
}

TEST(FuseBlocks, RunsTheBlocksOfNetworks) {
  for (const std::uint32_t stride : {1U, 2U}) {
    for (const std::uint32_t channels : {48U, 93U}) {
      const auto make = [&](Fixture& f) {
        Dice dice(channels);
        const Operand x = f.input({1, 57, 56, 24});
        const Operand y = depthwise(channels, 3, stride).apply(f, dice, pointwise(channels).apply(f, dice, x));
        const Operand z = Part{.outputs = 24, .options = {}, .hasBias = true}.apply(f, dice, y);
        return stride == 1 ? f.builder.add(x, z) : z;
      };
      SCOPED_TRACE(std::to_string(channels) + " channels, stride " + std::to_string(stride));
      Fixture f, g;
      expectOneStep(f, make(f));
      expectCpuAgrees(g, {make(g)}, kCase);
    }
  }
}

TEST(FuseBlocks, AppliesActivationsThatGemmEpiloguesDoNotHave) {
  for (const bool projects : {false, true}) {
    const auto make = [&](Fixture& f) {
      Dice dice(7);
      Part first = pointwise(48), middle = depthwise(48, 3, 1), last = pointwise(24);
      first.isSilu = middle.isSilu = last.isSilu = true;
      const Operand y = middle.apply(f, dice, first.apply(f, dice, f.input({1, 57, 56, 24})));
      return projects ? last.apply(f, dice, y) : y;
    };
    Fixture f, g;
    expectOneStep(f, make(f));
    expectCpuAgrees(g, {make(g)}, kCase);
  }
}

TEST(FuseBlocks, TakesTheFirstConvolutionOfAnImage) {
  const auto make = [](Fixture& f) {
    Dice dice(1);
    const Operand x = f.input({1, 120, 118, 3});
    Part first{.outputs = 32, .height = 3, .width = 3, .options = {}, .hasBias = true, .clamps = true};
    first.options.padding = {1U, 1U, 1U, 1U};
    first.options.strides = {2U, 2U};
    return pointwise(16).apply(f, dice, depthwise(32, 3, 1).apply(f, dice, first.apply(f, dice, x)));
  };
  Fixture f, g;
  expectOneStep(f, make(f));
  expectCpuAgrees(g, {make(g)}, kCase);
}

TEST(FuseBlocks, KeepsNaNsAndInfinitiesOfTheInput) {
  Fixture f;
  const Operand x = f.input({1, 60, 60, 4});
  const auto ones = [&](const Operand& of, std::uint32_t window, std::uint32_t inputs, std::uint32_t outputs) {
    return f.builder.conv2d(of, f.constant({window, window, inputs, outputs}, {1}),
                            {.groups = inputs == 1 ? outputs : 1,
                             .inputLayout = InputOperandLayout::nhwc,
                             .filterLayout = Conv2dFilterOperandLayout::hwio});
  };
  std::vector<Number> values;
  for (std::size_t i = 0; i < 60 * 60 * 4; ++i)
    values.emplace_back(i % 1370 == 0 ? std::nan("") : i % 1530 == 0 ? HUGE_VAL : 0.25 * double(i % 5));
  const Operand y = f.builder.clamp(ones(x, 1, 4, 48), {.minValue = -1.0, .maxValue = 3.0});
  expectCpuAgrees(f, {ones(f.builder.relu(ones(y, 3, 1, 48)), 1, 48, 3)}, {.inputs = {{"input0", values}}});
}

TEST(FuseBlocks, PoolsBetweenConvolutions) {
  const auto make = [](Fixture& f, bool projects) {
    Dice dice(2);
    Part first{.outputs = 37, .height = 3, .width = 3, .options = {}, .hasBias = true, .clamps = true};
    first.options.strides = {2U, 2U};
    const Operand x = first.apply(f, dice, f.input({2, 123, 121, 3}));
    const Operand y =
        f.builder.maxPool2d(x, {.windowDimensions = {{3, 3}}, .strides = {{2, 2}}, .layout = InputOperandLayout::nhwc});
    return projects ? pointwise(16).apply(f, dice, y) : y;
  };
  for (const bool projects : {false, true}) {
    Fixture f, g;
    expectOneStep(f, make(f, projects));
    expectCpuAgrees(g, {make(g, projects)}, kCase);
  }
}

// Between the rows of a block's result are the rows of the concatenation's other part.
TEST(FuseBlocks, WritesItsPartOfAConcatenation) {
  Fixture f;
  Dice dice(3);
  const Operand x = f.input({1, 57, 56, 20});
  const auto block = [&](std::uint32_t outputs) {
    return pointwise(outputs).apply(f, dice, depthwise(60, 3, 1).apply(f, dice, pointwise(60).apply(f, dice, x)));
  };
  expectCpuAgrees(f, {f.builder.neg(f.builder.concat({block(19), block(33)}, 3))}, kCase);
}

TEST(FuseBlocks, FusesBlocksWithMissingParts) {
  Dice dice(4);
  expectAfterPass(fuse, "convolutionBlock", [&](Fixture& f) {  // no first convolution
    return pointwise(30).apply(f, dice, depthwise(48, 3, 1).apply(f, dice, f.input({1, 61, 60, 48})));
  });
  // The convolution between the two depthwise convolutions belongs to one block only.
  expectAfterPass(fuse, "convolutionBlock convolutionBlock", [&](Fixture& f) {
    const Operand x = pointwise(48).apply(f, dice, depthwise(48, 3, 1).apply(f, dice, f.input({1, 61, 60, 48})));
    return pointwise(30).apply(f, dice, depthwise(48, 3, 1).apply(f, dice, x));
  });
}

TEST(FuseBlocks, DoesNotFuseIntermediateResultsWithOtherUses) {
  Dice dice(5);
  const auto input = [](Fixture& f) { return f.input({1, 61, 60, 48}); };
  Fixture first;  // the result of the first convolution is an output
  Operand x = pointwise(48).apply(first, dice, input(first));
  Operand y = pointwise(8).apply(first, dice, depthwise(48, 3, 1).apply(first, dice, x));
  EXPECT_EQ(operationsAfter(first, {x, y}, {fuse}), "convolution convolutionBlock");
  Fixture second;  // the result of the depthwise convolution is an output
  x = depthwise(48, 3, 1).apply(second, dice, pointwise(48).apply(second, dice, input(second)));
  EXPECT_EQ(operationsAfter(second, {x, pointwise(8).apply(second, dice, x)}, {fuse}), "convolutionBlock convolution");
  Fixture third;  // an epilogue that reads another operand
  x = depthwise(48, 3, 1).apply(third, dice, pointwise(48).apply(third, dice, input(third)));
  x = third.builder.mul(x, third.input({48}));
  EXPECT_EQ(operationsAfter(third, {pointwise(8).apply(third, dice, x)}, {fuse}), "convolution convolution convolution");
  Fixture small;
  x = depthwise(48, 3, 1).apply(small, dice, pointwise(48).apply(small, dice, small.input({1, 7, 7, 48})));
  EXPECT_EQ(operationsAfter(small, {pointwise(8).apply(small, dice, x)}, {fuse}), "convolution convolution convolution");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
