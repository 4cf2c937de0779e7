// Compares activations and softmax of the reference backend with independently computed values of their formulas.
#include <cmath>
#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::Fixture;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");
constexpr DataType kFloats[] = {DataType::float32, DataType::float16};

using Method = Operand (GraphBuilder::*)(Operand, OperatorOptions);

// Applies `method`, an activation of the builder with its own kind of options, to the numbers `x`; returns the results.
template <typename Options>
std::vector<Number> compute(Operand (GraphBuilder::*method)(Operand, Options), DataType type, const std::vector<Number>& x,
                            Options options = {}) {
  Fixture f;
  const Operand input = f.constant(type, {static_cast<std::uint32_t>(x.size())}, x);
  return test::evaluate(f, std::vector{(f.builder.*method)(input, std::move(options))})[0];
}

// Expects that the relative error is at most 2^-23.
void expectRelative(const Number& actual, double expected) {
  EXPECT_NEAR(actual.toDouble(), expected, std::fabs(expected) * 0x1p-23);
}

TEST(Activation, HasTheValuesOfItsFormula) {
  struct Row {
    Method method;
    double x, y;
  };
  const Row rows[] = {
      {&GraphBuilder::gelu, 0, 0},
      {&GraphBuilder::gelu, 1, 0.8413447460685429},
      {&GraphBuilder::gelu, -1, -0.15865525393145707},
      {&GraphBuilder::gelu, 3, 2.99595030590511},
      {&GraphBuilder::hardSwish, -4, 0},
      {&GraphBuilder::hardSwish, -1.5, -0.375},
      {&GraphBuilder::hardSwish, 1.5, 1.125},
      {&GraphBuilder::hardSwish, 4, 4},
      {&GraphBuilder::relu, -2.5, 0},
      {&GraphBuilder::relu, 2.5, 2.5},
      {&GraphBuilder::sigmoid, 0, 0.5},
      {&GraphBuilder::sigmoid, 2, 0.8807970779778823},
      {&GraphBuilder::sigmoid, -2, 0.11920292202211755},
      {&GraphBuilder::softplus, 0, 0.6931471805599453},
      {&GraphBuilder::softplus, 2, 2.1269280110429727},
      {&GraphBuilder::softplus, -2, 0.1269280110429726},
      {&GraphBuilder::softsign, 3, 0.75},
      {&GraphBuilder::softsign, -1, -0.5},
      {&GraphBuilder::tanh, 0.5, 0.46211715726000975},
      {&GraphBuilder::tanh, -2, -0.9640275800758169},
  };
  for (const Row& row : rows) {
    expectRelative(compute(row.method, DataType::float32, {row.x})[0], row.y);
    EXPECT_EQ(compute(row.method, DataType::float16, {row.x})[0].toDouble(), cast(row.y, DataType::float16).toDouble()) << row.y;
  }
}

TEST(Activation, KeepsItsLimitsAndPropagatesNaN) {
  struct Row {
    Method method;
    double atMinusInfinity, atInfinity;
  };
  const Row rows[] = {
      {&GraphBuilder::gelu, kNaN, kInfinity}, {&GraphBuilder::hardSwish, kNaN, kInfinity}, {&GraphBuilder::relu, 0, kInfinity},
      {&GraphBuilder::sigmoid, 0, 1},         {&GraphBuilder::softplus, 0, kInfinity},     {&GraphBuilder::softsign, kNaN, kNaN},
      {&GraphBuilder::tanh, -1, 1},
  };
  for (const Row& row : rows) {
    for (DataType type : kFloats) {
      EXPECT_EQ(compute(row.method, type, {-kInfinity, kInfinity, kNaN}),
                (std::vector<Number>{row.atMinusInfinity, row.atInfinity, kNaN}))
          << name(type) << " row " << &row - rows;
    }
  }
}

TEST(Activation, KeepsTheSignOfZeroAsItsFormulaDoes) {
  for (DataType type : kFloats) {
    EXPECT_EQ(compute(&GraphBuilder::tanh, type, {-0.0})[0], Number(-0.0));
    EXPECT_EQ(compute(&GraphBuilder::softsign, type, {-0.0})[0], Number(-0.0));
    EXPECT_EQ(compute(&GraphBuilder::relu, type, {-0.0})[0], Number(0.0));
  }
}

