// Compares convolution, pooling, resampling and recurrent networks with the reference backend, on random shapes.
#include "support/images.h"

#include <cmath>
#include <limits>
#include <random>

#include "support/support.h"
#include "support/webgpu.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

// Makes a random graph in a context. The same seed gives the same graph in each context.
class Maker {
 public:
  Maker(Context context, std::uint32_t seed, DataType type = DataType::float32)
      : builder(context), context_(context), random_(seed), type_(type) {}

  std::uint32_t from(std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(random_);
  }
  bool flip() { return from(0, 1) == 1; }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[from(0, static_cast<std::uint32_t>(values.size()) - 1)];
  }
  // Returns an operand of the type with numbers from -1 to 1: an input, or a constant.
  Operand operand(const Shape& shape, bool isConstant = false) {
    std::vector<float> values(elementCount({DataType::float32, shape}));
    for (float& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random_);
    return operandOf(shape, std::move(values), isConstant);
  }
  Operand operandOf(const Shape& shape, std::vector<float> values, bool isConstant = false) {
    const OperandDescriptor descriptor{DataType::float32, shape};
    Operand result;
    if (isConstant) {
      result = builder.constant(descriptor, values);
    } else {
      const std::string name = "x" + std::to_string(inputs_.size());
      result = builder.input(name, descriptor);
      inputs_.emplace_back(name, std::move(values));
      shapes_.push_back(shape);
    }
    return type_ == DataType::float32 ? result : builder.cast(result, type_);
  }

  // Returns the values of the outputs, one after the other.
  std::vector<double> run(const std::vector<Operand>& results) {
    std::vector<std::pair<std::string, Operand>> outputs;
    std::vector<std::pair<std::string, Tensor>> feeds, tensors;
    for (const Operand& result : results) {
      const std::string name = "y" + std::to_string(outputs.size());
      const Operand wide = result.dataType() == DataType::float32 ? result : builder.cast(result, DataType::float32);
      outputs.emplace_back(name, wide);
      tensors.emplace_back(name, context_.createTensor({DataType::float32, result.shape(), true, false}));
    }
    const Graph graph = builder.build(outputs);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Tensor tensor = context_.createTensor({DataType::float32, shapes_[i], false, true});
      context_.write(tensor, inputs_[i].second);
      feeds.emplace_back(inputs_[i].first, tensor);
    }
    context_.dispatch(graph, feeds, tensors);
    std::vector<double> values;
    for (const auto& [name, tensor] : tensors) {
      const std::vector<float> read = context_.read<float>(tensor);
      values.insert(values.end(), read.begin(), read.end());
    }
    return values;
  }

  GraphBuilder builder;

 private:
  Context context_;
  std::mt19937 random_;
  DataType type_;
  std::vector<std::pair<std::string, std::vector<float>>> inputs_;
  std::vector<Shape> shapes_;
};

using Make = std::function<std::vector<Operand>(Maker&)>;

// Expects |actual - expected| <= absolute + relative * |expected|, and NaN and infinities at the same positions.
void expectSame(const Make& make, std::uint32_t seed, double absolute, double relative, DataType type = DataType::float32) {
  static Context reference = test::makeContext();
  static Context device = test::makeWebGpuContext();
  Maker expecting(reference, seed, type), computing(device, seed, type);
  const std::vector<double> expected = expecting.run(make(expecting)), actual = computing.run(make(computing));
  ASSERT_EQ(actual.size(), expected.size()) << "seed " << seed;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool isSame = std::isfinite(expected[i])
                            ? std::abs(actual[i] - expected[i]) <= absolute + relative * std::abs(expected[i])
                        : std::isnan(expected[i]) ? std::isnan(actual[i])
                                                  : actual[i] == expected[i];
    ASSERT_TRUE(isSame) << "seed " << seed << ", element " << i << ": " << actual[i] << ", expected " << expected[i];
  }
}

// Float16 results may differ by one rounding; float32 sums of up to 1,000 products of numbers below 1 differ by less than 2e-5.
void expectSameInBothTypes(const Make& make, std::uint32_t seed) {
  expectSame(make, seed, 2e-5, 4e-6);
  expectSame(make, seed, 4e-4, 1e-3, DataType::float16);
}

