// Tests pass recogniseResampling: resizing that is written as gathers with constant indices, products and sums.
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cpu/dice.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::recogniseResampling;

enum class Coordinates { halfPixel, alignCorners, asymmetric, pytorchHalfPixel };
constexpr Coordinates kModes[] = {Coordinates::halfPixel, Coordinates::alignCorners, Coordinates::asymmetric,
                                  Coordinates::pytorchHalfPixel};

// The interpolation along an axis. Element k of the result is the sum over t of weights[k * count + t] * input[indices[k *
// count + t]].
struct Taps {
  std::uint32_t size = 0, count = 0;
  std::vector<Number> indices, weights;
};

double positionOf(Coordinates mode, std::uint32_t from, std::uint32_t to, std::uint32_t k) {
  const double scale = static_cast<double>(from) / to;
  switch (mode) {
    case Coordinates::alignCorners: return to == 1 ? 0 : static_cast<double>(k) * (from - 1) / (to - 1);
    case Coordinates::asymmetric: return k * scale;
    case Coordinates::pytorchHalfPixel: return to == 1 ? 0 : (k + 0.5) * scale - 0.5;
    default: return (k + 0.5) * scale - 0.5;
  }
}

double cubic(double distance) {
  constexpr double kA = -0.75;
  const double x = std::abs(distance);
  if (x <= 1) return ((kA + 2) * x - (kA + 3)) * x * x + 1;
  return x < 2 ? ((x - 5) * x + 8) * x * kA - 4 * kA : 0;
}

// Returns the taps of ONNX's Resize: two per element (linear) or four (cubic).
Taps tapsOf(Coordinates mode, std::uint32_t from, std::uint32_t to, std::uint32_t count = 2) {
  Taps taps{.size = to, .count = count, .indices = {}, .weights = {}};
  for (std::uint32_t k = 0; k < to; ++k) {
    const double position = positionOf(mode, from, to, k), lower = std::floor(position);
    for (std::uint32_t t = 0; t < count; ++t) {
      const double at = lower + t + 1 - count / 2;
      taps.indices.emplace_back(std::clamp(at, 0.0, from - 1.0));
      taps.weights.emplace_back(count == 2 ? 1 - std::abs(position - at) : cubic(position - at));
    }
  }
  return taps;
}

Taps randomTaps(Dice& dice, std::uint32_t from) {
  Taps taps{.size = dice.size(1, 20), .count = dice.size(1, 6), .indices = {}, .weights = {}};
  const int size = static_cast<int>(from);
  for (std::uint32_t i = 0; i < taps.size * taps.count; ++i) {
    taps.indices.emplace_back(dice.from(-size, size - 1));
    taps.weights.emplace_back(dice.from(-8, 8) / 4.0);
  }
  return taps;
}

Shape shapeOf(std::initializer_list<std::uint32_t> first, std::size_t rest) {
  Shape shape(first);
  shape.insert(shape.end(), rest, 1);
  return shape;
}

// Resizes an axis as our ONNX importer does.
Operand reduced(Fixture& f, const Operand& x, std::uint32_t axis, const Taps& taps) {
  const Operand gathered =
      f.builder.gather(x, f.constant(DataType::int32, {taps.size, taps.count}, taps.indices), {.axis = axis});
  const Operand weights = f.constant(shapeOf({taps.size, taps.count}, x.rank() - axis - 1), taps.weights);
  return f.builder.reduceSum(f.builder.mul(gathered, weights), {.axes = {axis + 1}});
}

// gathered() gathers the elements of tap `t`; weightsOf() returns the constant with its weights.
Operand gathered(Fixture& f, const Operand& x, std::uint32_t axis, const Taps& taps, std::uint32_t t) {
  std::vector<Number> indices;
  for (std::uint32_t k = 0; k < taps.size; ++k) indices.push_back(taps.indices[k * taps.count + t]);
  return f.builder.gather(x, f.constant(DataType::int64, {taps.size}, indices), {.axis = axis});
}
Operand weightsOf(Fixture& f, const Operand& x, std::uint32_t axis, const Taps& taps, std::uint32_t t) {
  std::vector<Number> weights;
  for (std::uint32_t k = 0; k < taps.size; ++k) weights.push_back(taps.weights[k * taps.count + t]);
  return f.constant(shapeOf({taps.size}, x.rank() - axis - 1), weights);
}