TEST(Softplus, DoesNotOverflowNear89) {
  for (double x : {88.0, 89.0, 90.0, 1000.0, 3e38})
    expectRelative(compute(&GraphBuilder::softplus, DataType::float32, {x})[0], x);
  EXPECT_EQ(compute(&GraphBuilder::softplus, DataType::float16, {12, 65504}), (std::vector<Number>{12.0, 65504.0}));
  expectRelative(compute(&GraphBuilder::softplus, DataType::float32, {-20})[0], 2.0611536181902037e-09);
  EXPECT_NEAR(compute(&GraphBuilder::softplus, DataType::float32, {-100})[0].toDouble(), 3.7200759760208356e-44, 0x1p-150);
}

TEST(Sigmoid, KeepsItsTails) {
  expectRelative(compute(&GraphBuilder::sigmoid, DataType::float32, {-20})[0], 2.0611536181902037e-09);
  EXPECT_NEAR(compute(&GraphBuilder::sigmoid, DataType::float32, {-100})[0].toDouble(), 3.7200759760208356e-44, 0x1p-150);
  EXPECT_EQ(compute(&GraphBuilder::sigmoid, DataType::float32, {-1000, 1000}), (std::vector<Number>{0.0, 1.0}));
}

TEST(Gelu, KeepsItsNegativeTail) {
  expectRelative(compute(&GraphBuilder::gelu, DataType::float32, {-5})[0], -1.4332578593959665e-06);
  expectRelative(compute(&GraphBuilder::gelu, DataType::float32, {-10})[0], -7.619853024160527e-23);
  EXPECT_EQ(compute(&GraphBuilder::gelu, DataType::float32, {10, 3e38}), (std::vector<Number>{10.0, static_cast<double>(3e38f)}));
}

TEST(Elu, NeedsExpm1NearZero) {
  expectRelative(compute(&GraphBuilder::elu, DataType::float32, {-1e-10}, EluOptions{})[0], -1e-10);
  expectRelative(compute(&GraphBuilder::elu, DataType::float32, {-1e-4}, EluOptions{})[0], -9.999500016666252e-05);
  EXPECT_EQ(compute(&GraphBuilder::elu, DataType::float16, {-0x1p-24}, EluOptions{})[0], Number(-0x1p-24));
}

TEST(Elu, HonoursAlpha) {
  for (DataType type : kFloats) {
    EXPECT_EQ(compute(&GraphBuilder::elu, type, {-kInfinity, 0, 2.5}, EluOptions{.alpha = 3}),
              (std::vector<Number>{-3.0, 0.0, 2.5}));
    EXPECT_EQ(compute(&GraphBuilder::elu, type, {-kInfinity, kNaN, kInfinity}, EluOptions{}),
              (std::vector<Number>{-1.0, kNaN, kInfinity}));
    EXPECT_EQ(compute(&GraphBuilder::elu, type, {-4, 4}, EluOptions{.alpha = 0}), (std::vector<Number>{0.0, 4.0}));
  }
  expectRelative(compute(&GraphBuilder::elu, DataType::float32, {-1}, EluOptions{.alpha = -2})[0], 1.2642411176571153);
}

TEST(LeakyRelu, HonoursAlpha) {
  for (DataType type : kFloats) {
    EXPECT_EQ(compute(&GraphBuilder::leakyRelu, type, {-8, 0, 8, kNaN}, LeakyReluOptions{.alpha = 0.25}),
              (std::vector<Number>{-2.0, 0.0, 8.0, kNaN}));
    EXPECT_EQ(compute(&GraphBuilder::leakyRelu, type, {-8, 8}, LeakyReluOptions{.alpha = -1}), (std::vector<Number>{8.0, 8.0}));
  }
  // The default alpha is the float32 or float16 number nearest to 0.01.
  EXPECT_EQ(compute(&GraphBuilder::leakyRelu, DataType::float32, {-1}, LeakyReluOptions{})[0],
            Number(-static_cast<double>(0.01f)));
  EXPECT_EQ(compute(&GraphBuilder::leakyRelu, DataType::float16, {-1}, LeakyReluOptions{})[0], Number(-0.01000213623046875));
}

