// Tests 3-D convolutions between dequantizeLinear and quantizeLinear. The ONNX importer writes them as sums of 2-D convolutions,
// one for each tap of the kernel's first dimension, between transposes and reshapes.
#include <algorithm>
#include <cmath>

#include "cpu/dice.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

struct Kernel {
  std::uint32_t depth = 1, side = 1, stride = 1, padding = 0;  // stride and padding of the first dimension
};

// Builds networks of 3-D convolutions. All scales are powers of two, so that the reference backend computes every value exactly
// and 8-bit results must be equal.
class Volumes {
 public:
  explicit Volumes(Fixture& f, std::uint32_t seed) : f_(f), dice_(seed) {}

  Dice& dice() { return dice_; }
  bool isPlain = false;  // all filters have the same scale, and there are no biases

  Operand quantized(const Operand& x) {
    const Shape ones(x.rank(), 1);
    const Operand scale = f_.constant(ones, {std::ldexp(1, dice_.from(-3, 0))});
    const Operand zero = f_.constant(DataType::uint8, ones, {dice_.of({0, 3, 100})});
    return b_.dequantizeLinear(b_.quantizeLinear(x, scale, zero), scale, zero);
  }

  // Convolves x [n, c, d, h, w] to `outputs` channels, with "same" padding of height and width.
  Operand convolved(const Operand& x, std::uint32_t outputs, const Kernel& kernel, std::uint32_t groups = 1) {
    const std::uint32_t inputs = x.shape()[1] / groups, batch = x.shape()[0];
    const Operand weights = filter({outputs, inputs, kernel.depth, kernel.side, kernel.side});
    const std::vector<std::uint32_t> around{0, 0, kernel.padding, 0, 0};
    const Operand padded = kernel.padding > 0 ? b_.pad(x, around, around) : x;
    const std::uint32_t count = (padded.shape()[2] - kernel.depth) / kernel.stride + 1, same = kernel.side / 2;
    std::optional<Operand> sum;
    for (std::uint32_t tap = 0; tap < kernel.depth; ++tap) {
      Shape sizes = padded.shape();
      sizes[2] = (count - 1) * kernel.stride + 1;
      const Operand part = b_.slice(padded, {0, 0, tap, 0, 0}, sizes, {.strides = {1, 1, kernel.stride, 1, 1}});
      const Operand taps = b_.slice(weights, {0, 0, tap, 0, 0}, {outputs, inputs, 1, kernel.side, kernel.side});
      Conv2dOptions options{.padding = {same, same, same, same}};
      options.groups = groups;
      if (tap == 0 && !isPlain && dice_.oneIn(2)) options.bias = f_.constant({outputs}, dice_.numbers(outputs, -3, 3));
      const Operand y = b_.conv2d(frames(part), b_.reshape(taps, {outputs, inputs, kernel.side, kernel.side}), options);
      sum = sum ? b_.add(*sum, y) : y;
    }
    const Shape& shape = sum->shape();
    return b_.transpose(b_.reshape(*sum, {batch, shape[0] / batch, shape[1], shape[2], shape[3]}), {.permutation = kExchanged});
  }

 private:
  static inline const std::vector<std::uint32_t> kExchanged{0, 2, 1, 3, 4};

  // Returns the images [n * d, c, h, w] of a volume.
  Operand frames(const Operand& volume) {
    const Shape& shape = volume.shape();
    return b_.reshape(b_.transpose(volume, {.permutation = kExchanged}), {shape[0] * shape[2], shape[1], shape[3], shape[4]});
  }
  // Returns a dequantized filter with one scale, or one scale for each index of a dimension.
  Operand filter(const Shape& shape) {
    Shape scales(shape.size(), 1);
    const std::uint32_t axis = dice_.of({0U, 0U, 1U, 2U, 3U});
    if (!isPlain && dice_.oneIn(2)) scales[axis] = shape[axis];
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < countOf(scales); ++i) numbers.emplace_back(std::ldexp(1, isPlain ? -4 : dice_.from(-6, -3)));
    return b_.dequantizeLinear(f_.constant(DataType::int8, shape, dice_.numbers(countOf(shape), -9, 9)),
                               f_.constant(scales, numbers), f_.constant(DataType::int8, scales, {0}));
  }

  Fixture& f_;
  Dice dice_;
  GraphBuilder& b_ = f_.builder;
};

class RandomVolumes {
 public:
  explicit RandomVolumes(std::uint32_t seed) : volumes_(f_, seed), dice_(volumes_.dice()) {}

  void run() {
    Operand x = volumes_.quantized(
        f_.input({dice_.of({1U, 1U, 2U}), channels(), dice_.size(2, 6), dice_.of({1U, 5U, 9U}), dice_.of({1U, 6U, 17U})}));
    std::vector<Operand> outputs;
    for (int layer = dice_.from(1, 3); layer > 0; --layer) {
      const Operand sum = dice_.oneIn(4) ? sumOfTwo(x) : convolved(x, channels());
      const Operand y = volumes_.quantized(activated(sum));
      if (dice_.oneIn(4)) outputs.push_back(f_.builder.neg(y));
      x = dice_.oneIn(3) ? volumes_.quantized(activated(f_.builder.add(y, volumes_.quantized(residual(x, y.shape()))))) : y;
    }
    outputs.push_back(x);
    expectCpuAgrees(f_, outputs, {.low = -20, .high = 20, .seed = dice_.size(1, 999), .relative = 1e-6, .absolute = 1e-3});
  }