// Resizes an axis by one gather and one product for each tap.
Operand summed(Fixture& f, const Operand& x, std::uint32_t axis, const Taps& taps) {
  Operand sum;
  for (std::uint32_t t = 0; t < taps.count; ++t) {
    const Operand values = gathered(f, x, axis, taps, t), weights = weightsOf(f, x, axis, taps, t);
    const Operand term = t % 2 == 0 ? f.builder.mul(values, weights) : f.builder.mul(weights, values);
    sum = t == 0 ? term : f.builder.add(sum, term);
  }
  return sum;
}

// Resizes an axis as low + (high - low) * weight.
Operand interpolated(Fixture& f, const Operand& x, std::uint32_t axis, const Taps& taps) {
  const Operand low = gathered(f, x, axis, taps, 0), high = gathered(f, x, axis, taps, 1);
  return f.builder.add(low, f.builder.mul(f.builder.sub(high, low), weightsOf(f, x, axis, taps, 1)));
}

using Resize = Operand (*)(Fixture&, const Operand&, std::uint32_t, const Taps&);
constexpr Resize kForms[] = {reduced, summed, interpolated};

const CpuCase kNear{.relative = 1e-5, .absolute = 1e-5};

Operand resizedImage(Fixture& f, const Operand& x, std::uint32_t axis, Coordinates mode, std::uint32_t height,
                     std::uint32_t width, std::uint32_t count = 2, Resize resize = reduced) {
  const Operand rows = resize(f, x, axis, tapsOf(mode, x.shape()[axis], height, count));
  return resize(f, rows, axis + 1, tapsOf(mode, x.shape()[axis + 1], width, count));
}

TEST(RecogniseResampling, TakesEveryCoordinateMode) {
  for (const Coordinates mode : kModes) {
    for (const Resize form : kForms) {
      for (const std::uint32_t axis : {1U, 2U}) {
        for (const Shape& sizes : std::vector<Shape>{{1, 1, 7, 5}, {5, 7, 10, 14}, {5, 7, 1, 1}, {9, 40, 4, 77}, {3, 3, 13, 2}}) {
          const Shape shape = axis == 1 ? Shape{2, sizes[0], sizes[1], 3} : Shape{2, 3, sizes[0], sizes[1]};
          expectAfterPass(
              recogniseResampling, "resample",
              [&](Fixture& f) { return resizedImage(f, f.input(shape), axis, mode, sizes[2], sizes[3], 2, form); }, kNear);
        }
      }
    }
  }
}

TEST(RecogniseResampling, TakesCubicInterpolation) {
  for (const Coordinates mode : kModes) {
    for (const std::uint32_t axis : {1U, 2U}) {
      for (const Resize form : {reduced, summed}) {
        expectAfterPass(
            recogniseResampling, "resample",
            [&](Fixture& f) {
              return resizedImage(f, f.input({1, 6, 7, 18}), axis, mode, 15, 9, 4, form);
            },
            kNear);
      }
    }
  }
}

TEST(RecogniseResampling, TakesLargeImagesOfAnyNumberOfChannels) {
  for (const std::uint32_t channels : {1U, 3U, 19U, 64U}) {
    Fixture f;
    const Operand first = f.input({1, channels, 40, 50}), last = f.input({1, 40, 50, channels});
    expectCpuAgrees(f,
                    {resizedImage(f, first, 2, Coordinates::alignCorners, 80, 100),
                     resizedImage(f, first, 2, Coordinates::asymmetric, 17, 100),
                     resizedImage(f, last, 1, Coordinates::alignCorners, 80, 100),
                     resizedImage(f, last, 1, Coordinates::asymmetric, 17, 100)},
                    kNear);
  }
}

TEST(RecogniseResampling, RoundsFloat16Once) {
  for (const std::uint32_t axis : {1U, 2U}) {
    expectAfterPass(
        recogniseResampling, "resample",
        [&](Fixture& f) {
          const Operand x = f.builder.cast(f.input(DataType::float16, {2, 5, 6, 17}), DataType::float32);
          return f.builder.cast(resizedImage(f, x, axis, Coordinates::alignCorners, 12, 19), DataType::float16);
        },
        kNear);
  }
}

