// Compares matmul and gemm of the reference backend with sums that the test computes, and with numbers computed by hand.
#include <cmath>
#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::evaluate;
using test::expectNear;
using test::Fixture;
using Values = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

// Returns whole numbers from -4 to 4 without a pattern. Their products and sums are exact in every float type.
Values smallIntegers(const Shape& shape, std::uint32_t seed) {
  Values values(elementCount({DataType::float32, shape}));
  for (double& value : values) value = static_cast<double>(((seed = seed * 1664525 + 1013904223) >> 16) % 9) - 4;
  return values;
}

Operand constantOf(Fixture& f, DataType type, const Shape& shape, const Values& values) {
  return f.constant(type, shape, {values.begin(), values.end()});
}

Values matmul(DataType type, const Shape& shapeA, const Values& a, const Shape& shapeB, const Values& b) {
  Fixture f;
  return evaluate(f, f.builder.matmul(constantOf(f, type, shapeA, a), constantOf(f, type, shapeB, b)));
}

TEST(MatmulReference, MultipliesRowsByColumns) {
  const Values a{1, 2, 3, 4, 5, 6}, b{7, 8, 9, 10, 11, 12};
  EXPECT_EQ(matmul(DataType::float32, {2, 3}, a, {3, 2}, b), (Values{58, 64, 139, 154}));
  EXPECT_EQ(matmul(DataType::float32, {3, 2}, a, {2, 3}, b), (Values{27, 30, 33, 61, 68, 75, 95, 106, 117}));
  EXPECT_EQ(matmul(DataType::float16, {1, 6}, a, {6, 1}, b), (Values{217}));
  EXPECT_EQ(matmul(DataType::float32, {1, 1}, {3}, {1, 1}, {-4}), (Values{-12}));
}

// Returns the element [row, column] of the matrix that broadcasting selects for an output element with the coordinates `at`.
double broadcastAt(const Shape& shape, const Values& values, std::vector<std::size_t> at, std::size_t row, std::size_t column) {
  at.erase(at.begin(), at.end() - static_cast<std::ptrdiff_t>(shape.size()));
  at[at.size() - 2] = row;
  at[at.size() - 1] = column;
  std::size_t index = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + (shape[d] == 1 ? 0 : at[d]);
  return values.at(index);
}

// Tests shapes of rank 2 to 8, in which none, one or both of the operands are broadcast.
TEST(MatmulReference, BroadcastsTheLeadingDimensions) {
  struct Case {
    Shape a, b, output;
  };
  const Case cases[] = {
      {{2, 3}, {3, 4}, {2, 4}},
      {{5, 2, 3}, {3, 4}, {5, 2, 4}},
      {{2, 3}, {5, 3, 1}, {5, 2, 1}},
      {{5, 1, 2, 3}, {6, 3, 4}, {5, 6, 2, 4}},
      {{1, 6, 1, 3}, {5, 1, 3, 4}, {5, 6, 1, 4}},
      {{2, 1, 3, 2, 2}, {4, 1, 2, 3}, {2, 4, 3, 2, 3}},
      {{1, 1, 2, 1, 2, 3}, {3, 3}, {1, 1, 2, 1, 2, 3}},
      {{2, 1, 2, 1, 2, 1, 2}, {2, 1, 2, 1, 2, 2}, {2, 2, 2, 2, 2, 1, 2}},
      {{1, 2, 1, 3, 1, 2, 2, 3}, {2, 1, 2, 1, 2, 1, 3, 2}, {2, 2, 2, 3, 2, 2, 2, 2}},
  };
  for (const Case& c : cases) {
    const Values a = smallIntegers(c.a, 1), b = smallIntegers(c.b, 2);
    Values expected(elementCount({DataType::float32, c.output}));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::vector<std::size_t> at(c.output.size());
      for (std::size_t d = at.size(), rest = i; d-- > 0; rest /= c.output[d]) at[d] = rest % c.output[d];
      for (std::size_t k = 0; k < c.a.back(); ++k) {
        expected[i] += broadcastAt(c.a, a, at, at[at.size() - 2], k) * broadcastAt(c.b, b, at, k, at.back());
      }
    }
    SCOPED_TRACE(toString(c.a) + " " + toString(c.b));
    EXPECT_EQ(matmul(DataType::float32, c.a, a, c.b, b), expected);
    EXPECT_EQ(matmul(DataType::float16, c.a, a, c.b, b), expected);
  }
}

