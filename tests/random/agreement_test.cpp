// Tests which differences from the reference backend are allowed.
#include "random/agreement.h"

#include <cmath>
#include <limits>

#include "context/graph_state.h"
#include "support/support.h"

namespace webnn::random {
namespace WEBNN_TEST_FILE {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

Bytes floats(const std::vector<double>& values) {
  Bytes bytes(values.size() * sizeof(float));
  for (std::size_t i = 0; i < values.size(); ++i) setReal(DataType::float32, bytes, i, values[i]);
  return bytes;
}

// Makes the graph make(builder, x) with one input.
struct OneInput {
  test::Fixture fixture;
  Graph graph;
  Expected expected;

  template <typename Make>
  OneInput(const Shape& shape, const std::vector<double>& values, Make make) {
    const Operand x = fixture.input(DataType::float32, shape);
    graph = fixture.builder.build({{"y", make(fixture.builder, x)}});
    expected = expect(definition(), {floats(values)}, 1);
  }
  const GraphDefinition& definition() const { return *graph.state()->definition; }
  std::optional<std::string> differs(const std::vector<double>& actual) const {
    return difference(definition(), {floats(actual)}, expected);
  }
};

Operand one(GraphBuilder& builder) { return builder.constant(DataType::float32, 1.0); }

TEST(RandomAgreement, SumsOfSmallWholeNumbersMustBeEqual) {
  const OneInput sum({2}, {3, -3}, [](GraphBuilder& b, const Operand& x) { return b.mul(b.add(x, one(b)), x); });
  EXPECT_TRUE(sum.expected.isExact());
  EXPECT_EQ(sum.differs({12, 6}), std::nullopt);
  EXPECT_EQ(sum.differs({std::nextafter(12.0F, 13.0F), 6}),
            "output \"y\" float32[2]: element 0 is 12.000001 where the reference has 12 (must be equal)");
}

TEST(RandomAgreement, OtherResultsMayBeOffByRounding) {
  const OneInput exp({1}, {1}, [](GraphBuilder& b, const Operand& x) { return b.exp(x); });
  EXPECT_FALSE(exp.expected.isExact());
  EXPECT_EQ(exp.differs({std::exp(1.0)}), std::nullopt);
  EXPECT_EQ(exp.differs({std::exp(1.0) * (1 + 0x1p-22)}), std::nullopt);
  EXPECT_NE(exp.differs({std::exp(1.0) * (1 + 1e-5)}), std::nullopt);
}

TEST(RandomAgreement, DifferencesOfNearNumbersMayBeOffByMore) {
  const auto make = [](GraphBuilder& b, const Operand& x) { return b.sub(b.exp(x), b.constant(DataType::float32, 2.718281)); };
  const OneInput near({1}, {1}, make);
  EXPECT_EQ(near.differs({std::exp(1.0) - 2.718281 + 1e-6}), std::nullopt);
  EXPECT_NE(near.differs({std::exp(1.0) - 2.718281 + 1e-4}), std::nullopt);
}

TEST(RandomAgreement, NanAndInfinitiesMustBeWhereTheyAre) {
  const OneInput exp({3}, {kNan, kInfinity, 0}, [](GraphBuilder& b, const Operand& x) { return b.exp(x); });
  EXPECT_EQ(exp.differs({kNan, kInfinity, 1}), std::nullopt);
  EXPECT_NE(exp.differs({1, kInfinity, 1}), std::nullopt);
  EXPECT_NE(exp.differs({kNan, 3e38, 1}), std::nullopt);
  EXPECT_NE(exp.differs({kNan, -kInfinity, 1}), std::nullopt);
  EXPECT_NE(exp.differs({kNan, kNan, 1}), std::nullopt);
  EXPECT_NE(exp.differs({kNan, kInfinity, kNan}), std::nullopt);
}

TEST(RandomAgreement, AnythingIsRightWhereRoundingDecidesOnNan) {
  // 1 - exp(0) is 0, or slightly less if exp rounds up.
  const OneInput root({2}, {0, -1}, [](GraphBuilder& b, const Operand& x) { return b.sqrt(b.sub(one(b), b.exp(x))); });
  const double right = std::sqrt(1 - std::exp(-1.0));
  EXPECT_EQ(root.differs({kNan, right}), std::nullopt);
  EXPECT_EQ(root.differs({1e-4, right}), std::nullopt);
  EXPECT_NE(root.differs({0, kNan}), std::nullopt);
}

// Tests that a result which differs is compared again, with many runs of the reference backend. (x + y) - y is about three units
// in the last place of y. Errors of a few units make it positive, 0 or negative, so its logarithm is a number, -infinity or NaN.
TEST(RandomAgreement, DifferencesAreCheckedAgainWithManyRuns) {
  const auto seedsThatDiffer = [](double actual, bool isLookedAtAgain) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 64; ++seed) {
      OneInput sum({1}, {3e-6}, [](GraphBuilder& b, const Operand& x) {
        const Operand y = b.constant(DataType::float32, 10.0);
        return b.log(b.sub(b.add(x, y), y));
      });
      sum.expected = expect(sum.definition(), {floats({3e-6})}, seed);
      const std::vector<Bytes> bytes{floats({actual})};
      const auto text = isLookedAtAgain ? disagreement(sum.definition(), {floats({3e-6})}, seed, bytes, sum.expected)
                                        : difference(sum.definition(), bytes, sum.expected);
      count += text.has_value() ? 1 : 0;
    }
    return count;
  };
  EXPECT_GT(seedsThatDiffer(kNan, false), 0);
  EXPECT_EQ(seedsThatDiffer(kNan, true), 0);
  const OneInput wrong({1}, {2}, [](GraphBuilder& b, const Operand& x) { return b.sqrt(b.exp(x)); });
  Expected expected = wrong.expected;
  EXPECT_NE(disagreement(wrong.definition(), {floats({2})}, 1, {floats({std::exp(1.0) * 1.0001})}, expected), std::nullopt);
}