TEST(HardSigmoid, HonoursAlphaAndBeta) {
  for (DataType type : kFloats) {
    EXPECT_EQ(
        compute(&GraphBuilder::hardSigmoid, type, {-9, -1, 0, 1, 9, kNaN}, HardSigmoidOptions{.alpha = 0.25, .beta = 0.375}),
        (std::vector<Number>{0.0, 0.125, 0.375, 0.625, 1.0, kNaN}));
    EXPECT_EQ(compute(&GraphBuilder::hardSigmoid, type, {7}, HardSigmoidOptions{.alpha = 0, .beta = 0.25})[0], Number(0.25));
  }
  // The default alpha is the number nearest to 0.2. In float32, it is above 0.2, so -2.5 gives less than 0, clamped to 0; in
  // float16, it is below 0.2, so -2.5 gives 2^-13.
  const std::vector<Number> x{-kInfinity, -2.5, 0, 2.5, kInfinity};
  EXPECT_EQ(compute(&GraphBuilder::hardSigmoid, DataType::float32, x, HardSigmoidOptions{}),
            (std::vector<Number>{0.0, 0.0, 0.5, 1.0, 1.0}));
  EXPECT_EQ(compute(&GraphBuilder::hardSigmoid, DataType::float16, x, HardSigmoidOptions{}),
            (std::vector<Number>{0.0, 0x1p-13, 0.5, 1.0, 1.0}));
}

TEST(Linear, HonoursAlphaAndBeta) {
  for (DataType type : kFloats) {
    EXPECT_EQ(compute(&GraphBuilder::linear, type, {-2, 0, 3}, LinearOptions{.alpha = 1.5, .beta = -1}),
              (std::vector<Number>{-4.0, -1.0, 3.5}));
    EXPECT_EQ(compute(&GraphBuilder::linear, type, {-2, 3}, LinearOptions{}), (std::vector<Number>{-2.0, 3.0}));
    EXPECT_EQ(compute(&GraphBuilder::linear, type, {kInfinity, 3}, LinearOptions{.alpha = 0, .beta = 2}),
              (std::vector<Number>{kNaN, 2.0}));
  }
}

TEST(Linear, OfFloat16IsRoundedOnce) {
  // 145 * 113 = 2^14 + 1, so the exact result is 1 + 2^-11 + 2^-25. If the product were rounded to float16, or the sum to
  // float32, the result would be half way between two neighbours and be rounded down to 1.
  EXPECT_EQ(
      compute(&GraphBuilder::linear, DataType::float16, {113 * 0x1p-13}, LinearOptions{.alpha = 145 * 0x1p-12, .beta = 1})[0],
      Number(1 + 0x1p-10));
}

TEST(Relu, OfIntegersStaysInteger) {
  EXPECT_EQ(compute(&GraphBuilder::relu, DataType::int8, {-128, -1, 0, 127}), (std::vector<Number>{0, 0, 0, 127}));
  EXPECT_EQ(compute(&GraphBuilder::relu, DataType::int32, {-2147483648LL, 16777217}), (std::vector<Number>{0, 16777217}));
  EXPECT_EQ(compute(&GraphBuilder::relu, DataType::int64, {-9007199254740993, 9007199254740993}),
            (std::vector<Number>{0, 9007199254740993}));
}

TEST(Prelu, OfIntegersStaysIntegerAndWraps) {
  const auto prelu = [](DataType type, const std::vector<Number>& x, const std::vector<Number>& slope) {
    Fixture f;
    const Shape shape{static_cast<std::uint32_t>(x.size())};
    return test::evaluate(f, std::vector{f.builder.prelu(f.constant(type, shape, x), f.constant(type, shape, slope))})[0];
  };
  EXPECT_EQ(prelu(DataType::int8, {-3, 5, -100, -128}, {2, 7, 3, -1}), (std::vector<Number>{-6, 5, -44, -128}));  // -300 + 256
  EXPECT_EQ(prelu(DataType::int32, {-2147483648LL, -3}, {2, 5}), (std::vector<Number>{0, -15}));
  EXPECT_EQ(prelu(DataType::int64, {-9007199254740993, 4}, {1, 9}), (std::vector<Number>{-9007199254740993, 4}));
  for (DataType type : kFloats) {
    EXPECT_EQ(prelu(type, {-4, 4, kNaN, -kInfinity}, {0.25, 0.25, 1, 2}), (std::vector<Number>{-1.0, 4.0, kNaN, -kInfinity}));
  }
}