// An infinity times a weight of 0 is NaN, as in the graph.
TEST(RecogniseResampling, TreatsNanAndInfinityAsTheGraphDoes) {
  for (const std::uint32_t axis : {1U, 2U}) {
    Fixture f;
    const Operand x = f.input({1, 6, 7, 5});
    expectCpuAgrees(
        f,
        {resizedImage(f, x, axis, Coordinates::alignCorners, 13, 9), resizedImage(f, x, axis, Coordinates::halfPixel, 6, 18, 4),
         resizedImage(f, x, axis, Coordinates::halfPixel, 3, 21, 2, summed)},
        {.specials = true});
  }
}

// Convolutions, with resized images between and after them.
Operand network(Fixture& f) {
  GraphBuilder& b = f.builder;
  const auto weights = [&](const Shape& shape) {
    std::vector<Number> values(elementCount({DataType::float32, shape}));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.125 * (static_cast<double>(i * 7 % 31) - 15);
    return f.constant(shape, values);
  };
  const Operand image = f.input({2, 3, 8, 6});
  const Operand x = b.relu(b.conv2d(image, weights({20, 3, 3, 3}), {.padding = {{1, 1, 1, 1}}, .strides = {{2, 2}}}));
  const Operand y = resizedImage(f, x, 2, Coordinates::alignCorners, 8, 6);
  const Operand skip = b.conv2d(f.input({2, 3, 8, 6}), weights({4, 3, 1, 1}));
  const Operand z = b.conv2d(b.concat({y, skip}, 1), weights({5, 24, 1, 1}));
  return resizedImage(f, z, 2, Coordinates::asymmetric, 16, 9);
}

TEST(RecogniseResampling, KeepsTheLayoutOfConvolutions) {
  Fixture f;
  std::size_t transposes = 0, resamples = 0;
  for (const std::string& kernel : cpuKernels(f, {network(f)})) {
    if (kernel.find("transpose") != std::string::npos) ++transposes;
    if (kernel.find("resample") != std::string::npos) ++resamples;
  }
  EXPECT_EQ(transposes, 3U);  // of both inputs and of the output
  EXPECT_EQ(resamples, 2U);
  Fixture g;
  expectCpuAgrees(g, {network(g)}, {.relative = 1e-4, .absolute = 1e-4});
}

TEST(RecogniseResampling, KeepsWhatIsNoResampling) {
  const Taps taps = tapsOf(Coordinates::alignCorners, 5, 9);
  const auto keeps = [&](const std::string& operations, const std::function<Operand(Fixture&, const Operand&)>& make) {
    expectAfterPass(
        recogniseResampling, operations,
        [&](Fixture& f) {
          return make(f, f.input({2, 3, 5, 4}));
        },
        kNear);
  };
  const auto gatheredTwice = [&](Fixture& f, const Operand& x) {
    return f.builder.gather(x, f.constant(DataType::int32, {9, 2}, taps.indices), {.axis = 2});
  };
  keeps("gather mul reduceSum", [&](Fixture& f, const Operand& x) {  // weights that are not constant
    return f.builder.reduceSum(f.builder.mul(gatheredTwice(f, x), f.input({9, 2, 1})), {.axes = {3}});
  });
  keeps("cast gather mul reduceSum", [&](Fixture& f, const Operand& x) {  // indices that are not constant
    const Operand gathered = f.builder.gather(x, f.builder.cast(f.input({9, 2}), DataType::int32), {.axis = 2});
    return f.builder.reduceSum(f.builder.mul(gathered, f.constant({9, 2, 1}, taps.weights)), {.axes = {3}});
  });
  keeps("gather mul reduceSum", [&](Fixture& f, const Operand& x) {  // weights that vary along another axis
    const Operand weights = f.constant({9, 2, 4}, std::vector<Number>(72, 0.25));
    return f.builder.reduceSum(f.builder.mul(gatheredTwice(f, x), weights), {.axes = {3}});
  });
  keeps("gather mul reduceSum", [&](Fixture& f, const Operand& x) {  // the sum is over another axis
    return f.builder.reduceSum(f.builder.mul(gatheredTwice(f, x), f.constant({9, 2, 1}, taps.weights)), {.axes = {2}});
  });
  keeps("gather mul reduceMax", [&](Fixture& f, const Operand& x) {
    return f.builder.reduceMax(f.builder.mul(gatheredTwice(f, x), f.constant({9, 2, 1}, taps.weights)), {.axes = {3}});
  });
  keeps("gather mul reduceSum reduceMax mul", [&](Fixture& f, const Operand& x) {  // another use of the products
    const Operand products = f.builder.mul(gatheredTwice(f, x), f.constant({9, 2, 1}, taps.weights));
    const Operand sum = f.builder.reduceSum(products, {.axes = {3}});
    return f.builder.mul(sum, f.builder.reduceMax(products, {.axes = {3}}));
  });
  keeps("gather gather mul mul add", [&](Fixture& f, const Operand& x) {  // two inputs
    const Operand low = gathered(f, x, 2, taps, 0), high = gathered(f, f.input({2, 3, 5, 4}), 2, taps, 1);
    return f.builder.add(f.builder.mul(low, weightsOf(f, x, 2, taps, 0)), f.builder.mul(high, weightsOf(f, x, 2, taps, 1)));
  });
  keeps("gather gather mul add", [&](Fixture& f, const Operand& x) {  // two axes
    const Taps columns = tapsOf(Coordinates::halfPixel, 4, 4), rows = tapsOf(Coordinates::halfPixel, 5, 5);
    const Operand low = gathered(f, x, 3, columns, 0), high = gathered(f, x, 2, rows, 0);
    return f.builder.add(f.builder.mul(low, f.constant({}, {2})), high);
  });
}