TEST(MatmulReference, AccumulatesInDoubleAndRoundsOnce) {
  EXPECT_EQ(matmul(DataType::float16, {1, 3}, {2048, 1, 1}, {3, 1}, {1, 1, 1}), (Values{2050}));
  EXPECT_EQ(matmul(DataType::float16, {1, 3}, {60000, 60000, -60000}, {3, 1}, {1, 1, 1}), (Values{60000}));
  EXPECT_EQ(matmul(DataType::float32, {1, 3}, {16777216, 1, 1}, {3, 1}, {1, 1, 1}), (Values{16777218}));
  EXPECT_EQ(matmul(DataType::float32, {1, 2}, {1e30, -1e30}, {2, 1}, {1e30, 1e30}), (Values{0}));
}

TEST(MatmulReference, NanAndInfinityReachTheirRowsAndColumns) {
  expectNear(matmul(DataType::float32, {2, 2}, {kNan, 1, 2, 3}, {2, 2}, {0, kInfinity, 0, 1}), {kNan, kNan, 0, kInfinity});
  expectNear(matmul(DataType::float32, {1, 2}, {0, 1}, {2, 1}, {kInfinity, 1}), {kNan});  // zeros are multiplied as well
  expectNear(matmul(DataType::float32, {1, 2}, {kInfinity, kInfinity}, {2, 1}, {1, -1}), {kNan});
}

Values gemm(DataType type, const Shape& shapeA, const Values& a, const Shape& shapeB, const Values& b, GemmOptions options = {},
            const Shape& shapeC = {}, const Values& c = {}) {
  Fixture f;
  if (!c.empty()) options.c = constantOf(f, type, shapeC, c);
  return evaluate(f, f.builder.gemm(constantOf(f, type, shapeA, a), constantOf(f, type, shapeB, b), std::move(options)));
}

TEST(GemmReference, TransposesItsOperands) {
  // The product is [1 2 3; 4 5 6] * [7 8; 9 10; 11 12]. Further arrays hold the same matrices by columns.
  const Values a{1, 2, 3, 4, 5, 6}, b{7, 8, 9, 10, 11, 12}, aByColumns{1, 4, 2, 5, 3, 6}, bByColumns{7, 9, 11, 8, 10, 12};
  const Values expected{58, 64, 139, 154};
  for (DataType type : {DataType::float32, DataType::float16}) {
    EXPECT_EQ(gemm(type, {2, 3}, a, {3, 2}, b), expected);
    EXPECT_EQ(gemm(type, {3, 2}, aByColumns, {3, 2}, b, {.aTranspose = true}), expected);
    EXPECT_EQ(gemm(type, {2, 3}, a, {2, 3}, bByColumns, {.bTranspose = true}), expected);
    EXPECT_EQ(gemm(type, {3, 2}, aByColumns, {2, 3}, bByColumns, {.aTranspose = true, .bTranspose = true}), expected);
  }
  // This is an outer product, whose result is not square.
  EXPECT_EQ(gemm(DataType::float32, {1, 3}, {1, 2, 3}, {2, 1}, {10, 100}, {.aTranspose = true, .bTranspose = true}),
            (Values{10, 100, 20, 200, 30, 300}));
}