TEST(RandomAgreement, OneToThePowerOfNanIsOne) {
  const auto power = [](GraphBuilder& b, const Operand& x) { return b.pow(b.exp(x), b.constant(DataType::float32, kNan)); };
  EXPECT_EQ(OneInput({1}, {1e-8}, power).differs({1}), std::nullopt);
  EXPECT_EQ(OneInput({1}, {1e-8}, power).differs({kNan}), std::nullopt);
}

TEST(RandomAgreement, APowerOfNegativeZeroDependsOnTheExponent) {
  const auto power = [](GraphBuilder& b, const Operand& x) {
    return b.pow(b.constant(DataType::float32, -0.0), b.neg(b.exp(x)));
  };
  EXPECT_EQ(OneInput({1}, {1.0986123}, power).differs({-kInfinity}), std::nullopt);  // (-0)^-3, or infinity
  EXPECT_EQ(OneInput({1}, {1.0986123}, power).differs({kInfinity}), std::nullopt);
}

TEST(RandomAgreement, Float16UnderflowMayGiveZeroOrTheLeastNumber) {
  const auto make = [](GraphBuilder& b, const Operand& x) { return b.log(b.exp(b.cast(x, DataType::float16))); };
  const OneInput one({1}, {-17.5}, make);  // e^-17.5 is 0.42 times the smallest float16 number
  const auto halves = [](double value) {
    Bytes bytes(2);
    setReal(DataType::float16, bytes, 0, value);
    return std::vector<Bytes>{bytes};
  };
  EXPECT_EQ(difference(one.definition(), halves(-kInfinity), one.expected), std::nullopt);
  EXPECT_EQ(difference(one.definition(), halves(std::log(0x1p-24)), one.expected), std::nullopt);
}

// Tests a normalized value that rounding may change before a bias cancels it: the first result is 1.0000004 - 1, plus a
// rounding error of the 1.
TEST(RandomAgreement, ANormalizedValueIsRoundedBeforeABiasCancelsIt) {
  const auto make = [](GraphBuilder& b, const Operand& x) {
    const Operand bias = b.constant(OperandDescriptor{DataType::float32, {2}}, floats({1.0000004, 0}));
    LayerNormalizationOptions options{.bias = bias, .epsilon = 1e-30, .label = {}};
    options.axes = std::vector<std::uint32_t>{0};
    return b.layerNormalization(b.exp(x), options);
  };
  OneInput one({2}, {-1, 1}, make);
  const std::vector<Bytes> actual{floats({1.0000004 - 0.99999988, 1})};
  EXPECT_EQ(disagreement(one.definition(), {floats({-1, 1})}, 1, actual, one.expected), std::nullopt);
  const std::vector<Bytes> wrong{floats({1e-4, 1})};
  EXPECT_NE(disagreement(one.definition(), {floats({-1, 1})}, 1, wrong, one.expected), std::nullopt);
}

// Tests the largest of the reciprocals of zeros, which is -infinity if all zeros are negative.
TEST(RandomAgreement, AllZerosMayBeNegative) {
  const auto make = [](GraphBuilder& b, const Operand& x) {
    const Operand zeros = b.mul(b.exp(x), b.constant(DataType::float32, 0));
    return b.reduceMax(b.reciprocal(zeros));
  };
  const std::vector<double> values(32, 1);
  OneInput one({32}, values, make);
  EXPECT_EQ(disagreement(one.definition(), {floats(values)}, 1, {floats({-kInfinity})}, one.expected), std::nullopt);
}

// Tests that any result of x / mean(x * x) is accepted if all x are rounding errors: the quotient may be any large number.
TEST(RandomAgreement, QuotientsOfRoundingsAreAnything) {
  const auto make = [](GraphBuilder& b, const Operand& x) {
    const Operand y = b.softmax(x, 0), z = b.add(y, b.sub(b.constant(DataType::float32, 0.0427879), y));
    const Operand rest = b.sub(b.reduceMean(z, {.keepDimensions = true}), z);
    return b.mul(b.reciprocal(b.reduceMean(b.mul(rest, rest))), rest);
  };
  const std::vector<double> values{0.3, -1.2, 1.9723691, 0.7, -0.1, 0.25};
  OneInput one({6}, values, make);
  std::vector<double> actual(6, -7e9);
  EXPECT_EQ(disagreement(one.definition(), {floats(values)}, 1, {floats(actual)}, one.expected), std::nullopt);
}