// Numbers of channels that select depthwise kernels, one invocation per element, or tiles.
struct Channels {
  std::uint32_t groups, inputs, outputs;
};
Channels channelsOf(Maker& m) {
  switch (m.from(0, 3)) {
    case 0: return {m.from(1, 9), 1, m.from(1, 2)};
    case 1: return {m.from(1, 3), m.from(1, 5), m.from(1, 5)};
    default: return {m.from(1, 2), m.from(1, 40), m.from(12, 70)};
  }
}

constexpr auto kLayouts = {InputOperandLayout::nchw, InputOperandLayout::nhwc};

std::vector<Operand> convolution(Maker& m) {
  using Layout = Conv2dFilterOperandLayout;
  const Channels c = channelsOf(m);
  const InputOperandLayout layout = m.of(kLayouts);
  const std::uint32_t height = m.from(1, 4), width = m.from(1, 3);
  Conv2dOptions options{.padding = {{m.from(0, 2), m.from(0, 2), m.from(0, 2), m.from(0, 2)}},
                        .strides = {{m.from(1, 3), m.from(1, 2)}},
                        .dilations = {{m.from(1, 2), m.from(1, 2)}},
                        .groups = c.groups,
                        .inputLayout = layout,
                        .filterLayout = m.of({Layout::oihw, Layout::hwio, Layout::ohwi, Layout::ihwo})};
  const Operand x = m.operand(test::imageOf(layout, m.from(1, 2), c.groups * c.inputs, m.from(8, 14), m.from(6, 12)));
  const Operand filter =
      m.operand(test::filterOf(options.filterLayout, c.groups * c.outputs, c.inputs, height, width), m.from(0, 3) != 0);
  if (m.flip()) options.bias = m.operand({c.groups * c.outputs}, m.flip());
  Operand y = m.builder.conv2d(x, filter, options);
  if (m.flip()) y = m.builder.add(y, m.operand(y.shape()));
  if (m.flip()) y = m.builder.relu(y);
  return {y};
}

std::vector<Operand> transposedConvolution(Maker& m) {
  using Layout = ConvTranspose2dFilterOperandLayout;
  const Channels c = channelsOf(m);
  const InputOperandLayout layout = m.of(kLayouts);
  ConvTranspose2dOptions options{.padding = {{m.from(0, 1), m.from(0, 1), m.from(0, 1), m.from(0, 1)}},
                                 .strides = {{m.from(1, 3), m.from(1, 4)}},
                                 .dilations = {{m.from(1, 3), m.from(1, 2)}},
                                 .groups = c.groups,
                                 .inputLayout = layout,
                                 .filterLayout = m.of({Layout::iohw, Layout::hwoi, Layout::ohwi})};
  const Operand x = m.operand(test::imageOf(layout, m.from(1, 2), c.groups * c.inputs, m.from(3, 8), m.from(3, 8)));
  const Operand filter = m.operand(
      test::filterOf(options.filterLayout, c.outputs, c.groups * c.inputs, m.from(1, 4), m.from(1, 4)), m.from(0, 3) != 0);
  if (m.flip()) options.bias = m.operand({c.groups * c.outputs}, m.flip());
  return {m.builder.convTranspose2d(x, filter, options)};
}

TEST(WebGpuImages, ConvolveAsTheReferenceDoes) {
  WEBNN_REQUIRE_WEBGPU();
  for (std::uint32_t seed = 1; seed <= 12; ++seed) expectSameInBothTypes(convolution, seed);
}

TEST(WebGpuImages, ConvolveTransposedAsTheReferenceDoes) {
  WEBNN_REQUIRE_WEBGPU();
  for (std::uint32_t seed = 1; seed <= 12; ++seed) expectSameInBothTypes(transposedConvolution, seed);
}