// Two gathered values, each multiplied by two numbers.
Operand scaledTwice(Fixture& f, double first, double second) {
  GraphBuilder& b = f.builder;
  const Operand x = f.input({2});
  const auto scaled = [&](const std::vector<Number>& indices) {
    const Operand gathered = b.gather(x, f.constant(DataType::int32, {2}, indices));
    return b.mul(b.mul(gathered, f.constant({}, {first})), f.constant({}, {second}));
  };
  const Operand a = scaled({0, 1});
  return b.add(a, scaled({1, 0}));
}

// Multiplying the two constants first could overflow, underflow, or avoid an overflow that the graph has.
TEST(RecogniseResampling, KeepsExtremeWeights) {
  struct Case {
    double first, second, x;
  };
  for (const Case& c : {Case{1e25, 1e25, 1e-30}, Case{1e-25, 1e-22, 1e30}, Case{1e30, 1e-30, 1e20}}) {
    SCOPED_TRACE(std::to_string(c.first));
    Fixture compiled, computed;
    EXPECT_EQ(operationsAfter(compiled, {scaledTwice(compiled, c.first, c.second)}, {recogniseResampling}).find("resample"),
              std::string::npos);
    expectCpuAgrees(computed, {scaledTwice(computed, c.first, c.second)},
                    {.relative = 1e-6, .absolute = 0, .inputs = {{"input0", {c.x, 2 * c.x}}}});
  }
}

// In b - a * 1e8 + a * 1e8, the difference rounds b away. If the weights of `a` were added first, they would cancel and b would
// remain.
TEST(RecogniseResampling, KeepsWeightsThatCancel) {
  const auto make = [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({2}), large = f.constant({}, {1e8});
    const Operand a = b.mul(b.gather(x, f.constant(DataType::int32, {2}, {0, 0})), large);
    return b.add(b.sub(b.gather(x, f.constant(DataType::int32, {2}, {1, 1})), a), a);
  };
  Fixture compiled, computed;
  EXPECT_EQ(operationsAfter(compiled, {make(compiled)}, {recogniseResampling}).find("resample"), std::string::npos);
  expectCpuAgrees(computed, {make(computed)}, {.relative = 1e-6, .absolute = 0, .inputs = {{"input0", {1.3, 2.1}}}});
}

TEST(RecogniseResampling, KeepsValuesThatAreOutputs) {
  const Taps taps = tapsOf(Coordinates::halfPixel, 6, 12);
  const auto check = [&](const std::string& operations,
                         const std::function<std::vector<Operand>(Fixture&, const Operand&)>& make) {
    Fixture f, g;
    EXPECT_EQ(operationsAfter(f, make(f, f.input({1, 6, 5, 3})), {recogniseResampling}), operations);
    expectCpuAgrees(g, make(g, g.input({1, 6, 5, 3})), kNear);
  };
  check("gather mul gather mul add", [&](Fixture& f, const Operand& x) {  // a product
    const Operand product = f.builder.mul(gathered(f, x, 1, taps, 0), weightsOf(f, x, 1, taps, 0));
    const Operand other = f.builder.mul(gathered(f, x, 1, taps, 1), weightsOf(f, x, 1, taps, 1));
    return std::vector<Operand>{f.builder.add(product, other), product};
  });
  check("resample resample", [&](Fixture& f, const Operand& x) {  // the result of the first axis
    const Operand rows = reduced(f, x, 1, taps);
    return std::vector<Operand>{rows, reduced(f, rows, 2, tapsOf(Coordinates::halfPixel, 5, 8))};
  });
}