TEST(RandomAgreement, TurnsOfLargeInexactNumbersSayNothing) {
  const auto make = [](GraphBuilder& b, const Operand& x) { return b.tan(b.exp(x)); };
  EXPECT_EQ(OneInput({1}, {20}, make).differs({-1e9}), std::nullopt);
  EXPECT_NE(OneInput({1}, {2}, make).differs({-1e9}), std::nullopt);
}

// Tests a division by a sum that may be 0: x / x is 1, or NaN if rounding makes x 0. Perturbing an x that is not 0 does not
// reveal this.
TEST(RandomAgreement, ASumThatCancelsMayBeAPole) {
  const auto disagrees = [](const Shape& shape, const std::vector<double>& values, const std::vector<double>& actual, auto make) {
    OneInput one(shape, values, make);
    return disagreement(one.definition(), {floats(values)}, 1, {floats(actual)}, one.expected).has_value();
  };
  const std::vector<double> cancelling{0.1, 0.3, 3.3333337, -1.1111112};
  const auto product = [](GraphBuilder& b, const Operand& x) {
    const Operand y = b.exp(b.log(b.abs(x)));  // inexact
    const Operand a = b.slice(y, {0}, {2}), c = b.mul(b.slice(y, {2}, {2}), b.sign(b.slice(x, {2}, {2})));
    const Operand sum = b.matmul(b.reshape(a, {1, 2}), b.reshape(c, {2, 1}));
    return b.div(sum, b.reduceMax(sum));
  };
  EXPECT_FALSE(disagrees({4}, cancelling, {kNan}, product));
  EXPECT_TRUE(disagrees({4}, {0.1, 0.3, 3.3333334, -1.111}, {kNan}, product));
  // Divides the maximum of several values by itself. Each value may be 0.
  const auto largest = [](GraphBuilder& b, const Operand& x) {
    const Operand y = b.exp(x);
    const Operand most = b.reduceMax(b.abs(b.sub(y, b.reduceMean(y, {.keepDimensions = true}))));
    return b.div(most, b.reshape(most, {}));
  };
  const std::vector<double> same{0.3, 0.3000001, 0.3, 0.3000001, 0.3, 0.3000002, 0.3, 0.3, 0.3000001};
  ASSERT_EQ(1, realAt(DataType::float32, OneInput({9}, same, largest).expected.bytes[0], 0));
  EXPECT_FALSE(disagrees({9}, same, {kNan}, largest));
  EXPECT_TRUE(disagrees({9}, {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.4}, {kNan}, largest));
}

TEST(RandomAgreement, PowersOfNegativeNumbersDependOnWhetherTheExponentIsWhole) {
  const auto power = [](GraphBuilder& b, const Operand& x) {
    const Operand exponent = b.exp(x);
    return b.pow(b.neg(exponent), exponent);
  };
  EXPECT_EQ(OneInput({1}, {0.69314718}, power).differs({4}), std::nullopt);  // (-2)^2, or NaN
  const auto root = [](GraphBuilder& b, const Operand& x) { return b.pow(b.exp(x), b.exp(x)); };
  EXPECT_NE(OneInput({1}, {0.69314718}, root).differs({4.01}), std::nullopt);
}

TEST(RandomAgreement, TheSignOfZeroIsFree) {
  const OneInput product({1}, {-1}, [](GraphBuilder& b, const Operand& x) { return b.mul(x, b.constant(DataType::float32, 0)); });
  EXPECT_EQ(product.differs({0.0}), std::nullopt);
  EXPECT_EQ(product.differs({-0.0}), std::nullopt);
}

TEST(RandomAgreement, QuantizedNumbersMayBeOneOffAtTies) {
  const auto quantized = [](double scale) {
    test::Fixture f;
    const Operand x = f.input(DataType::float32, {1});
    const Operand y =
        f.builder.quantizeLinear(x, f.constant(DataType::float32, {1}, {scale}), f.constant(DataType::int8, {1}, {0}));
    return f.builder.build({{"y", y}});
  };
  const Graph third = quantized(1.0 / 3), half = quantized(0.5);
  const Expected ofThird = expect(*third.state()->definition, {floats({0.5})}, 1);
  const auto is = [](int value) { return std::vector<Bytes>(1, Bytes(1, static_cast<std::byte>(value))); };
  EXPECT_EQ(difference(*third.state()->definition, is(1), ofThird), std::nullopt);
  EXPECT_NE(difference(*third.state()->definition, is(4), ofThird), std::nullopt);
  const Expected ofHalf = expect(*half.state()->definition, {floats({0.75})}, 1);
  EXPECT_EQ(difference(*half.state()->definition, is(2), ofHalf), std::nullopt);
  EXPECT_NE(difference(*half.state()->definition, is(1), ofHalf), std::nullopt);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::random