 private:
  std::uint32_t channels() { return dice_.of({1U, 3U, 4U, 12U, 16U, 33U}); }
  Operand activated(const Operand& x) {
    if (dice_.oneIn(3)) return f_.builder.relu(x);
    return dice_.oneIn(4) ? f_.builder.clamp(x, {.minValue = -2, .maxValue = 6}) : x;
  }
  Operand convolved(const Operand& x, std::uint32_t outputs) {
    const std::uint32_t inputs = x.shape()[1], depth = std::min(dice_.size(1, 3), x.shape()[2]);
    const Kernel kernel{depth, dice_.of({1U, 3U}), dice_.of({1U, 1U, 2U}), dice_.oneIn(2) ? depth / 2 : 0};
    const bool isDepthwise = dice_.oneIn(4);
    return volumes_.convolved(x, isDepthwise ? inputs : outputs, kernel, isDepthwise ? inputs : 1);
  }
  // Adds two convolutions of x. The second one may read x quantized again with another scale.
  Operand sumOfTwo(const Operand& x) {
    const std::uint32_t outputs = channels();
    const Operand other = dice_.oneIn(2) ? volumes_.quantized(x) : x;
    return f_.builder.add(volumes_.convolved(x, outputs, {}), volumes_.convolved(other, outputs, {1, dice_.of({1U, 3U}), 1, 0}));
  }
  Operand residual(const Operand& x, const Shape& shape) {
    const Operand y = x.shape()[1] == shape[1] ? x : volumes_.convolved(x, shape[1], {});
    if (y.shape() == shape) return y;
    return f_.builder.expand(f_.builder.slice(y, {0, 0, 0, 0, 0}, {shape[0], shape[1], 1, 1, 1}), shape);
  }

  Fixture f_;
  Volumes volumes_;
  Dice& dice_;
};

TEST(QuantizedVolumes, AgreesWithTheReference) { runSeeds<RandomVolumes>(40); }

// A network of two convolutions, whose results are added. The second convolution has `kernel`.
Operand network(Fixture& f, const Kernel& kernel) {
  Volumes volumes(f, 1);
  volumes.isPlain = true;
  const Operand input = volumes.quantized(f.input({1, 16, 4, 8, 8}));
  const Operand x = volumes.quantized(f.builder.relu(volumes.convolved(input, 16, {1, 3, 1, 0})));
  const Operand y = volumes.quantized(f.builder.relu(volumes.convolved(x, 16, kernel)));
  return volumes.quantized(f.builder.relu(f.builder.add(x, y)));
}

// A 3-D convolution of depth 3 is three 2-D convolutions. They become one convolution of 3 * 16 input channels, which also
// adds the residual.
TEST(QuantizedVolumes, StayIn8Bits) {
  Fixture f;
  const std::vector<std::string> kernels = cpuKernels(f, {network(f, {3, 3, 1, 1})});
  const std::string& last = kernels[kernels.size() - 3];  // then, the output is dequantized and transposed
  EXPECT_TRUE(last.starts_with("quantized convolution") && last.find(" uint8 int8 [16, 48, 3, 3]") != last.npos) << last;
  const auto count = [&](std::string_view prefix) {
    return std::ranges::count_if(kernels, [&](const std::string& kernel) { return kernel.starts_with(prefix); });
  };
  EXPECT_EQ(count("quantized convolution"), 2);
  EXPECT_EQ(count("transpose"), 3);  // two of the input and one of the output
  EXPECT_EQ(count("slice"), 0);      // the frames of a tap are read in place
}

// At most 16 convolutions are joined. The others of the sum remain.
TEST(QuantizedVolumes, AddManyConvolutions) {
  const auto network = [](Fixture& f) {
    Volumes volumes(f, 1);
    volumes.isPlain = true;
    const Operand x = volumes.quantized(f.input({1, 4, 3, 5, 5}));
    Operand sum = volumes.convolved(x, 4, {});
    for (int i = 0; i < 20; ++i) sum = f.builder.add(sum, volumes.convolved(x, 4, {}));
    return volumes.quantized(sum);
  };
  Fixture f, computed;
  const std::vector<std::string> kernels = cpuKernels(f, {network(f)});
  const auto isConvolution = [](const std::string& kernel) { return kernel.starts_with("quantized convolution"); };
  EXPECT_EQ(std::ranges::count_if(kernels, isConvolution), 6);
  expectCpuAgrees(computed, {network(computed)}, {.low = -20, .high = 20, .relative = 1e-6, .absolute = 1e-3});
}

TEST(QuantizedVolumes, AbsorbResiduals) {
  Fixture f;
  const std::vector<std::string> kernels = cpuKernels(f, {network(f, {1, 3, 1, 0})});
  const std::string& last = kernels[kernels.size() - 3];  // then, the output is dequantized and transposed
  EXPECT_TRUE(last.starts_with("quantized convolution")) << last;
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
