// Tests that batch normalizations with constant statistics become part of a convolution or an element-wise program.
#include <cmath>

#include "backends/cpu/compile/pipeline.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::foldNormalizations, cpu::lowerNormalizations;

struct Statistics {
  std::vector<Number> mean{0.5, -2, 0.25}, variance{1, 0.0625, 4}, scale{1.5, -0.5, 2}, bias{0.125, 3, -1};
};

Operand normalized(Fixture& f, const Operand& x, std::uint32_t axis, const Statistics& s = {}) {
  const Shape channels{3};
  return f.builder.batchNormalization(
      x, f.constant(channels, s.mean), f.constant(channels, s.variance),
      {.scale = f.constant(channels, s.scale), .bias = f.constant(channels, s.bias), .axis = axis, .epsilon = 0.001});
}

Operand convolved(Fixture& f, const Conv2dOptions& options = {}) {
  return f.builder.conv2d(f.input({2, 2, 5, 4}), f.constant({3, 2, 3, 3}, {0.25}), options);
}

TEST(FoldNormalizations, ScalesTheWeightsOfAConvolution) {
  expectAfterPass(foldNormalizations, "conv2d relu", [](Fixture& f) { return f.builder.relu(normalized(f, convolved(f), 1)); });
}

TEST(FoldNormalizations, KeepsTheValuesInEveryLayout) {
  const auto check = [](const std::function<Operand(Fixture&)>& make) {
    Fixture f;
    const Operand y = make(f);
    expectCpuAgrees(f, {y}, {.relative = 1e-5, .absolute = 1e-5});
    Fixture again;
    EXPECT_EQ(operationsAfter(again, {make(again)}, {foldNormalizations}).find("batchNormalization"), std::string::npos);
  };
  check([](Fixture& f) { return normalized(f, convolved(f, {.bias = f.constant({3}, {1, 2, 3})}), 1); });
  check([](Fixture& f) {
    const Operand y =
        f.builder.conv2d(f.input({1, 5, 4, 2}), f.constant({3, 3, 2, 3}, {0.25}),
                         {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::hwio});
    return normalized(f, y, 3);
  });
  check([](Fixture& f) {
    return normalized(f, f.builder.conv2d(f.input({1, 3, 5, 4}), f.constant({3, 1, 3, 3}, {0.25}), {.groups = 3}), 1);
  });
  check([](Fixture& f) {
    return normalized(f, f.builder.convTranspose2d(f.input({1, 2, 3, 4}), f.constant({2, 3, 3, 3}, {0.25}), {.strides = {2, 2}}),
                      1);
  });
  check([](Fixture& f) {  // no bias, and a scale of 0 for one channel
    const Statistics s;
    return f.builder.batchNormalization(convolved(f), f.constant({3}, s.mean), f.constant({3}, s.variance),
                                        {.scale = f.constant({3}, {0, 1, 2}), .axis = 1});
  });
}

TEST(FoldNormalizations, KeepsNormalizationsThatWeightsCannotExpress) {
  const auto expectKept = [](const std::function<std::vector<Operand>(Fixture&)>& make) {
    Fixture f;
    EXPECT_NE(operationsAfter(f, make(f), {foldNormalizations}).find("batchNormalization"), std::string::npos);
  };
  expectKept([](Fixture& f) {  // the convolution has another user
    const Operand y = convolved(f);
    return std::vector{normalized(f, y, 1), f.builder.relu(y)};
  });
  expectKept([](Fixture& f) {  // the convolution is an output
    const Operand y = convolved(f);
    return std::vector{normalized(f, y, 1), y};
  });
  expectKept([](Fixture& f) {  // other axes than the channels'
    const Operand y = f.builder.conv2d(f.input({1, 2, 5, 5}), f.constant({3, 2, 3, 3}, {0.25}));
    return std::vector{normalized(f, y, 2)};
  });
  expectKept([](Fixture& f) {
    const Operand y = f.builder.conv2d(f.input({2, 2, 5, 4}), f.input({3, 2, 3, 3}));
    return std::vector{normalized(f, y, 1)};
  });
  expectKept([](Fixture& f) {
    return std::vector{f.builder.batchNormalization(convolved(f), f.input({3}), f.constant({3}, {1}), {.axis = 1})};
  });
  expectKept([](Fixture& f) { return std::vector{normalized(f, convolved(f), 1, {.scale = {1e12, 1, 1}})}; });
  expectKept([](Fixture& f) { return std::vector{normalized(f, convolved(f), 1, {.scale = {1e-20, 1, 1}})}; });
  expectKept([](Fixture& f) { return std::vector{normalized(f, convolved(f), 1, {.variance = {-1, 1, 1}})}; });
  expectKept([](Fixture& f) { return std::vector{normalized(f, convolved(f), 1, {.bias = {INFINITY, 1, 1}})}; });
  expectKept([](Fixture& f) {
    const Operand y = f.builder.conv2d(f.input({2, 2, 5, 4}), f.constant({3, 2, 3, 3}, {1e30}));
    return std::vector{normalized(f, y, 1)};
  });
}

TEST(LowerNormalizations, MakesElementWisePrograms) {
  expectAfterPass(lowerNormalizations, "relu fusedElementwise", [](Fixture& f) {
    return normalized(f, f.builder.relu(f.input({2, 3, 4, 5})), 1);
  });
}

TEST(LowerNormalizations, KeepsTheValuesOnEveryAxis) {
  for (const auto& [shape, axis] : std::vector<std::pair<Shape, std::uint32_t>>{
           {{3}, 0}, {{3, 7}, 0}, {{7, 3}, 1}, {{2, 3, 4, 5}, 1}, {{2, 4, 5, 3}, 3}, {{2, 4, 3, 5}, 2}, {{2, 3, 2, 3, 2}, 1}}) {
    Fixture f;
    const Operand x = f.input(shape);
    expectCpuAgrees(f, {normalized(f, x, axis), f.builder.tanh(normalized(f, f.builder.prelu(x, f.constant({}, {0.25})), axis))},
                    {.relative = 1e-5, .absolute = 1e-5});
  }
}

TEST(LowerNormalizations, SubtractsTheMeanFirst) {
  // x - mean is exact here, so that (x - mean) * factor is accurate. x * factor - mean * factor would lose most digits.
  Fixture f;
  const Operand x = f.constant({1, 3}, {1000001, -1000003, 1000002});
  const Operand zero = f.builder.mul(f.input({1, 3}), f.constant({}, {0}));
  const Operand y = f.builder.batchNormalization(f.builder.add(x, zero), f.constant({3}, {1000000, -1000000, 1000000}),
                                                 f.constant({3}, {9}), {.axis = 1, .epsilon = 0});
  expectCpuAgrees(f, {y}, {.relative = 1e-6, .absolute = 0});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