// Sums of many products are divided among several workgroups. Most sizes are not multiples of a tile's.
TEST(WebGpuImages, DivideDeepSumsAndPartialTiles) {
  WEBNN_REQUIRE_WEBGPU();
  std::uint32_t seed = 1;
  for (const std::uint32_t channels : {33u, 64u, 129u}) {
    expectSame(
        [&](Maker& m) -> std::vector<Operand> {
          const Operand x = m.operand({1, 700, 3, 5}), filter = m.operand({channels, 700, 1, 1}, true);
          return {m.builder.relu(m.builder.conv2d(x, filter, {.bias = m.operand({channels}, true)}))};
        },
        seed++, 4e-5, 4e-6);
  }
  expectSame(
      [](Maker& m) -> std::vector<Operand> {
        return {m.builder.conv2d(m.operand({1, 16, 130, 131}), m.operand({130, 16, 1, 1}, true))};
      },
      seed, 2e-5, 4e-6);
}

// Padding is skipped, not multiplied as zeros: an infinite weight adds nothing there, but gives NaN for an image element of 0.
TEST(WebGpuImages, LeaveInfiniteWeightsOutOfPadding) {
  WEBNN_REQUIRE_WEBGPU();
  for (const bool isConstant : {false, true}) {
    expectSame(
        [&](Maker& m) -> std::vector<Operand> {
          std::vector<float> weights(16 * 16 * 9, 0.5f), pixels(16 * 36, 1);
          for (std::size_t i = 0; i < weights.size(); i += 9) weights[i] = std::numeric_limits<float>::infinity();
          pixels[14] = 0;
          return {m.builder.conv2d(m.operandOf({1, 16, 6, 6}, pixels), m.operandOf({16, 16, 3, 3}, weights, isConstant),
                                   {.padding = {{1, 1, 1, 1}}})};
        },
        1, 1e-5, 1e-6);
  }
}

std::vector<Operand> pooling(Maker& m) {
  const InputOperandLayout layout = m.of(kLayouts);
  const std::uint32_t height = m.from(9, 20), width = m.from(9, 20);
  Pool2dOptions options{.layout = layout, .outputShapeRounding = m.of({RoundingType::floor, RoundingType::ceil})};
  if (m.from(0, 3) != 0) {
    options.windowDimensions = {{m.from(1, 4), m.from(1, 4)}};
    options.padding = {{m.from(0, 2), m.from(0, 2), m.from(0, 2), m.from(0, 2)}};
    options.strides = {{m.from(1, 5), m.from(1, 3)}};
    options.dilations = {{m.from(1, 2), m.from(1, 2)}};
  }
  const Operand x = m.operand(test::imageOf(layout, m.from(1, 2), m.from(1, 9), height, width));
  return {m.builder.averagePool2d(x, options), m.builder.l2Pool2d(x, options), m.builder.maxPool2d(x, options)};
}

TEST(WebGpuImages, PoolAsTheReferenceDoes) {
  WEBNN_REQUIRE_WEBGPU();
  for (std::uint32_t seed = 1; seed <= 12; ++seed) expectSameInBothTypes(pooling, seed);
}

// For 3e38, sums and squares overflow float32. For 2e-30, squares underflow.
TEST(WebGpuImages, PoolLargeNumbersAndNaN) {
  WEBNN_REQUIRE_WEBGPU();
  for (const std::uint32_t size : {3u, 20u}) {
    SCOPED_TRACE(size);
    for (const float value : {3e38f, 2e-30f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
      expectSame(
          [&](Maker& m) -> std::vector<Operand> {
            const Operand x = m.operandOf({1, 1, size, size}, std::vector<float>(size * size, value));
            return {m.builder.averagePool2d(x), m.builder.maxPool2d(x),
                    m.builder.l2Pool2d(m.builder.mul(x, m.builder.constant(DataType::float32, 0.01)))};
          },
          1, 0, 4e-6);
    }
  }
}

TEST(WebGpuImages, ResampleAsTheReferenceDoes) {
  WEBNN_REQUIRE_WEBGPU();
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    expectSameInBothTypes(
        [](Maker& m) -> std::vector<Operand> {
          const auto axes = m.of<std::pair<std::uint32_t, std::uint32_t>>({{2, 3}, {1, 2}, {0, 1}});
          const Operand x = m.operand({m.from(1, 6), m.from(1, 6), m.from(1, 6), m.from(1, 6)});
          return {m.builder.resample2d(x, {.mode = m.of({InterpolationMode::nearestNeighbor, InterpolationMode::linear}),
                                           .sizes = {{m.from(1, 13), m.from(1, 13)}},
                                           .axes = {{axes.first, axes.second}}})};
        },
        seed);
  }
}