TEST(GemmReference, BroadcastsCOfEveryRank) {
  const Values a{1, 2}, b{1, 10, 100};  // the product is 1 10 100; 2 20 200
  const auto with = [&](const Shape& shape, const Values& c) {
    return gemm(DataType::float32, {2, 1}, a, {1, 3}, b, {}, shape, c);
  };
  EXPECT_EQ(with({}, {0.5}), (Values{1.5, 10.5, 100.5, 2.5, 20.5, 200.5}));
  EXPECT_EQ(with({1}, {0.5}), (Values{1.5, 10.5, 100.5, 2.5, 20.5, 200.5}));
  EXPECT_EQ(with({1, 1}, {0.5}), (Values{1.5, 10.5, 100.5, 2.5, 20.5, 200.5}));
  EXPECT_EQ(with({3}, {3, 4, 5}), (Values{4, 14, 105, 5, 24, 205}));
  EXPECT_EQ(with({1, 3}, {3, 4, 5}), (Values{4, 14, 105, 5, 24, 205}));
  EXPECT_EQ(with({2, 1}, {3, 4}), (Values{4, 13, 103, 6, 24, 204}));
  EXPECT_EQ(with({2, 3}, {1, 2, 3, 4, 5, 6}), (Values{2, 12, 103, 6, 25, 206}));
}

TEST(GemmReference, ScalesTheProductByAlphaAndCByBeta) {
  const GemmOptions options{.alpha = 0.5, .beta = -2};
  EXPECT_EQ(gemm(DataType::float32, {2, 1}, {2, 4}, {1, 2}, {3, 5}, options, {2}, {10, 100}), (Values{-17, -195, -14, -190}));
  EXPECT_EQ(gemm(DataType::float16, {2, 1}, {2, 4}, {1, 2}, {3, 5}, options, {2}, {10, 100}), (Values{-17, -195, -14, -190}));
  EXPECT_EQ(gemm(DataType::float32, {2, 1}, {2, 4}, {1, 2}, {3, 5}, options), (Values{3, 5, 6, 10}));  // no c
  EXPECT_EQ(gemm(DataType::float32, {1, 1}, {2}, {1, 1}, {3}, {.beta = 0}, {}, {7}), (Values{6}));
}

TEST(GemmReference, CastsAlphaToTheTypeOfA) {
  // The float16 number nearest to 0.1 is 1638 / 2^14. Multiplied by 2^14, it is exact.
  EXPECT_EQ(gemm(DataType::float16, {1, 1}, {16384}, {1, 1}, {1}, {.alpha = 0.1}), (Values{1638}));
  EXPECT_EQ(gemm(DataType::float32, {1, 1}, {1}, {1, 1}, {1}, {.alpha = 0.1}), (Values{0.1f}));
}

TEST(GemmReference, AlphaOfZeroStillPropagatesNan) {
  const GemmOptions options{.alpha = 0};
  expectNear(gemm(DataType::float32, {2, 2}, {kNan, 1, 2, 3}, {2, 1}, {4, 5}, options, {}, {7}), {kNan, 7});
  expectNear(gemm(DataType::float32, {2, 2}, {kInfinity, 1, 2, 3}, {2, 1}, {4, 5}, options), {kNan, 0});
  expectNear(gemm(DataType::float16, {1, 1}, {1}, {1, 1}, {kNan}, options), {kNan});
}

TEST(GemmReference, BetaOfZeroStillPropagatesNan) {
  expectNear(gemm(DataType::float32, {1, 1}, {2}, {1, 2}, {3, 4}, {.beta = 0}, {2}, {kNan, 1}), {kNan, 8});
  expectNear(gemm(DataType::float32, {1, 1}, {2}, {1, 1}, {3}, {.beta = 0}, {1}, {kInfinity}), {kNan});
}

TEST(GemmReference, AccumulatesInDoubleAndRoundsOnce) {
  // 2048 + 1 - 2048 would be 0 if the product were rounded to float16 before c is added.
  EXPECT_EQ(gemm(DataType::float16, {1, 2}, {2048, 1}, {2, 1}, {1, 1}, {}, {}, {-2048}), (Values{1}));
  EXPECT_EQ(gemm(DataType::float16, {1, 2}, {60000, 60000}, {2, 1}, {1, 1}, {.alpha = 0.5}), (Values{60000}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
