// Tests convolutions of the CPU engine against the reference backend.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "cpu/cpu_support.h"
#include "support/images.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  std::uint32_t from(std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(random_);
  }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[from(0, static_cast<std::uint32_t>(values.size()) - 1)];
  }

 private:
  std::mt19937 random_;
};

constexpr auto kNhwc = InputOperandLayout::nhwc;
constexpr auto kNchw = InputOperandLayout::nchw;

// Adds a constant with pseudorandom numbers in [-scale, scale].
Operand weights(Fixture& f, DataType type, const Shape& shape, double scale, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Number> values;
  for (std::size_t i = elementCount({type, shape}); i > 0; --i) {
    values.emplace_back(std::uniform_real_distribution<double>(-scale, scale)(random));
  }
  return f.constant(type, shape, values);
}

Operand inputOrConstant(Fixture& f, Dice& dice, DataType type, const Shape& shape) {
  if (dice.from(0, 3) == 0) return f.input(type, shape);
  return weights(f, type, shape, 1, dice.from(1, 1000));
}

// Returns the tolerance for sums of `depth` products. The magnitude of a factor is at most 2, or 1 for a constant.
CpuCase tolerance(std::size_t depth, std::uint32_t seed) {
  return {.seed = seed, .relative = 4e-6, .absolute = 1e-6 * static_cast<double>(depth < 4 ? 4 : depth > 64 ? 64 : depth)};
}

// Returns a random size, at least the smallest one that gives an output.
std::uint32_t inputSize(Dice& dice, std::uint32_t window, std::uint32_t dilation, std::uint32_t padding) {
  const std::uint32_t reach = (window - 1) * dilation + 1;
  return (reach > padding ? reach - padding : 1) + dice.from(0, 12);
}

void convolveRandomly(Dice& dice, DataType type, InputOperandLayout layout, std::uint32_t groups, std::uint32_t groupInputs,
                      std::uint32_t groupOutputs) {
  Fixture f;
  const std::uint32_t kh = dice.from(1, 5), kw = dice.of({1U, 2U, 3U, 3U, 5U, 7U});
  Conv2dOptions options{.padding = {{dice.from(0, 3), dice.from(0, 3), dice.from(0, 3), dice.from(0, 3)}},
                        .strides = {{dice.from(1, 3), dice.of({1U, 1U, 2U, 3U})}},
                        .dilations = {{dice.of({1U, 1U, 2U, 3U}), dice.of({1U, 1U, 1U, 2U, 3U})}},
                        .groups = groups,
                        .inputLayout = layout,
                        .filterLayout = dice.of({Conv2dFilterOperandLayout::oihw, Conv2dFilterOperandLayout::hwio,
                                                 Conv2dFilterOperandLayout::ohwi, Conv2dFilterOperandLayout::ihwo})};
  const std::uint32_t h = inputSize(dice, kh, (*options.dilations)[0], (*options.padding)[0] + (*options.padding)[1]);
  const std::uint32_t w = inputSize(dice, kw, (*options.dilations)[1], (*options.padding)[2] + (*options.padding)[3]);
  const Operand x = f.input(type, imageOf(layout, dice.from(1, 3), groups * groupInputs, h, w));
  const Operand filter =
      inputOrConstant(f, dice, type, filterOf(options.filterLayout, groups * groupOutputs, groupInputs, kh, kw));
  if (dice.from(0, 1) == 1) options.bias = inputOrConstant(f, dice, type, {groups * groupOutputs});
  Operand y = f.builder.conv2d(x, filter, options);
  const std::uint32_t after = dice.from(0, 3);
  if (after == 1) y = f.builder.relu(y);
  if (after == 2) y = f.builder.clamp(y, {.minValue = -0.5, .maxValue = 1.5});
  if (after == 3) y = f.builder.relu(f.builder.add(y, f.input(type, y.shape())));
  SCOPED_TRACE(toString(x.descriptor()) + " by " + toString(filter.descriptor()) + ", then " + std::to_string(after) +
               (options.bias ? " bias" : ""));
  expectCpuAgrees(f, {y}, tolerance(std::size_t{kh} * kw * groupInputs, dice.from(1, 1000)));
}

TEST(Conv, AgreesWithTheReferenceForAnyOptions) {
  Dice dice(1);
  for (int i = 0; i < 60; ++i) {
    convolveRandomly(dice, dice.of({DataType::float32, DataType::float32, DataType::float16}), dice.of({kNhwc, kNhwc, kNchw}), 1,
                     dice.from(1, 9), dice.from(1, 20));
  }
}

TEST(Conv, AgreesWithTheReferenceForGroups) {
  Dice dice(2);
  for (int i = 0; i < 40; ++i) {
    convolveRandomly(dice, dice.of({DataType::float32, DataType::float16}), dice.of({kNhwc, kNchw}), dice.from(2, 4),
                     dice.from(1, 5), dice.from(1, 6));
  }
}