std::vector<Operand> lstm(Maker& m) {
  const std::uint32_t steps = m.from(1, 5), batch = m.from(1, 3), inputs = m.from(1, 9), size = m.of({1u, 7u, 40u});
  LstmOptions options{.returnSequence = m.flip(),
                      .direction = m.of({RecurrentNetworkDirection::forward, RecurrentNetworkDirection::backward,
                                         RecurrentNetworkDirection::both}),
                      .layout = m.of({LstmWeightLayout::iofg, LstmWeightLayout::ifgo})};
  const std::uint32_t directions = options.direction == RecurrentNetworkDirection::both ? 2 : 1;
  if (m.flip()) options.bias = m.operand({directions, 4 * size}, true);
  if (m.flip()) options.recurrentBias = m.operand({directions, 4 * size}, true);
  if (m.flip()) options.peepholeWeight = m.operand({directions, 3 * size}, true);
  if (m.flip()) options.initialHiddenState = m.operand({directions, batch, size});
  if (m.flip()) options.initialCellState = m.operand({directions, batch, size});
  const Operand x = m.operand({steps, batch, inputs}), weight = m.operand({directions, 4 * size, inputs}, true),
                recurrent = m.operand({directions, 4 * size, size}, true);
  return m.builder.lstm(x, weight, recurrent, steps, size, options);
}

std::vector<Operand> gru(Maker& m) {
  const std::uint32_t steps = m.from(1, 5), batch = m.from(1, 3), inputs = m.from(1, 9), size = m.of({1u, 7u, 40u});
  GruOptions options{.resetAfter = m.flip(),
                     .returnSequence = m.flip(),
                     .direction = m.of({RecurrentNetworkDirection::forward, RecurrentNetworkDirection::backward,
                                        RecurrentNetworkDirection::both}),
                     .layout = m.of({GruWeightLayout::zrn, GruWeightLayout::rzn})};
  const std::uint32_t directions = options.direction == RecurrentNetworkDirection::both ? 2 : 1;
  if (m.flip()) options.bias = m.operand({directions, 3 * size}, true);
  if (m.flip()) options.recurrentBias = m.operand({directions, 3 * size}, true);
  if (m.flip()) options.initialHiddenState = m.operand({directions, batch, size});
  const Operand x = m.operand({steps, batch, inputs}), weight = m.operand({directions, 3 * size, inputs}, true),
                recurrent = m.operand({directions, 3 * size, size}, true);
  return m.builder.gru(x, weight, recurrent, steps, size, options);
}

TEST(WebGpuImages, RunRecurrentNetworksAsTheReferenceDoes) {
  WEBNN_REQUIRE_WEBGPU();
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    expectSameInBothTypes(lstm, seed);
    expectSameInBothTypes(gru, seed);
  }
}

// A dispatch has at most 65,535 workgroups in each dimension of its grid.
TEST(WebGpuImages, UseGridsOfTwoDimensions) {
  WEBNN_REQUIRE_WEBGPU();
  expectSame(
      [](Maker& m) -> std::vector<Operand> {
        const Operand x = m.operand({1, 1, 2900, 2900});
        return {m.builder.maxPool2d(x, {.windowDimensions = {{1, 2}}})};
      },
      1, 0, 0);
  expectSame(
      [](Maker& m) -> std::vector<Operand> {
        constexpr std::uint32_t kGroups = 66000;
        return {
            m.builder.conv2d(m.operand({1, 8 * kGroups, 2, 4}), m.operand({12 * kGroups, 8, 1, 1}, true), {.groups = kGroups})};
      },
      2, 1e-5, 4e-6);
  expectSame(
      [](Maker& m) -> std::vector<Operand> {
        constexpr std::uint32_t kBatch = 33000, kSize = 2;
        return {m.builder.gruCell(m.operand({kBatch, 1}), m.operand({3 * kSize, 1}, true), m.operand({3 * kSize, kSize}, true),
                                  m.operand({kBatch, kSize}), kSize)};
      },
      3, 1e-5, 4e-6);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