TEST(Prelu, BroadcastsInputAndSlope) {
  Fixture f;
  const Operand input = f.constant({2, 1, 3}, {-1, -2, -3, -4, 5, -6}), slope = f.constant({2, 1}, {10, 100});
  EXPECT_EQ(test::evaluate(f, f.builder.prelu(input, slope)),
            (std::vector<double>{-10, -20, -30, -100, -200, -300, -40, 5, -60, -400, 5, -600}));
  Fixture g;
  EXPECT_EQ(test::evaluate(g, g.builder.prelu(g.constant({}, {-2}), g.constant({1, 3}, {1, 2, 3}))),
            (std::vector<double>{-2, -4, -6}));
}

std::vector<double> softmax(DataType type, Shape shape, const std::vector<Number>& x, std::uint32_t axis) {
  Fixture f;
  return test::evaluate(f, f.builder.softmax(f.constant(type, std::move(shape), x), axis));
}

TEST(Softmax, NormalizesAlongItsAxis) {
  // Along the axis, log(1), log(2) and log(5) give 1/8, 2/8 and 5/8.
  const double a = 0, b = std::log(2.0), c = std::log(5.0);
  const double tolerance = 1e-7;
  test::expectNear(softmax(DataType::float32, {3}, {a, b, c}, 0), {0.125, 0.25, 0.625}, tolerance);
  test::expectNear(softmax(DataType::float32, {2, 3}, {a, b, c, c, a, b}, 1), {0.125, 0.25, 0.625, 0.625, 0.125, 0.25},
                   tolerance);
  test::expectNear(softmax(DataType::float32, {3, 2}, {a, c, b, a, c, b}, 0), {0.125, 0.625, 0.25, 0.125, 0.625, 0.25},
                   tolerance);
  test::expectNear(softmax(DataType::float32, {2, 3, 2}, {a, b, b, c, c, a, c, c, a, b, b, a}, 1),
                   {0.125, 0.25, 0.25, 0.625, 0.625, 0.125, 0.625, 0.625, 0.125, 0.25, 0.25, 0.125}, tolerance);
  test::expectNear(softmax(DataType::float32, {1, 1, 1, 1, 3, 1, 1, 1}, {a, b, c}, 4), {0.125, 0.25, 0.625}, tolerance);
  test::expectNear(softmax(DataType::float16, {3}, {a, b, c}, 0), {0.125, 0.25, 0.625}, 0x1p-10);
  EXPECT_EQ(softmax(DataType::float16, {2, 2}, {7, 7, -3, -3}, 1), (std::vector<double>{0.5, 0.5, 0.5, 0.5}));
}

TEST(Softmax, OfAnAxisOfOneElementIsOne) {
  for (DataType type : kFloats) EXPECT_EQ(softmax(type, {2, 1}, {-5, 60000}, 1), (std::vector<double>{1, 1}));
}

TEST(Softmax, IsStableForLargeValues) {
  test::expectNear(softmax(DataType::float32, {3}, {1000, 1000, -1000}, 0), {0.5, 0.5, 0});
  test::expectNear(softmax(DataType::float32, {2}, {-3e38, -3e38}, 0), {0.5, 0.5});
  test::expectNear(softmax(DataType::float16, {2}, {65504, -65504}, 0), {1, 0});
}

TEST(Softmax, OfSpecialValuesFollowsTheDifferenceToTheMaximum) {
  for (DataType type : kFloats) {
    test::expectNear(softmax(type, {2, 2}, {-kInfinity, -kInfinity, 0, -kInfinity}, 1), {kNaN, kNaN, 1, 0});
    test::expectNear(softmax(type, {2, 2}, {kInfinity, 0, 1, 1}, 1), {kNaN, kNaN, 0.5, 0.5});
    test::expectNear(softmax(type, {2, 2}, {0, kNaN, 1, 1}, 1), {kNaN, kNaN, 0.5, 0.5});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