TEST(Conv, AgreesWithTheReferenceForSmallGroups) {
  Dice dice(31);
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t size = dice.of({2U, 4U, 8U, 16U});
    convolveRandomly(dice, dice.of({DataType::float32, DataType::float32, DataType::float16}), dice.of({kNhwc, kNhwc, kNchw}),
                     dice.from(std::max(2U, 16 / size), 40 / size), size, size);
  }
}

TEST(Conv, AgreesWithTheReferenceForDepthwiseFilters) {
  Dice dice(3);
  for (int i = 0; i < 60; ++i) {
    convolveRandomly(dice, dice.of({DataType::float32, DataType::float32, DataType::float16}), dice.of({kNhwc, kNhwc, kNchw}),
                     dice.of({2U, 7U, 16U, 19U, 33U, 70U}), 1, dice.of({1U, 1U, 2U, 3U}));
  }
}

// Runs filters that have specialized kernels, on narrow and on wide images.
TEST(Conv, RunsTheUsualDepthwiseFiltersAndSmallGroups) {
  struct Channels {
    std::uint32_t count, inGroup;
  };
  for (const std::uint32_t window : {3U, 5U}) {
    for (const std::uint32_t stride : {1U, 2U}) {
      for (const auto& [channels, inGroup] : std::vector<Channels>{{5, 1}, {40, 1}, {18, 2}, {20, 4}, {40, 8}, {48, 16}}) {
        for (const std::uint32_t size : {1U, 2U, 9U, 30U}) {
          Fixture f;
          const std::uint32_t padding = window / 2;
          const Operand x = f.input({2, size + 3, size, channels});
          const Operand y = f.builder.conv2d(x, weights(f, DataType::float32, {inGroup, window, window, channels}, 1, 4),
                                             {.padding = {{padding, padding, padding, padding}},
                                              .strides = {{stride, stride}},
                                              .groups = channels / inGroup,
                                              .inputLayout = kNhwc,
                                              .filterLayout = Conv2dFilterOperandLayout::ihwo,
                                              .bias = weights(f, DataType::float32, {channels}, 1, 5)});
          SCOPED_TRACE(toString(x.descriptor()) + " by " + std::to_string(window) + ", stride " + std::to_string(stride) +
                       ", groups of " + std::to_string(inGroup));
          expectCpuAgrees(f, {f.builder.clamp(y, {.minValue = 0.0, .maxValue = 6.0})}, {.absolute = 5e-6 * inGroup});
        }
      }
    }
  }
}

// Filters with many taps read a copy of the image, in blocks of 16 to 31 channels.
TEST(Conv, RunsWideDepthwiseFilters) {
  Dice dice(29);
  for (const std::uint32_t window : {6U, 7U, 9U, 13U}) {
    for (const std::uint32_t channels : {16U, 21U, 32U, 128U}) {
      for (const std::uint32_t size : {1U, 5U, 7U, 19U}) {
        Fixture f;
        const std::uint32_t multiplier = channels == 32 ? 2 : 1, dilation = dice.of({1U, 1U, 2U});
        const std::uint32_t least = (window - 1) * dilation, before = dice.of({0U, window / 2, least}),
                            stride = dice.of({1U, 1U, 2U});
        const Operand x = f.input({2, size + dice.from(0, 2), size, channels / multiplier});
        const Operand y = f.builder.conv2d(x, weights(f, DataType::float32, {1, window, window, channels}, 1, 4),
                                           {.padding = {{least - before, before, before, least - before}},
                                            .strides = {{1, stride}},
                                            .dilations = {{dilation, dilation}},
                                            .groups = channels / multiplier,
                                            .inputLayout = kNhwc,
                                            .filterLayout = Conv2dFilterOperandLayout::ihwo,
                                            .bias = weights(f, DataType::float32, {channels}, 1, 5)});
        SCOPED_TRACE(toString(x.descriptor()) + " by " + std::to_string(window) + ", dilation " + std::to_string(dilation) +
                     ", stride " + std::to_string(stride) + ", padding " + std::to_string(before));
        // One result is clamped. The other is added to an operand before relu.
        const std::vector<Operand> outputs{
            f.builder.clamp(y, {.minValue = 0.0, .maxValue = 6.0}),
            f.builder.relu(f.builder.add(f.builder.conv2d(x, weights(f, DataType::float32, {1, window, window, channels}, 1, 6),
                                                          {.padding = {{least, 0, 0, least}},
                                                           .dilations = {{dilation, dilation}},
                                                           .groups = channels / multiplier,
                                                           .inputLayout = kNhwc,
                                                           .filterLayout = Conv2dFilterOperandLayout::ihwo}),
                                         f.input({2, x.shape()[1], size, channels})))};
        expectCpuAgrees(f, outputs, {.relative = 4e-6, .absolute = 4e-5});
      }
    }
  }
}

