// Tests pass chooseLayout: operations on a convolution's result and a second operand of many ranks and sizes, and convolutions of
// volumes.
#include "backends/cpu/compile/pipeline.h"
#include "cpu/cpu_support.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const CpuCase kNear{.relative = 1e-5, .absolute = 1e-5};

Operand map(Fixture& f, const Shape& shape) {
  return f.builder.conv2d(f.input({shape[0], 2, shape[2], shape[3]}), f.constant({shape[1], 2, 1, 1}, {0.5}));
}
// Results with one element, one channel, one pixel, and several channels and pixels.
const std::vector<Shape> kMaps{{1, 1, 1, 1}, {1, 1, 4, 5}, {1, 6, 1, 1}, {2, 3, 4, 5}};

// Shapes with one element, and shapes that broadcast to [2, 3, 4, 5].
const std::vector<Shape> kOthers{{},        {1},       {5},          {1, 1},       {4, 1},      {1, 1, 1},
                                 {3, 1, 1}, {3, 4, 5}, {1, 1, 1, 1}, {1, 3, 1, 1}, {2, 1, 1, 5}};

// The kind of the other operand: an input, a result or a constant.
enum class Made { given, computed, constant };
Operand other(Fixture& f, const Shape& shape, Made made) {
  if (made == Made::constant) return f.constant(shape, {0.75});
  const Operand input = f.input(shape);
  return made == Made::given ? input : f.builder.neg(input);
}

bool isBroadcastable(const Shape& a, const Shape& b) {
  for (std::size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const std::uint32_t x = a[a.size() - i], y = b[b.size() - i];
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}

template <typename Check>
void forEachPair(Check check) {
  for (const Shape& shape : kMaps) {
    for (const Shape& second : kOthers) {
      if (!isBroadcastable(shape, second)) continue;
      for (const Made made : {Made::given, Made::computed, Made::constant}) check(shape, second, made);
    }
  }
}

TEST(ChooseLayout, BinaryOperationsTakeAnyOperandBesideAMap) {
  forEachPair([](const Shape& shape, const Shape& second, Made made) {
    Fixture f;
    const Operand y = map(f, shape);
    expectCpuAgrees(f, {f.builder.sub(y, other(f, second, made)), f.builder.sub(other(f, second, made), y)}, kNear);
  });
}

TEST(ChooseLayout, WhereTakesAnyOperandBesideAMap) {
  forEachPair([](const Shape& shape, const Shape& second, Made made) {
    Fixture f;
    const Operand y = map(f, shape), x = other(f, second, made);
    expectCpuAgrees(f, {f.builder.where(f.builder.greater(y, x), x, y), f.builder.where(f.builder.lesser(x, y), y, x)}, kNear);
  });
}

TEST(ChooseLayout, PreluTakesAnySlopeAndIsOneOfAnyInput) {
  forEachPair([](const Shape& shape, const Shape& second, Made made) {
    Fixture f;
    const Operand y = map(f, shape), x = other(f, second, made);
    expectCpuAgrees(f, {f.builder.prelu(y, x), f.builder.prelu(x, y)}, kNear);
  });
}

TEST(ChooseLayout, OperandsOfHigherRankTakeTheMapAsItIs) {
  for (const Shape& shape : kMaps) {
    Fixture f;
    const Operand y = map(f, shape), x = f.input({2, 1, 1, 1, 1}), z = f.constant({2, 2, 1, 1, 1, 1}, {1, -2, 3, -4});
    GraphBuilder& b = f.builder;
    expectCpuAgrees(f, {b.prelu(y, x), b.prelu(x, y), b.prelu(y, z), b.mul(y, x), b.where(b.greater(y, x), z, y)}, kNear);
  }
}

TEST(ChooseLayout, SumsUpAWholeMapAndUsesTheResultWithIt) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand c = b.conv2d(f.input({1, 3, 8, 8}), f.constant({1, 3, 3, 3}, {0.1}), {.padding = {1, 1, 1, 1}});
  const Operand high = b.reduceMax(c, {.keepDimensions = true}), low = b.reduceMin(c, {.keepDimensions = true});
  const Operand pooled = b.averagePool2d(c);
  expectCpuAgrees(
      f, {b.div(b.sub(c, low), b.sub(high, low)), b.add(pooled, f.input({1, 1, 1, 1})), b.clamp(pooled, {.minValue = 0})}, kNear);
}

// Computes a 1x3x3 convolution of a volume [n, c, d, h, w] as a convolution of its slices.
Operand convolveSlices(Fixture& f, const Operand& volume) {
  GraphBuilder& b = f.builder;
  const Shape& shape = volume.shape();
  const std::uint32_t n = shape[0], c = shape[1], d = shape[2], h = shape[3], w = shape[4];
  const Operand slices = b.reshape(b.transpose(volume, {.permutation = {0, 2, 1, 3, 4}}), {n * d, c, h, w});
  const Operand y = b.conv2d(slices, f.input({c, c, 3, 3}), {.padding = {1, 1, 1, 1}});
  return b.transpose(b.reshape(y, {n, d, c, h, w}), {.permutation = {0, 2, 1, 3, 4}});
}

