// Tests convolutions of quantized images against the reference backend and against integer sums.
#include <algorithm>
#include <cmath>
#include <random>

#include "backends/cpu/runtime/isa.h"
#include "context/graph_state.h"
#include "cpu/cpu_support.h"
#include "graph/backend.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  int from(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  std::uint32_t size(std::uint32_t low, std::uint32_t high) {
    return static_cast<std::uint32_t>(from(static_cast<int>(low), static_cast<int>(high)));
  }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[from(0, static_cast<int>(values.size()) - 1)];
  }

 private:
  std::mt19937 random_;
};

int lowest(DataType type) { return type == DataType::int8 ? -128 : 0; }

struct Code {
  double scale = 1;
  int zeroPoint = 0;
  DataType type = DataType::uint8;
};

// A convolution with the operations around it. If `isExact` is set, all scales are powers of two: the float graph is exact.
struct QuantizedCase {
  Shape image{1, 6, 7, 8};  // nhwc
  std::uint32_t outputs = 5, height = 3, width = 3, groups = 1;
  std::vector<std::uint32_t> padding{1, 1, 1, 1}, strides{1, 1}, dilations{1, 1};
  bool isFirst = false;  // whether channels come first (layout nchw)
  Conv2dFilterOperandLayout filterLayout = Conv2dFilterOperandLayout::oihw;
  Code input{0.5, 120, DataType::uint8}, result{64, 3, DataType::uint8}, addend{2, 7, DataType::uint8},
      sum{32, -5, DataType::int8};
  DataType filterType = DataType::int8;
  bool isPerChannel = true, hasFilterZeroPoints = false, isExact = true;
  enum { none, integers, floats } bias = integers;
  enum { nothing, relu, clamp } activation = nothing;
  bool quantizes = true, adds = false;

  std::uint32_t channels() const { return image[3] / groups; }
};

QuantizedCase randomCase(Dice& dice, bool isExact) {
  QuantizedCase c;
  c.isExact = isExact;
  c.height = dice.size(1, 4), c.width = dice.of({1U, 2U, 3U, 3U, 5U});
  const int kind = dice.from(0, 3);
  c.groups = kind == 0 ? dice.of({2U, 3U, 8U, 12U, 20U}) : kind == 1 ? dice.of({2U, 7U, 16U, 24U, 32U, 33U, 64U, 70U}) : 1;
  const std::uint32_t inputs = kind == 1 ? 1 : kind == 0 ? dice.size(1, 5) : kind == 2 ? 4 * dice.size(1, 5) : dice.size(1, 9);
  c.outputs = c.groups * (kind == 1   ? dice.of({1U, 1U, 2U, 3U, 5U})
                          : kind == 0 ? dice.of({1U, 2U, 3U, 4U, 17U})
                                      : dice.of({1U, 3U, 16U, 20U, 37U, 64U, 70U}));
  for (std::uint32_t& size : c.padding) size = dice.size(0, 2);
  for (std::uint32_t& size : c.strides) size = dice.of({1U, 1U, 2U, 3U, 4U, 5U});
  for (std::uint32_t& size : c.dilations) size = dice.of({1U, 1U, 1U, 2U, 3U});
  c.image = {dice.size(1, 2), (c.height - 1) * c.dilations[0] + dice.size(1, 6), (c.width - 1) * c.dilations[1] + dice.size(1, 8),
             c.groups * inputs};
  c.isFirst = dice.from(0, 1) == 0;
  c.filterLayout = dice.of({Conv2dFilterOperandLayout::oihw, Conv2dFilterOperandLayout::hwio, Conv2dFilterOperandLayout::ohwi,
                            Conv2dFilterOperandLayout::ihwo});
  const auto code = [&](double least) {
    const DataType type = dice.of({DataType::int8, DataType::uint8});
    return Code{isExact ? least * (1 << dice.from(0, 2)) : least * dice.real(1, 4), lowest(type) + dice.from(0, 255), type};
  };
  c.input = code(0.25), c.result = code(std::sqrt(inputs * c.height * c.width) * 8), c.addend = code(c.result.scale / 2);
  if (isExact) c.result.scale = std::exp2(std::round(std::log2(c.result.scale))), c.addend.scale = c.result.scale / 2;
  c.sum = code(c.result.scale);
  c.filterType = dice.of({DataType::int8, DataType::uint8});
  c.isPerChannel = dice.from(0, 1) == 0, c.hasFilterZeroPoints = dice.from(0, 1) == 0;
  c.bias = dice.of({QuantizedCase::none, QuantizedCase::integers, QuantizedCase::floats});
  c.activation = dice.of({QuantizedCase::nothing, QuantizedCase::relu, QuantizedCase::clamp});
  c.quantizes = dice.from(0, 4) > 0, c.adds = dice.from(0, 2) == 0;
  return c;
}