TEST(Conv, WideDepthwiseFiltersKeepNaNsAndInfinities) {
  Fixture f;
  std::vector<Number> values;
  for (std::size_t i = 0; i < 11 * 12 * 24; ++i)
    values.emplace_back(i % 137 == 0 ? std::nan("") : i % 253 == 0 ? HUGE_VAL : 0.25 * double(i % 5));
  const Operand x = f.input({1, 11, 12, 24});
  const Operand y = f.builder.conv2d(
      x, f.constant({7, 7, 1, 24}, {1}),
      {.padding = {{3, 3, 3, 3}}, .groups = 24, .inputLayout = kNhwc, .filterLayout = Conv2dFilterOperandLayout::hwio});
  expectCpuAgrees(f, {f.builder.clamp(y, {.minValue = 0.0, .maxValue = 6.0})}, {.inputs = {{"input0", values}}});
}

// With fewer than 16 channels, up to 16 adjacent pixels may be computed as one. Most widths leave a remainder of pixels.
TEST(Conv, RunsDepthwiseFiltersOfFewChannels) {
  Dice dice(23);
  for (std::uint32_t channels = 2; channels < 18; ++channels) {
    for (const std::uint32_t dilation : {1U, 2U}) {
      Fixture f;
      const std::uint32_t width = dice.of({16U, 30U, 37U, 64U, 179U}), lines = dice.of({1U, 3U}), columns = dice.of({2U, 3U, 7U});
      const Operand x = f.input({2, 5, width, channels});
      const Operand y = f.builder.conv2d(x, weights(f, DataType::float32, {1, lines, columns, channels}, 1, 4),
                                         {.padding = {{lines / 2, lines / 2, columns - 1, dice.of({0U, columns - 1})}},
                                          .dilations = {{1, dilation}},
                                          .groups = channels,
                                          .inputLayout = kNhwc,
                                          .filterLayout = Conv2dFilterOperandLayout::ihwo,
                                          .bias = weights(f, DataType::float32, {channels}, 1, 5)});
      SCOPED_TRACE(toString(x.descriptor()) + " by " + std::to_string(lines) + "x" + std::to_string(columns));
      const Operand z = f.builder.clamp(y, {.minValue = 0.0, .maxValue = 6.0});
      std::vector<Operand> outputs{z};
      // The result is written into a concatenation: its pixels are not contiguous.
      outputs.push_back(f.builder.concat({f.builder.relu(y), f.builder.neg(f.input(y.shape()))}, 3));
      expectCpuAgrees(f, outputs, {.absolute = 1e-5});
    }
  }
}

struct Layer {
  std::uint32_t batch, size, inputs, outputs, window, stride;
};

// Runs layers of real networks with typical values, because rounding errors are judged relative to the results.
TEST(Conv, RunsLayersOfNetworks) {
  for (const Layer& layer : {Layer{1, 30, 3, 24, 7, 2},
                             {1, 33, 3, 32, 3, 2},
                             {2, 14, 64, 40, 1, 1},
                             {1, 15, 64, 33, 1, 2},
                             {1, 19, 16, 16, 3, 1},
                             {2, 24, 32, 48, 3, 1},
                             {1, 14, 130, 70, 3, 1},
                             {1, 7, 96, 128, 3, 1},
                             {1, 33, 24, 40, 3, 1},
                             {1, 1, 200, 100, 1, 1},
                             {1, 40, 64, 64, 3, 1},
                             {1, 6, 400, 16, 3, 1}}) {
    for (const bool adds : {false, true}) {
      Fixture f;
      const std::uint32_t padding = layer.window / 2;
      const double scale = 1 / std::sqrt(1.0 * layer.inputs * layer.window * layer.window);
      const Operand x = f.input({layer.batch, layer.size, layer.size + 1, layer.inputs});
      Operand y =
          f.builder.conv2d(x, weights(f, DataType::float32, {layer.window, layer.window, layer.inputs, layer.outputs}, scale, 6),
                           {.padding = {{padding, padding, padding, padding}},
                            .strides = {{layer.stride, layer.stride}},
                            .inputLayout = kNhwc,
                            .filterLayout = Conv2dFilterOperandLayout::hwio,
                            .bias = weights(f, DataType::float32, {layer.outputs}, 1, 7)});
      if (adds) y = f.builder.add(y, f.input(y.shape()));
      SCOPED_TRACE(toString(x.descriptor()) + " by " + std::to_string(layer.window));
      expectCpuAgrees(f, {f.builder.relu(y)}, {.relative = 4e-6, .absolute = 1.5e-5});
    }
  }
}