// Computes a 3x1x1 convolution of a volume as a 3x1 convolution of images [d, h*w].
Operand convolveDepth(Fixture& f, const Operand& volume) {
  GraphBuilder& b = f.builder;
  const Shape& shape = volume.shape();
  const std::uint32_t n = shape[0], c = shape[1], d = shape[2], h = shape[3], w = shape[4];
  const Operand y = b.conv2d(b.reshape(volume, {n, c, d, h * w}), f.input({c, c, 3, 1}), {.padding = {1, 1, 0, 0}});
  return b.reshape(y, {n, c, d, h, w});
}

TEST(ChooseLayout, TransposesVolumesOnlyAtTheBeginning) {
  expectAfterPass(cpu::chooseLayout, "transpose reshape transpose conv2d relu reshape conv2d add concat reshape reduceMean",
                  [](Fixture& f) {
                    GraphBuilder& b = f.builder;
                    const Operand y = b.relu(convolveSlices(f, f.input({2, 3, 4, 5, 6})));
                    const Operand z = b.add(convolveDepth(f, y), f.constant({3, 1, 1, 1}, {1, 2, 3}));
                    return b.reduceMean(b.concat({z, z}, 1), {.axes = {2, 3, 4}});
                  });
}

TEST(ChooseLayout, KeepsTheValuesOfVolumes) {
  const auto check = [](const std::function<Operand(Fixture&, const Operand&)>& after) {
    for (const auto convolve : {convolveSlices, convolveDepth}) {
      Fixture f;
      const Operand y = convolve(f, f.input({2, 3, 4, 5, 6}));
      expectCpuAgrees(f, {after(f, y)}, {.relative = 1e-5, .absolute = 1e-5});
    }
  };
  check([](Fixture&, const Operand& y) { return y; });
  check([](Fixture& f, const Operand& y) { return f.builder.softmax(y, 3); });
  check([](Fixture& f, const Operand& y) { return f.builder.concat({y, f.input({2, 3, 1, 5, 6}), y}, 2); });
  check([](Fixture& f, const Operand& y) { return f.builder.concat({y, convolveSlices(f, y)}, 1); });
  check([](Fixture& f, const Operand& y) { return f.builder.add(y, convolveDepth(f, y)); });
  check([](Fixture& f, const Operand& y) { return f.builder.add(y, convolveSlices(f, y)); });
  check([](Fixture& f, const Operand& y) { return f.builder.sub(f.input({}), y); });
  check([](Fixture& f, const Operand& y) { return f.builder.mul(y, f.constant({1, 1, 1, 1, 1}, {3})); });
  check([](Fixture& f, const Operand& y) { return f.builder.mul(y, f.constant({5, 6}, {0.75})); });
  check([](Fixture& f, const Operand& y) { return f.builder.mul(f.constant({7, 1, 1, 1, 1, 1}, {1, 2, 3, 4, 5, 6, 7}), y); });
  check([](Fixture& f, const Operand& y) { return f.builder.add(y, f.constant({6}, {1, 2, 3, 4, 5, 6})); });
  check([](Fixture& f, const Operand& y) { return f.builder.prelu(y, f.constant({3, 1, 1, 1}, {3, 1, 2})); });
  check([](Fixture& f, const Operand& y) { return f.builder.slice(y, {0, 1, 2, 0, 1}, {2, 2, 2, 5, 3}); });
  check([](Fixture& f, const Operand& y) { return f.builder.pad(y, {0, 1, 2, 0, 0}, {1, 0, 0, 3, 1}); });
  check([](Fixture& f, const Operand& y) { return f.builder.reduceSum(y, {.axes = {1, 3}, .keepDimensions = true}); });
  check([](Fixture& f, const Operand& y) { return f.builder.reduceSum(y, {.axes = {0, 3}}); });
  check([](Fixture& f, const Operand& y) { return f.builder.transpose(y, {.permutation = {0, 2, 3, 4, 1}}); });
  check([](Fixture& f, const Operand& y) { return f.builder.transpose(y, {.permutation = {0, 3, 2, 1, 4}}); });
  check([](Fixture& f, const Operand& y) { return f.builder.transpose(y, {.permutation = {1, 0, 2, 3, 4}}); });
  check([](Fixture& f, const Operand& y) { return f.builder.reshape(y, {2, 3, 2, 2, 30}); });
  check([](Fixture& f, const Operand& y) { return f.builder.reshape(y, {2, 12, 5, 6}); });
  check([](Fixture& f, const Operand& y) { return f.builder.reshape(y, {6, 120}); });
  check([](Fixture& f, const Operand& y) {
    return f.builder.where(f.builder.greater(y, f.constant({}, {0})), y, f.input({1, 3, 1, 1, 6}));
  });
  check([](Fixture& f, const Operand& y) {
    return f.builder.batchNormalization(y, f.input({3}), f.constant({3}, {1, 2, 3}), {.axis = 1});
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
