// Tests operations on a convolution's result with channels last and a second operand of every rank and size.
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const CpuCase kNear{.relative = 1e-5, .absolute = 1e-5};

// Returns the result of a convolution. Its shape may have one element, one channel, one pixel, or several of each.
Operand map(Fixture& f, const Shape& shape) {
  return f.builder.conv2d(f.input({shape[0], 2, shape[2], shape[3]}), f.constant({shape[1], 2, 1, 1}, {0.5}));
}
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

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