TEST(Conv, PaddingWiderThanTheImageAndStridesWiderThanTheFilterWork) {
  Fixture f;
  const Operand x = f.input({1, 2, 3, 4});
  const Operand filter = f.input({3, 2, 4, 5}), spread = f.input({1, 1, 4, 4});
  const auto hwio = Conv2dFilterOperandLayout::hwio;
  expectCpuAgrees(
      f,
      {f.builder.conv2d(x, filter, {.padding = {{7, 6, 9, 5}}, .inputLayout = kNhwc, .filterLayout = hwio}),
       f.builder.conv2d(x, spread, {.padding = {{7, 6, 9, 5}}, .strides = {{5, 4}}, .inputLayout = kNhwc, .filterLayout = hwio}),
       f.builder.conv2d(
           x, f.input({2, 2, 1, 4}),
           {.padding = {{7, 6, 9, 5}}, .dilations = {{3, 4}}, .groups = 4, .inputLayout = kNhwc, .filterLayout = hwio})},
      {.absolute = 2e-5});
}

TEST(Conv, KeepsNaNsAndInfinitiesOfTheInput) {
  Fixture f;
  const auto hwio = Conv2dFilterOperandLayout::hwio;
  const Operand x = f.input({1, 6, 7, 20});
  const Operand ones = f.constant({1, 1, 20, 3}, {1}), taps = f.constant({3, 3, 1, 20}, {1});
  const Operand fours = f.constant({3, 3, 4, 20}, {1});
  const Conv2dOptions depthwise{.groups = 20, .inputLayout = kNhwc, .filterLayout = hwio};
  // The values exclude the largest numbers: sums that contain them may overflow or not, depending on the order of additions.
  std::vector<Number> values;
  for (std::size_t i = 0; i < 6 * 7 * 20; ++i)
    values.emplace_back(i % 37 == 0 ? std::nan("") : i % 53 == 0 ? HUGE_VAL : 0.25 * double(i % 5));
  expectCpuAgrees(f,
                  {f.builder.relu(f.builder.conv2d(x, ones, {.inputLayout = kNhwc, .filterLayout = hwio})),
                   f.builder.clamp(f.builder.conv2d(x, taps, depthwise), {.minValue = 0.0, .maxValue = 6.0}),
                   f.builder.relu(f.builder.conv2d(x, fours, {.groups = 5, .inputLayout = kNhwc, .filterLayout = hwio}))},
                  {.inputs = {{"input0", values}}});
}

TEST(ConvTranspose, AgreesWithTheReferenceForAnyOptions) {
  Dice dice(8);
  for (int i = 0; i < 80; ++i) {
    Fixture f;
    const DataType type = dice.of({DataType::float32, DataType::float32, DataType::float16});
    const std::uint32_t groups = dice.of({1U, 1U, 2U, 3U}), groupInputs = dice.from(1, 9), groupOutputs = dice.from(1, 20);
    const std::uint32_t kh = dice.from(1, 4), kw = dice.from(1, 5), sh = dice.from(1, 3), sw = dice.from(1, 4);
    ConvTranspose2dOptions options{
        .padding = {{dice.from(0, 1), dice.from(0, 2), dice.from(0, 1), dice.from(0, 2)}},
        .strides = {{sh, sw}},
        .dilations = {{dice.from(1, 3), dice.from(1, 2)}},
        .outputPadding = {{dice.from(0, sh - 1), dice.from(0, sw - 1)}},
        .groups = groups,
        .inputLayout = dice.of({kNhwc, kNchw}),
        .filterLayout = dice.of({ConvTranspose2dFilterOperandLayout::iohw, ConvTranspose2dFilterOperandLayout::hwoi,
                                 ConvTranspose2dFilterOperandLayout::ohwi})};
    const Operand x =
        f.input(type, imageOf(options.inputLayout, dice.from(1, 2), groups * groupInputs, dice.from(4, 9), dice.from(4, 9)));
    const Operand filter =
        inputOrConstant(f, dice, type, filterOf(options.filterLayout, groupOutputs, groups * groupInputs, kh, kw));
    if (dice.from(0, 1) == 1) options.bias = inputOrConstant(f, dice, type, {groups * groupOutputs});
    SCOPED_TRACE(toString(x.descriptor()) + " by " + toString(filter.descriptor()));
    expectCpuAgrees(f, {f.builder.convTranspose2d(x, filter, options)},
                    tolerance(std::size_t{kh} * kw * groupInputs, dice.from(1, 1000)));
  }
}

std::vector<Number> numbers(std::size_t count) {
  std::vector<Number> values;
  for (std::size_t i = 0; i < count; ++i) values.emplace_back(static_cast<double>(i * 37 % 101) / 50 - 1);
  return values;
}