// Quantized images are resampled without storing their floats.
TEST(RecogniseResampling, ResamplesBytes) {
  for (const std::uint32_t axis : {1U, 2U}) {
    for (const std::uint32_t count : {2U, 4U}) {
      const auto make = [&](Fixture& f) {
        const Operand scale = f.constant({1, 1, 1, 1}, {0.5}), zero = f.constant(DataType::uint8, {1, 1, 1, 1}, {120});
        const Operand x = f.builder.dequantizeLinear(f.input(DataType::uint8, {1, 9, 9, 9}), scale, zero);
        return f.builder.quantizeLinear(resizedImage(f, x, axis, Coordinates::alignCorners, 17, 33, count), scale, zero);
      };
      Fixture f, g;
      const std::vector<std::string> kernels = cpuKernels(f, {make(f)});
      ASSERT_EQ(kernels.size(), 1U);
      EXPECT_NE(kernels[0].find("quantized resample uint8 to uint8"), std::string::npos) << kernels[0];
      expectCpuAgrees(g, {make(g)}, {.low = 0, .high = 255, .integers = 1, .haveSameBytes = true});
    }
  }
}

// Resizes a tensor of rank 1 to 5 up to three times, each time along a random axis in a random form.
class RandomResizing {
 public:
  explicit RandomResizing(std::uint32_t seed) : dice_(seed) {}

  void run() {
    Shape shape;
    for (std::uint32_t rank = dice_.size(1, 5), i = 0; i < rank; ++i) shape.push_back(dice_.size(1, 9));
    if (dice_.oneIn(2)) shape.back() = dice_.of({16U, 17U, 40U, 70U});
    const int kind = dice_.from(0, 3);  // float16, bytes, or float32
    const DataType type = kind == 0 ? DataType::float16 : kind == 1 ? dice_.byte() : DataType::float32;
    Operand x = f_.input(type, shape);
    if (kind == 0) x = f_.builder.cast(x, DataType::float32);
    if (kind == 1) x = f_.builder.dequantizeLinear(x, scaleOf(shape), zeroPointOf(shape, type));
    for (int count = dice_.from(1, 3); count > 0; --count) x = resized(x);
    if (kind == 0 && !dice_.oneIn(4)) x = f_.builder.cast(x, DataType::float16);
    if (kind == 1 && !dice_.oneIn(4)) x = f_.builder.quantizeLinear(x, scaleOf(x.shape()), zeroPointOf(x.shape(), type));
    std::vector<Operand> outputs{x};
    if (isFloat(x.dataType()) && dice_.oneIn(3)) outputs.push_back(f_.builder.concat({x, f_.builder.neg(x), x}, axisOf(x)));
    expectCpuAgrees(f_, outputs,
                    {.low = -100, .high = 100, .seed = dice_.size(1, 999), .relative = 1e-5, .absolute = 2e-2, .integers = 1});
  }

 private:
  Operand scaleOf(const Shape& shape) { return f_.constant(Shape(shape.size(), 1), {0.5}); }
  Operand zeroPointOf(const Shape& shape, DataType type) { return f_.constant(type, Shape(shape.size(), 1), {7}); }
  std::uint32_t axisOf(const Operand& x) { return dice_.size(0, static_cast<int>(x.rank()) - 1); }

  Operand resized(const Operand& x) {
    const std::uint32_t axis = axisOf(x), size = x.shape()[axis];
    const int form = dice_.from(0, 2);
    Taps taps = form != 2 && dice_.oneIn(3)
                    ? randomTaps(dice_, size)
                    : tapsOf(kModes[dice_.from(0, 3)], size, dice_.size(1, 40), form == 2 ? 2 : dice_.of({2U, 4U}));
    return kForms[form](f_, x, axis, taps);
  }

  Dice dice_;
  Fixture f_;
};

TEST(RecogniseResampling, RandomGraphsAgree) { runSeeds<RandomResizing>(80); }

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