std::vector<Number> numbersOf(std::size_t count, Dice& dice, int low, int high) {
  std::vector<Number> numbers;
  for (; count > 0; --count) numbers.emplace_back(dice.from(low, high));
  return numbers;
}

// The graph of a case, and the values of its constants.
struct QuantizedGraph {
  explicit QuantizedGraph(const QuantizedCase& given, std::uint32_t seed = 1) : c(given), dice(seed) {
    const Operand x = f.input(c.input.type, placed(c.image));
    Conv2dOptions options{.padding = c.padding,
                          .strides = c.strides,
                          .dilations = c.dilations,
                          .groups = c.groups,
                          .inputLayout = c.isFirst ? InputOperandLayout::nchw : InputOperandLayout::nhwc,
                          .filterLayout = c.filterLayout};
    setParameters();
    if (c.bias == QuantizedCase::integers) {
      std::vector<Number> scales;
      for (const double scale : filterScales) scales.emplace_back(static_cast<double>(static_cast<float>(scale * c.input.scale)));
      if (scales.size() < c.outputs) scales.assign(c.outputs, scales[0]);
      options.bias = f.builder.dequantizeLinear(f.constant(DataType::int32, {c.outputs}, numbers(biases)),
                                                f.constant({c.outputs}, scales), f.constant(DataType::int32, {c.outputs}, {0}));
    } else if (c.bias == QuantizedCase::floats) {
      options.bias = f.constant({c.outputs}, numbers(biases));
    }
    y = f.builder.conv2d(dequantized(x, c.input), filter(), options);
    if (c.activation == QuantizedCase::relu) y = f.builder.relu(y);
    if (c.activation == QuantizedCase::clamp) y = f.builder.clamp(y, {.minValue = -100.0, .maxValue = 900.0});
    if (!c.quantizes) return;
    y = quantized(y, c.result);
    if (!c.adds) return;
    const Operand sum = f.builder.add(dequantized(y, c.result), dequantized(f.input(c.addend.type, y.shape()), c.addend));
    y = quantized(f.builder.relu(sum), c.sum);
  }

  const QuantizedCase c;
  Dice dice;
  Fixture f;
  Operand y;
  std::vector<int> weights, zeroPoints;  // weights: [output][input][height][width]; zeroPoints: one element, or one per output
  std::vector<double> filterScales, biases;

 private:
  static std::vector<Number> numbers(const std::vector<double>& values) { return {values.begin(), values.end()}; }
  Shape placed(const Shape& s) const { return c.isFirst ? Shape{s[0], s[3], s[1], s[2]} : s; }

  void setParameters() {
    const std::size_t count = c.isPerChannel ? c.outputs : 1, total = std::size_t{c.outputs} * c.channels() * c.height * c.width;
    for (std::size_t i = 0; i < total; ++i) weights.push_back(lowest(c.filterType) + dice.from(0, 255));
    for (std::size_t i = 0; i < count; ++i) {
      filterScales.push_back(c.isExact ? std::exp2(dice.from(-3, 0))
                                       : static_cast<double>(static_cast<float>(dice.real(0.1, 1))));
      zeroPoints.push_back(lowest(c.filterType) + 128 + (c.hasFilterZeroPoints ? dice.from(-100, 100) : 0));
    }
    for (std::size_t i = 0; i < c.outputs; ++i) {
      const bool isWhole = c.bias == QuantizedCase::integers;
      biases.push_back(isWhole ? dice.from(-9000, 9000) : c.isExact ? dice.from(-900, 900) / 64.0 : dice.real(-99, 99));
    }
    for (double& bias : biases) bias = static_cast<double>(static_cast<float>(bias));
  }