// If the filter's sizes are multiples of the strides and there are few outputs, one GEMM computes all phases (the output
// positions with equal remainders modulo the strides).
TEST(ConvTranspose, ComputesPhasesOfFewOutputsTogether) {
  Dice dice(9);
  for (int i = 0; i < 40; ++i) {
    Fixture f;
    const std::uint32_t groups = dice.of({1U, 1U, 2U}), groupInputs = dice.of({1U, 7U, 24U}), groupOutputs = dice.from(1, 4);
    const std::uint32_t sh = dice.from(1, 3), sw = dice.from(2, 4), kh = sh * dice.from(1, 3), kw = sw * dice.from(1, 3);
    ConvTranspose2dOptions options{.padding = {{dice.from(0, 2), dice.from(0, kh - 1), dice.from(0, 3), dice.from(0, 2)}},
                                   .strides = {{sh, sw}},
                                   .outputPadding = {{dice.from(0, sh - 1), dice.from(0, sw - 1)}},
                                   .groups = groups,
                                   .inputLayout = dice.of({kNhwc, kNchw})};
    const DataType type = dice.of({DataType::float32, DataType::float32, DataType::float16});
    const Operand x =
        f.input(type, imageOf(options.inputLayout, dice.from(1, 2), groups * groupInputs, dice.from(5, 9), dice.from(5, 17)));
    const Operand filter = inputOrConstant(f, dice, type, {groups * groupInputs, groupOutputs, kh, kw});
    if (dice.from(0, 1) == 1) options.bias = inputOrConstant(f, dice, type, {groups * groupOutputs});
    SCOPED_TRACE(toString(x.descriptor()) + " by " + toString(filter.descriptor()));
    CpuCase allowed = tolerance(std::size_t{kh} * kw * groupInputs, dice.from(1, 1000));
    expectCpuAgrees(f, {f.builder.convTranspose2d(x, filter, options)}, allowed);
  }
}

TEST(ConvTranspose, ComputesPhasesOfDepthwiseFilters) {
  Dice dice(19);
  for (int i = 0; i < 60; ++i) {
    Fixture f;
    const std::uint32_t channels = dice.of({2U, 5U, 16U, 23U, 40U, 128U});
    const std::uint32_t sh = dice.from(1, 3), sw = dice.from(1, 4), kh = dice.from(1, 6), kw = dice.from(1, 7);
    const std::uint32_t dh = dice.from(1, 3), dw = dice.of({1U, 1U, 2U, 3U});
    ConvTranspose2dOptions options{
        .padding = {{dice.from(0, 2), dice.from(0, 2), dice.from(0, 2), dice.from(0, 2)}},
        .strides = {{sh, sw}},
        .dilations = {{dh, dw}},
        .outputPadding = {{dice.from(0, sh - 1), dice.from(0, sw - 1)}},
        .groups = channels,
        .inputLayout = dice.of({kNhwc, kNchw}),
        .filterLayout = dice.of({ConvTranspose2dFilterOperandLayout::iohw, ConvTranspose2dFilterOperandLayout::hwoi,
                                 ConvTranspose2dFilterOperandLayout::ohwi})};
    const DataType type = dice.of({DataType::float32, DataType::float32, DataType::float16});
    const Operand x = f.input(type, imageOf(options.inputLayout, dice.from(1, 2), channels, dice.from(5, 9), dice.from(5, 21)));
    const Operand filter = inputOrConstant(f, dice, type, filterOf(options.filterLayout, 1, channels, kh, kw));
    if (dice.from(0, 1) == 1) options.bias = inputOrConstant(f, dice, type, {channels});
    SCOPED_TRACE(toString(x.descriptor()) + " by " + toString(filter.descriptor()));
    expectCpuAgrees(f, {f.builder.convTranspose2d(x, filter, options)}, tolerance(std::size_t{kh} * kw, dice.from(1, 1000)));
  }
  Fixture f;
  const Operand y = f.builder.convTranspose2d(f.input({1, 32, 5, 6}), f.constant({32, 1, 4, 4}, {0.5}),
                                              {.padding = {{1, 1, 1, 1}}, .strides = {{2, 2}}, .groups = 32});
  const std::vector<std::string> kernels = cpuKernels(f, {y});
  EXPECT_TRUE(
      std::ranges::any_of(kernels, [](const auto& kernel) { return kernel.starts_with("convolution transposed depthwise"); }));
}

TEST(ConvTranspose, KeepsNanAndInfinityInPhasesComputedTogether) {
  Fixture f;
  const Operand x = f.input({1, 5, 6, 8}), filter = f.constant({5, 1, 4, 6}, numbers(120));
  std::vector<Number> values;
  for (std::size_t i = 0; i < 5 * 6 * 8; ++i)
    values.emplace_back(i == 17 ? std::nan("") : i == 100 ? HUGE_VAL : i == 201 ? -HUGE_VAL : 0.25 * double(i % 5));
  const Operand y = f.builder.convTranspose2d(x, filter, {.padding = {{1, 1, 2, 2}}, .strides = {{2, 3}}});
  expectCpuAgrees(f, {y}, {.relative = 1e-5, .absolute = 1e-5, .inputs = {{"input0", values}}});

  Fixture infinite;  // outputs that read padding, and filter elements that are infinite or NaN
  std::vector<Number> weights = numbers(48);
  weights[0] = HUGE_VAL, weights[47] = std::nan("");
  const Operand image = infinite.input({1, 3, 5, 5});
  expectCpuAgrees(infinite,
                  {infinite.builder.convTranspose2d(image, infinite.constant({3, 1, 4, 4}, weights), {.strides = {{2, 2}}})},
                  {.relative = 1e-5, .absolute = 1e-5});

  Fixture shown;
  const Operand z = shown.builder.convTranspose2d(shown.input({1, 56, 9, 11}), shown.constant({56, 1, 9, 9}, {0.5}),
                                                  {.padding = {{4, 4, 4, 4}}, .strides = {{3, 3}}});
  const std::vector<std::string> kernels = cpuKernels(shown, {z});
  EXPECT_TRUE(
      std::ranges::any_of(kernels, [](const auto& kernel) { return kernel.starts_with("convolution transposed jointly"); }));
}

