// Tests 1-D convolutions between dequantizeLinear and quantizeLinear. Importers write them as 2-D convolutions between reshapes,
// and dequantize the filter before its reshape.
#include <algorithm>
#include <cmath>

#include "cpu/dice.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

Operand zeros(Fixture& f, DataType type, const Shape& shape) { return f.constant(type, shape, {0}); }

// Builds random networks of 1-D convolutions. All scales are powers of two, so that the reference backend computes every value
// exactly and 8-bit results must be equal.
class RandomSignals {
 public:
  explicit RandomSignals(std::uint32_t seed) : dice_(seed) {}

  void run() {
    Operand x = quantized(f_.input({dice_.size(1, 2), channels(), dice_.of({1U, 3U, 17U, 40U, 65U})}));
    std::vector<Operand> outputs;
    for (int layer = dice_.from(1, 3); layer > 0; --layer) {
      Operand y = quantized(activated(convolved(x)));
      if (dice_.oneIn(3)) y = quantized(activated(b_.add(y, quantized(convolvedLike(x, y.shape())))));
      if (dice_.oneIn(4)) outputs.push_back(b_.neg(y));
      x = y;
    }
    outputs.push_back(ended(x));
    expectCpuAgrees(f_, outputs, {.low = -20, .high = 20, .seed = dice_.size(1, 999), .relative = 1e-6, .absolute = 1e-3});
  }

 private:
  std::uint32_t channels() { return dice_.of({1U, 2U, 4U, 12U, 16U, 36U}); }

  Operand quantized(const Operand& x) {
    const DataType type = dice_.byte();
    const Shape ones(x.rank(), 1);
    const Operand scale = f_.constant(ones, {std::ldexp(1, dice_.from(-3, 0))});
    const Operand zero = f_.constant(type, ones, {dice_.of({0, 3, 100})});
    return b_.dequantizeLinear(b_.quantizeLinear(x, scale, zero), scale, zero);
  }
  Operand activated(const Operand& x) {
    if (dice_.oneIn(3)) return b_.relu(x);
    return dice_.oneIn(4) ? b_.clamp(x, {.minValue = -2, .maxValue = 6}) : x;
  }

  // A filter [outputs, inputs, size], with one scale or one scale per output.
  Operand filter(std::uint32_t outputs, std::uint32_t inputs, std::uint32_t size) {
    const bool isPerChannel = dice_.oneIn(2);
    const Shape shape{outputs, inputs, size}, scales{isPerChannel ? outputs : 1, 1, 1};
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < countOf(scales); ++i) numbers.emplace_back(std::ldexp(1, dice_.from(-6, -3)));
    return b_.dequantizeLinear(f_.constant(DataType::int8, shape, dice_.numbers(countOf(shape), -9, 9)),
                               f_.constant(scales, numbers), zeros(f_, DataType::int8, scales));
  }
  Operand image(const Operand& rows, bool isColumn) {
    const Shape& shape = rows.shape();
    return b_.reshape(rows, isColumn ? Shape{shape[0], shape[1], shape[2], 1} : Shape{shape[0], shape[1], 1, shape[2]});
  }
  Operand convolved(const Operand& x) {
    const bool isColumn = dice_.oneIn(4);
    const std::uint32_t inputs = x.shape()[1], size = dice_.of({1U, 1U, 3U, 7U}), groups = dice_.oneIn(4) ? inputs : 1;
    const std::uint32_t outputs = groups == 1 ? channels() : groups, dilation = dice_.of({1U, 2U}), stride = dice_.of({1U, 2U}),
                        padding = dilation * (size - 1);
    const std::uint32_t after = dice_.of({padding, 0U});
    Conv2dOptions options;
    if (isColumn) {
      options = {.padding = {padding, after, 0, 0}, .strides = {stride, 1}, .dilations = {dilation, 1}};
    } else {
      options = {.padding = {0, 0, padding, after}, .strides = {1, stride}, .dilations = {1, dilation}};
    }
    options.groups = groups;
    if (dice_.oneIn(2)) options.bias = f_.constant({outputs}, dice_.numbers(outputs, -3, 3));
    return rows(b_.conv2d(image(x, isColumn), image(filter(outputs, inputs / groups, size), isColumn), options));
  }
  Operand convolvedLike(const Operand& x, const Shape& shape) {  // a residual of the given shape
    if (x.shape() == shape) return x;
    const Operand weights = image(filter(shape[1], x.shape()[1], 1), false);
    const Operand y = rows(b_.conv2d(image(x, false), weights));
    if (y.shape() == shape) return y;
    const Operand part = b_.slice(y, {0, 0, 0}, {shape[0], shape[1], 1});
    return b_.expand(part, shape);
  }
  Operand rows(const Operand& image) {
    const Shape& shape = image.shape();
    return b_.reshape(image, {shape[0], shape[1], shape[2] * shape[3]});
  }
  Operand ended(const Operand& x) {
    switch (dice_.from(0, 3)) {
      case 0: return x;
      case 1: return b_.transpose(x, {.permutation = {0, 2, 1}});
      case 2: return quantized(b_.reduceMax(x, {.axes = {2}, .keepDimensions = dice_.oneIn(2)}));
      default: return b_.reduceMax(x, {.axes = {1}});
    }
  }

  Dice dice_;
  Fixture f_;
  GraphBuilder& b_ = f_.builder;
};

TEST(QuantizedSignals, AgreesWithTheReference) { runSeeds<RandomSignals>(40); }

// Two layers of a network as importers write it, from [1, 12, 40] to [1, 20, 40], and the maximum of each channel.
Operand network(Fixture& f) {
  GraphBuilder& b = f.builder;
  const auto code = [&](const Operand& x) {
    const Operand scale = f.constant({1, 1, 1}, {0.5}), zero = zeros(f, DataType::uint8, {1, 1, 1});
    return b.dequantizeLinear(b.quantizeLinear(x, scale, zero), scale, zero);
  };
  Operand x = code(f.input({1, 12, 40}));
  for (const std::uint32_t channels : {16U, 20U}) {
    const Shape perChannel{channels, 1, 1}, shape{channels, x.shape()[1], 1};
    const Operand filter = b.dequantizeLinear(f.constant(DataType::int8, shape, {1}), f.constant(perChannel, {0.25}),
                                              zeros(f, DataType::int8, perChannel));
    const Operand image = b.reshape(x, {1, shape[1], 1, 40});
    const Operand y = b.conv2d(image, b.reshape(filter, {channels, shape[1], 1, 1}));
    x = code(b.reshape(b.relu(y), {1, channels, 40}));
  }
  return b.quantizeLinear(b.reduceMax(x, {.axes = {2}, .keepDimensions = true}), f.constant({1, 1, 1}, {0.5}),
                          zeros(f, DataType::uint8, {1, 1, 1}));
}

TEST(QuantizedSignals, StayIn8Bits) {
  Fixture f;
  EXPECT_EQ(operationsAfter(
                f, {network(f)},
                {cpu::raiseSignals, cpu::propagateQuantized, cpu::chooseLayout, cpu::propagateQuantized, cpu::fuseQuantizedConv}),
            "quantizeLinear reshape transpose quantizedConvolution quantizedConvolution reduceMax transpose reshape");
  Fixture computed;
  const std::vector<std::string> kernels = cpuKernels(computed, {network(computed)});
  EXPECT_EQ(std::ranges::count_if(kernels, [](const std::string& kernel) { return kernel.starts_with("quantized convolution"); }),
            2);
  EXPECT_EQ(std::ranges::count(kernels, "reduce integers"), 1);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