  Operand filter() {
    const std::uint32_t o = c.outputs, i = c.channels(), h = c.height, w = c.width;
    std::vector<Number> stored(weights.size());
    Shape shape, blocks(4, 1);
    std::size_t strides[4];  // strides of output, input, height, width
    std::size_t axis = 0;
    switch (c.filterLayout) {
      case Conv2dFilterOperandLayout::oihw:
        shape = {o, i, h, w};
        strides[0] = std::size_t{i} * h * w, strides[1] = std::size_t{h} * w, strides[2] = w, strides[3] = 1;
        break;
      case Conv2dFilterOperandLayout::hwio:
        shape = {h, w, i, o}, axis = 3;
        strides[0] = 1, strides[1] = o, strides[2] = std::size_t{w} * i * o, strides[3] = std::size_t{i} * o;
        break;
      case Conv2dFilterOperandLayout::ohwi:
        shape = {o, h, w, i};
        strides[0] = std::size_t{h} * w * i, strides[1] = 1, strides[2] = std::size_t{w} * i, strides[3] = i;
        break;
      case Conv2dFilterOperandLayout::ihwo:
        shape = {i, h, w, o}, axis = 3;
        strides[0] = 1, strides[1] = std::size_t{h} * w * o, strides[2] = std::size_t{w} * o, strides[3] = o;
        break;
    }
    std::size_t from = 0;
    for (std::size_t a = 0; a < o; ++a) {
      for (std::size_t b = 0; b < i; ++b) {
        for (std::size_t row = 0; row < h; ++row) {
          for (std::size_t column = 0; column < w; ++column)
            stored[a * strides[0] + b * strides[1] + row * strides[2] + column * strides[3]] = weights[from++];
        }
      }
    }
    blocks[axis] = static_cast<std::uint32_t>(filterScales.size());
    return f.builder.dequantizeLinear(
        f.constant(c.filterType, shape, stored), f.constant(blocks, numbers(filterScales)),
        f.constant(c.filterType, blocks, std::vector<Number>(zeroPoints.begin(), zeroPoints.end())));
  }

  Operand scaleOf(const Code& code) { return f.constant({1, 1, 1, 1}, {code.scale}); }
  Operand zeroOf(const Code& code) { return f.constant(code.type, {1, 1, 1, 1}, {code.zeroPoint}); }
  Operand dequantized(const Operand& x, const Code& code) { return f.builder.dequantizeLinear(x, scaleOf(code), zeroOf(code)); }
  Operand quantized(const Operand& x, const Code& code) { return f.builder.quantizeLinear(x, scaleOf(code), zeroOf(code)); }
};

std::string described(const QuantizedCase& c) {
  return toString(c.image) + " by " + std::to_string(c.outputs) + "x" + std::to_string(c.height) + "x" + std::to_string(c.width) +
         " in " + std::to_string(c.groups) + " groups, " + std::string(name(c.input.type)) + " " +
         std::string(name(c.filterType)) + (c.adds ? ", adds" : "") + (c.quantizes ? "" : ", floats") +
         (c.hasFilterZeroPoints ? ", zero points" : "") + ", bias " + std::to_string(c.bias) + ", then " +
         std::to_string(c.activation);
}

std::size_t quantizedConvolutions(const std::vector<std::string>& kernels) {
  return static_cast<std::size_t>(
      std::ranges::count_if(kernels, [](const std::string& kernel) { return kernel.starts_with("quantized convolution"); }));
}

void expectOnlyBytes(const QuantizedCase& c) {
  QuantizedGraph graph(c);
  const std::vector<std::string> kernels = cpuKernels(graph.f, {graph.y});
  EXPECT_EQ(quantizedConvolutions(kernels), 1U);
  if (c.adds && c.groups > 1 && c.groups == c.image[3]) return;  // after a depthwise convolution, a separate step adds
  for (const std::string& kernel : kernels) EXPECT_EQ(kernel.find("quantize "), std::string::npos) << kernel;
}