// Builds a layer in nhwc, padded by half the window.
Operand layer(Fixture& f, const Operand& x, std::uint32_t outputs, std::uint32_t window, std::uint32_t groups,
              std::uint32_t seed) {
  const std::uint32_t inputs = x.shape()[3] / groups, padding = window / 2;
  return f.builder.conv2d(
      x, weights(f, DataType::float32, {window, window, inputs, outputs}, 1 / std::sqrt(1.0 * inputs * window * window), seed),
      {.padding = {{padding, padding, padding, padding}},
       .groups = groups,
       .inputLayout = kNhwc,
       .filterLayout = Conv2dFilterOperandLayout::hwio,
       .bias = weights(f, DataType::float32, {outputs}, 1, seed + 1)});
}

// The list has one layer for each kind of kernel: pointwise, any window, Winograd, groups, small groups, depthwise.
const std::vector<std::function<Operand(Fixture&, const Operand&)>> kLayers = {
    [](Fixture& f, const Operand& x) { return layer(f, x, 24, 1, 1, 11); },
    [](Fixture& f, const Operand& x) { return layer(f, x, 24, 5, 1, 12); },
    [](Fixture& f, const Operand& x) { return layer(f, x, 24, 3, 1, 13); },
    [](Fixture& f, const Operand& x) { return layer(f, x, 24, 3, 2, 14); },
    [](Fixture& f, const Operand& x) { return layer(f, x, 24, 3, 3, 14); },
    [](Fixture& f, const Operand& x) { return layer(f, x, 24, 3, 24, 15); }};

// A filter is packed only once for all convolutions that need the same packing.
TEST(Conv, OneFilterServesSeveralPaddings) {
  Fixture f;
  const Operand filter = f.constant({8, 4, 3, 3}, numbers(288)), line = f.input({1, 4, 1, 5}), image = f.input({1, 4, 6, 5});
  std::vector<Operand> outputs;
  for (const std::vector<std::uint32_t>& padding : {std::vector<std::uint32_t>{2, 0, 1, 1}, {0, 2, 1, 1}, {1, 1, 1, 1}}) {
    outputs.push_back(f.builder.conv2d(line, filter, {.padding = padding}));
    outputs.push_back(f.builder.conv2d(image, filter, {.padding = padding}));
  }
  expectCpuAgrees(f, outputs);
}

TEST(ConvTranspose, OneFilterServesSeveralPaddings) {
  for (const std::uint32_t groups : {1U, 2U}) {
    Fixture f;
    const Operand filter = f.constant({4, 8, 3, 3}, numbers(288)), x = f.input({1, 4, 5, 5});
    std::vector<Operand> outputs;
    for (const std::vector<std::uint32_t>& padding : {std::vector<std::uint32_t>{0, 0, 0, 0}, {1, 0, 1, 0}, {0, 1, 1, 1}}) {
      outputs.push_back(f.builder.convTranspose2d(x, filter, {.padding = padding, .strides = {{2, 2}}, .groups = groups}));
    }
    expectCpuAgrees(f, outputs);
  }
}

TEST(Conv, FusesFollowingElementWiseOperations) {
  for (const auto& make : kLayers) {
    Fixture f;
    const Operand x = f.input({2, 22, 21, 24}), y = make(f, x), z = make(f, x), u = make(f, x), v = make(f, x);
    const Operand same = f.input(y.shape()), row = f.input({24}), image = f.input({2, 1, 1, 24});
    auto& b = f.builder;
    const std::vector<Operand> outputs{b.mul(y, b.sigmoid(y)), b.clamp(b.add(same, z), {.minValue = -1.0, .maxValue = 1.0}),
                                       b.hardSwish(b.mul(u, image)), b.add(b.relu(v), b.mul(row, same))};
    expectCpuAgrees(f, outputs, {.relative = 4e-6, .absolute = 4e-5});
  }
}

TEST(Conv, FusesAResidualAndAnActivation) {
  Fixture f;
  const Operand x = f.input({1, 22, 21, 24}), y = layer(f, x, 24, 3, 1, 16);
  const std::vector<std::string> kernels = cpuKernels(f, {f.builder.relu(f.builder.add(y, x))});
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_NE(kernels[0].find("winograd"), std::string::npos) << kernels[0];
}

bool isWinograd(Fixture& f, const Operand& y) {
  return std::ranges::any_of(cpuKernels(f, {y}),
                             [](const std::string& kernel) { return kernel.find("winograd") != std::string::npos; });
}

// A large filter element (tap) must not add its rounding error to results that depend on small taps only, as Winograd's transform
// would.
TEST(Conv, TapsOfUnequalSizeAreNotMixed) {
  constexpr std::size_t channels = 35, taps = 9, size = 28;
  std::vector<Number> pixel(channels * size * size, 0.0);
  for (std::size_t c = 0; c < channels; ++c) pixel[(c * size + 13) * size + 13] = 1.0;
  for (const double large : {1.0, 1e3, 1e6}) {
    for (const bool isOne : {true, false}) {  // the large taps: the last input of one output, or all inputs of all outputs
      std::vector<Number> filter(channels * channels * taps, 0.75);  // no integer, because filters of integers never use Winograd
      for (std::size_t i = isOne ? channels - 1 : 0; i < (isOne ? channels : channels * channels); ++i)
        filter[i * taps] = large * 0.75;
      const auto convolve = [&](Fixture& f) {
        const Operand x = f.input({1, channels, size, size}), w = f.constant({channels, channels, 3, 3}, filter);
        return f.builder.conv2d(x, w, {.padding = {{1, 1, 1, 1}}});
      };
      const bool isEven = large == 1 || (isOne && large == 1e3);
      Fixture named, computed;
      EXPECT_EQ(isWinograd(named, convolve(named)), isEven);
      expectCpuAgrees(computed, {convolve(computed)},
                      {.relative = 1e-5, .absolute = isEven ? large * 1e-4 : 1e-4, .inputs = {{"input0", pixel}}});
    }
  }
}

TEST(Conv, TapsThatAreZeroThroughoutAreNoReasonAgainstWinograd) {
  std::vector<Number> filter = numbers(32 * 32 * 9);
  for (std::size_t i = 0; i < filter.size(); ++i) filter[i] = i % 9 % 2 == 0 && i % 9 != 4 ? Number(0.0) : filter[i];
  Fixture f;
  const Operand y = f.builder.conv2d(f.input({1, 32, 28, 28}), f.constant({32, 32, 3, 3}, filter), {.padding = {{1, 1, 1, 1}}});
  EXPECT_TRUE(isWinograd(f, y));
}

// Only taps (filter elements) that reach the image are computed: one line of the first filter, one column of the second, the
// middle 3x3 of the third, and none of the last one's lines.
TEST(Conv, FiltersWiderThanTheImageKeepTheTapsThatReachIt) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = f.input({2, 16, 6, 7}), line = f.input({1, 16, 2, 7});
  const auto filter = [&](const Shape& shape) { return f.constant(shape, numbers(elementCount({DataType::float32, shape}))); };
  expectCpuAgrees(f,
                  {b.conv2d(x, filter({16, 16, 3, 3}), {.padding = {{7, 7, 1, 1}}, .dilations = {{7, 1}}}),
                   b.conv2d(x, filter({16, 16, 3, 3}), {.padding = {{2, 2, 9, 9}}, .dilations = {{2, 9}}}),
                   b.conv2d(line, filter({16, 16, 7, 3}), {.padding = {{3, 3, 1, 1}}}),
                   b.conv2d(line, filter({4, 4, 5, 5}), {.padding = {{20, 22, 10, 10}}, .dilations = {{10, 5}}, .groups = 4}),
                   b.conv2d(line, filter({16, 1, 5, 5}), {.padding = {{20, 22, 10, 10}}, .dilations = {{10, 5}}, .groups = 16}),
                   b.conv2d(line, f.input({16, 16, 3, 3}), {.padding = {{8, 0, 1, 1}}, .strides = {{9, 1}}}),
                   b.conv2d(line, filter({16, 16, 1, 3}), {.padding = {{3, 0, 1, 1}}, .strides = {{7, 1}}})},
                  {.relative = 1e-5, .absolute = 1e-4});
}

// Rows of the GEMM read taps that lie apart in place where no tap is padding, and copies elsewhere. A line has rows of both
// kinds.
TEST(Conv, ReadsDilatedTapsInPlace) {
  Dice dice(29);
  for (const std::uint32_t groups : {1U, 2U}) {
    for (const std::uint32_t channels : {8U, 16U, 24U, 40U}) {
      for (const auto& [lines, columns] : {std::pair{1U, 3U}, std::pair{3U, 1U}, std::pair{2U, 2U}, std::pair{3U, 3U}}) {
        Fixture f;
        const std::uint32_t dy = dice.of({1U, 2U, 5U}), dx = dice.of({1U, 2U, 3U, 7U}), stride = dice.of({1U, 1U, 2U});
        const std::uint32_t top = dice.of({0U, dy}), left = dice.of({0U, dx, 2 * dx});
        const Operand x = f.input({2, (lines - 1) * dy + 9, (columns - 1) * dx + 61, channels * groups});
        const Operand y = f.builder.conv2d(x, weights(f, DataType::float32, {lines, columns, channels, 36 * groups}, 1, 4),
                                           {.padding = {{top, dice.of({0U, 1U}), left, dice.of({0U, dx})}},
                                            .strides = {{1, stride}},
                                            .dilations = {{dy, dx}},
                                            .groups = groups,
                                            .inputLayout = kNhwc,
                                            .filterLayout = Conv2dFilterOperandLayout::hwio});
        SCOPED_TRACE(toString(x.descriptor()) + " by " + std::to_string(lines) + "x" + std::to_string(columns) + ", dilations " +
                     std::to_string(dy) + " and " + std::to_string(dx));
        expectCpuAgrees(f, {f.builder.relu(y)}, {.absolute = 1e-4});
      }
    }
  }
}