// If scales are powers of two, the original graph is exact. Results must then be bit-identical on every instruction set.
TEST(QuantizedConv, IsExactWhereTheGraphIs) {
  Dice dice(1);
  for (int i = 0; i < 120; ++i) {
    const QuantizedCase c = randomCase(dice, true);
    SCOPED_TRACE(std::to_string(i) + ": " + described(c));
    expectOnlyBytes(c);
    QuantizedGraph graph(c, static_cast<std::uint32_t>(i));
    expectCpuAgrees(graph.f, {graph.y}, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
  }
}

// Some kernels of depthwise convolutions compute runs of pixels that read no padding. Widths, strides and padding vary, so that
// runs have many lengths.
TEST(QuantizedConv, IsExactInRunsOfDepthwisePixels) {
  Dice dice(5);
  for (const std::uint32_t taps : {3U, 5U}) {
    for (const std::uint32_t stride : {1U, 2U, 3U}) {
      for (const std::uint32_t width : {taps, taps + 1, taps + 2, 11U, 16U, 33U, 150U}) {
        for (const std::uint32_t channels : {3U, 8U, 16U, 20U, 40U}) {
          QuantizedCase c = randomCase(dice, true);
          c.image = {dice.size(1, 2), taps + dice.size(0, 3), width, channels};
          c.groups = channels, c.outputs = channels * dice.of({1U, 1U, 1U, 2U});
          c.height = c.width = taps;
          c.strides = {dice.of({1U, stride}), stride}, c.dilations = {dice.of({1U, 1U, 2U}), 1};
          if (c.dilations[0] == 2) c.image[1] += taps;
          for (std::uint32_t& size : c.padding) size = dice.size(0, taps / 2);
          c.adds = false;
          SCOPED_TRACE(described(c) + ", stride " + std::to_string(stride));
          QuantizedGraph graph(c, width + channels);
          expectCpuAgrees(graph.f, {graph.y}, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
        }
      }
    }
  }
}

TEST(QuantizedConv, IsWithinOneUnit) {
  Dice dice(2);
  for (int i = 0; i < 60; ++i) {
    QuantizedCase c = randomCase(dice, false);
    SCOPED_TRACE(std::to_string(i) + ": " + described(c));
    expectOnlyBytes(c);
    QuantizedGraph graph(c, static_cast<std::uint32_t>(i));
    const std::uint64_t units = c.adds ? 1 + static_cast<std::uint64_t>(std::ceil(c.result.scale / c.sum.scale)) : 1;
    expectCpuAgrees(graph.f, {graph.y}, {.low = -128, .high = 255, .relative = 1e-5, .absolute = 1e-3, .integers = units});
  }
}

std::vector<std::byte> runOn(ContextOptions options, const Graph& graph, const std::vector<std::vector<std::byte>>& inputs) {
  options.execution = Execution::callerThread;
  const Graph compiled = Context::create(std::move(options)).compile(graph);
  std::vector<std::byte> output(byteLength(compiled.outputs()[0].second));
  const std::vector<std::span<const std::byte>> from(inputs.begin(), inputs.end());
  const std::span<std::byte> to(output);
  compiled.state()->executable()->run(from, {&to, 1});
  return output;
}

// Runs the engine without the reference backend, whose results may differ by one if scales are not exact.
std::vector<std::byte> runOn(const std::string& isa, unsigned threads, const Graph& graph,
                             const std::vector<std::vector<std::byte>>& inputs) {
  ContextOptions options{.backend = "cpu", .threads = threads};
  options.backendOptions["isa"] = isa;
  return runOn(std::move(options), graph, inputs);
}

// Returns the bytes of a run. Expects that they are equal on all instruction sets, with one and two threads.
std::vector<std::byte> runEverywhere(const Graph& graph, const std::vector<std::vector<std::byte>>& inputs) {
  std::vector<std::byte> first;
  for (const std::string& isa : byteIsas()) {
    for (const unsigned threads : {1U, 2U}) {
      const std::vector<std::byte> bytes = runOn(isa, threads, graph, inputs);
      if (first.empty()) first = bytes;
      EXPECT_EQ(bytes, first) << isa << " with " << threads << " threads";
    }
  }
  return first;
}

TEST(QuantizedConv, GivesTheSameBytesEverywhere) {
  Dice dice(4);
  for (int i = 0; i < 60; ++i) {
    const QuantizedCase c = randomCase(dice, false);
    SCOPED_TRACE(std::to_string(i) + ": " + described(c));
    QuantizedGraph graph(c, static_cast<std::uint32_t>(i));
    const Graph built = graph.f.builder.build({{"y", graph.y}});
    std::vector<std::vector<std::byte>> inputs;
    for (const auto& [name, input] : built.inputs()) {
      const int low = lowest(input.dataType);
      inputs.push_back(pack(input, numbersOf(elementCount(input), dice, low, low + 255)));
    }
    runEverywhere(built, inputs);
  }
}

// Returns the exact result in units of its scale, before rounding and without the zero point.
double exactly(const QuantizedGraph& graph, const std::vector<int>& codes, const std::array<std::size_t, 4>& at) {
  const QuantizedCase& c = graph.c;
  const auto [n, oy, ox, o] = at;
  const std::size_t group = o / (c.outputs / c.groups), channels = c.channels(), scale = c.isPerChannel ? o : 0;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < channels; ++i) {
    for (std::size_t ky = 0; ky < c.height; ++ky) {
      for (std::size_t kx = 0; kx < c.width; ++kx) {
        const auto y = static_cast<std::int64_t>(oy * c.strides[0] + ky * c.dilations[0]) - c.padding[0];
        const auto x = static_cast<std::int64_t>(ox * c.strides[1] + kx * c.dilations[1]) - c.padding[2];
        if (y < 0 || x < 0 || y >= c.image[1] || x >= c.image[2]) continue;
        const std::size_t pixel = (n * c.image[1] + static_cast<std::size_t>(y)) * c.image[2] + static_cast<std::size_t>(x);
        const int code = codes[pixel * c.image[3] + group * channels + i];
        const int weight = graph.weights[((o * channels + i) * c.height + ky) * c.width + kx];
        sum += std::int64_t{code - c.input.zeroPoint} * (weight - graph.zeroPoints[scale]);
      }
    }
  }
  const double unit = c.input.scale * graph.filterScales[scale];
  const double bias = c.bias == QuantizedCase::none ? 0 : graph.biases[o] * (c.bias == QuantizedCase::integers ? unit : 1);
  return (static_cast<double>(sum) * unit + bias) / c.result.scale;
}

// Codes may be off by one only if the exact result is near a tie.
TEST(QuantizedConv, RoundsSumsOfIntegers) {
  Dice dice(3);
  std::size_t count = 0, different = 0;
  for (int i = 0; i < 60; ++i) {
    QuantizedCase c = randomCase(dice, false);
    c.isFirst = c.adds = false, c.quantizes = true, c.activation = QuantizedCase::nothing;
    c.input.scale = static_cast<double>(static_cast<float>(c.input.scale));
    c.result.scale = static_cast<double>(static_cast<float>(c.result.scale));
    SCOPED_TRACE(std::to_string(i) + ": " + described(c));
    QuantizedGraph graph(c, static_cast<std::uint32_t>(i));
    const OperandDescriptor image{c.input.type, c.image}, output = graph.y.descriptor();
    const std::vector<Number> numbers = numbersOf(elementCount(image), dice, lowest(c.input.type), lowest(c.input.type) + 255);
    std::vector<int> codes;
    for (const Number& number : numbers) codes.push_back(static_cast<int>(number.toDouble()));
    const Graph built = graph.f.builder.build({{"y", graph.y}});
    const std::vector<Number> results = unpack(output, runEverywhere(built, {pack(image, numbers)}));
    const Shape& s = output.shape;
    for (std::size_t j = 0; j < results.size(); ++j, ++count) {
      const double value = exactly(graph, codes, {j / s[3] / s[2] / s[1], j / s[3] / s[2] % s[1], j / s[3] % s[2], j % s[3]});
      const double low = lowest(c.result.type), expected = std::clamp(std::nearbyint(value) + c.result.zeroPoint, low, low + 255);
      const double actual = results[j].toDouble(), fromTie = std::abs(std::abs(value - std::trunc(value)) - 0.5);
      if (actual == expected) continue;
      ++different;
      EXPECT_LE(std::abs(actual - expected), 1) << j;
      EXPECT_LE(fromTie, 0x1p-15) << j << ": " << value;
    }
  }
  EXPECT_LE(different * 10000, count) << different << " of " << count << " are off by one";
}

// The sum of two codes must be rounded as in the original graph, for all pairs of codes.
TEST(QuantizedConv, AddsAllPairsOfCodesExactly) {
  Dice dice(4);
  const auto real = [&](double low, double high) { return static_cast<double>(static_cast<float>(dice.real(low, high))); };
  for (int i = 0; i < 16; ++i) {
    // The convolution itself is exact: its code is equal to the image's code.
    const auto type = [&] { return dice.of({DataType::uint8, DataType::int8}); };
    QuantizedCase c{
        .image = {1, 256, 256, 1}, .outputs = dice.of({1U, 17U, 64U}), .height = 1, .width = 1, .padding = {0, 0, 0, 0}};
    c.input = {std::exp2(dice.from(-6, 1)) * real(1, 2), 0, type()};
    c.result = {c.input.scale, 0, c.input.type};
    c.addend = {c.input.scale * real(0.2, 5), dice.from(-20, 20), type()};
    c.sum = {(c.input.scale + c.addend.scale) * real(0.3, 1.2), dice.from(-60, 60), type()};
    for (Code* const code : {&c.addend, &c.sum}) code->zeroPoint += lowest(code->type) + 128;
    SCOPED_TRACE(std::to_string(i) + ": " + described(c));
    Fixture f;
    const auto dequantized = [&](const Operand& x, const Code& code) {
      return f.builder.dequantizeLinear(x, f.constant({1, 1, 1, 1}, {code.scale}),
                                        f.constant(code.type, {1, 1, 1, 1}, {code.zeroPoint}));
    };
    const auto quantized = [&](const Operand& x, const Code& code) {
      return f.builder.quantizeLinear(x, f.constant({1, 1, 1, 1}, {code.scale}),
                                      f.constant(code.type, {1, 1, 1, 1}, {code.zeroPoint}));
    };
    const Operand one =
        dequantized(f.constant(DataType::int8, {c.outputs, 1, 1, 1}, std::vector<Number>(c.outputs, 1)), {1, 0, DataType::int8});
    Conv2dOptions options{.inputLayout = InputOperandLayout::nhwc};
    const Operand y = quantized(f.builder.conv2d(dequantized(f.input(c.input.type, c.image), c.input), one, options), c.result);
    const Shape& shape = y.shape();
    Operand sum = f.builder.add(dequantized(y, c.result), dequantized(f.input(c.addend.type, shape), c.addend));
    if (dice.from(0, 1) == 0) sum = f.builder.relu(sum);
    const Graph graph = f.builder.build({{"y", quantized(sum, c.sum)}});
    std::vector<std::vector<std::byte>> inputs(2);
    for (std::uint32_t pixel = 0; pixel < 65536; ++pixel) {
      inputs[0].push_back(static_cast<std::byte>(pixel / 256));
      for (std::uint32_t column = 0; column < c.outputs; ++column) inputs[1].push_back(static_cast<std::byte>(pixel + column));
    }
    EXPECT_EQ(runEverywhere(graph, inputs), runOn({.backend = "reference"}, graph, inputs));
  }
}

// With more than 16 outputs per channel, the depthwise kernel is not used: it would copy the image with each channel repeated
// once per output.
TEST(QuantizedConv, IsNotDepthwiseWithManyOutputsOfAChannel) {
  for (const auto& [outputs, isDepthwise] : {std::pair{32U, true}, std::pair{34U, false}}) {
    const QuantizedCase c{.image = {1, 6, 7, 2}, .outputs = outputs, .groups = 2};
    for (const char* const disable : {"", "fuseQuantizedConv"}) {
      QuantizedGraph graph(c);
      const std::vector<std::string> kernels = cpuKernels(graph.f, {graph.y}, disable);
      const auto isOne = [](const std::string& kernel) { return kernel.find("depthwise") != std::string::npos; };
      EXPECT_EQ(std::ranges::any_of(kernels, isOne), isDepthwise) << disable;
    }
    QuantizedGraph graph(c);
    expectCpuAgrees(graph.f, {graph.y}, {.low = 0, .high = 255, .relative = 0, .absolute = 0});
  }
}

TEST(QuantizedConv, RunsLayersOfNetworks) {
  struct Layer {
    std::uint32_t size, inputs, outputs, window, stride, groups;
  };
  for (const Layer& layer : {Layer{33, 3, 32, 3, 2, 1},
                             {30, 3, 64, 7, 2, 1},
                             {14, 64, 130, 1, 1, 1},
                             {15, 64, 96, 1, 2, 1},
                             {14, 40, 80, 3, 1, 1},
                             {6, 20, 300, 1, 1, 1},
                             {7, 144, 48, 1, 1, 1},
                             {20, 96, 96, 3, 1, 96},
                             {21, 70, 70, 5, 2, 70},
                             {5, 330, 330, 3, 1, 330},
                             {5, 32, 32, 3, 2, 32},
                             {13, 32, 32, 3, 1, 32},
                             {9, 64, 64, 3, 1, 4}}) {
    QuantizedCase c{.image = {1, layer.size, layer.size + 1, layer.inputs},
                    .outputs = layer.outputs,
                    .height = layer.window,
                    .width = layer.window,
                    .groups = layer.groups,
                    .strides = {layer.stride, layer.stride}};
    const std::uint32_t padding = layer.window / 2;
    c.padding = {padding, padding, padding, padding};
    for (const bool adds : {false, true}) {
      c.adds = adds;
      SCOPED_TRACE(described(c));
      QuantizedGraph graph(c);
      expectCpuAgrees(graph.f, {graph.y}, {.low = 0, .high = 255, .relative = 0, .absolute = 0});
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