// The GEMM skips blocks of K whose taps are padding for all rows of a tile: the first and middle blocks, never the last.
TEST(Conv, LargeDilationsSkipPaddingInDeepImages) {
  for (const std::uint32_t channels : {130U, 384U, 400U}) {
    for (const auto& [dy, dx] : {std::pair{9U, 7U}, std::pair{1U, 10U}, std::pair{10U, 1U}, std::pair{5U, 12U}}) {
      for (const std::uint32_t stride : {1U, 2U}) {
        Fixture f;
        const Operand x = f.input({2, channels, 11, 13});
        const Operand y = f.builder.conv2d(x, f.constant({20, channels, 3, 3}, numbers(20 * std::size_t{channels} * 9)),
                                           {.padding = {{dy, dy, dx, dx}},
                                            .strides = {{stride, stride}},
                                            .dilations = {{dy, dx}},
                                            .bias = f.constant({20}, {0.5})});
        SCOPED_TRACE(std::to_string(channels) + " channels, dilations " + std::to_string(dy) + " and " + std::to_string(dx));
        expectCpuAgrees(f, {f.builder.relu(y)}, {.relative = 1e-5, .absolute = 1e-4});
      }
    }
  }
}

// ConvInteger of ONNX becomes a float convolution of integers and a cast that truncates. An inexact sum of 78399.99 would become
// 78399.
TEST(Conv, IntegersAreSummedExactly) {
  constexpr std::uint32_t kChannels = 24, kRows = 16, kColumns = 40;
  std::mt19937 random(5);
  const auto integers = [&](std::size_t count, int low, int high) {
    std::vector<Number> values;
    for (std::size_t i = 0; i < count; ++i) values.emplace_back(std::uniform_int_distribution<int>(low, high)(random));
    return values;
  };
  for (DataType type : {DataType::float32, DataType::float16}) {
    const int high = type == DataType::float32 ? 255 : 2;  // sums of float16 are exact up to 2048
    Fixture f{makeContext("cpu")};
    const std::vector<Number> image = integers(kChannels * kRows * kColumns, -2, high),
                              filter = integers(kChannels * kChannels * 9, -high * 2 / 3, high / 2);
    const Operand x = f.input(type, {1, kChannels, kRows, kColumns});
    const Operand y = f.builder.conv2d(x, f.constant(type, {kChannels, kChannels, 3, 3}, filter), {.padding = {1, 1, 1, 1}});
    const Graph graph = f.builder.build({{"y", y}});
    const std::vector<std::byte> input = pack(x.descriptor(), image);
    std::vector<std::byte> output(byteLength(y.descriptor()));
    graph.compute(std::vector<std::span<const std::byte>>{input}, std::vector<std::span<std::byte>>{output});
    const std::vector<Number> actual = unpack(y.descriptor(), output);
    for (std::uint32_t o = 0, at = 0; o < kChannels; ++o) {
      for (std::uint32_t row = 0; row < kRows; ++row) {
        for (std::uint32_t column = 0; column < kColumns; ++column, ++at) {
          double sum = 0;
          for (std::uint32_t i = 0; i < kChannels; ++i) {
            for (std::uint32_t tap = 0; tap < 9; ++tap) {
              const std::uint32_t r = row + tap / 3 - 1, c = column + tap % 3 - 1;  // an index below 0 wraps to a large number
              if (r < kRows && c < kColumns)
                sum += image[(i * kRows + r) * kColumns + c].toDouble() * filter[(o * kChannels + i) * 9 + tap].toDouble();
            }
          }
          ASSERT_EQ(actual[at].toDouble(), sum) << name(type) << " " << o << " " << row << " " << column;
        }
      }
    }
  }
}

TEST(Conv, WritesItsPartOfAConcatenation) {
  for (const auto& make : kLayers) {
    Fixture f;
    const Operand x = f.input({2, 17, 19, 24}), a = f.builder.relu(make(f, x)), b = f.builder.sigmoid(make(f, x));
    const Operand c = f.builder.add(make(f, x), f.input(a.shape()));
    expectCpuAgrees(f, {f.builder.neg(f.builder.concat({a, b, c}, 3))}, {.relative = 4e-6, .absolute = 2e-5});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
