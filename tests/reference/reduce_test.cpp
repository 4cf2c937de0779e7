#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/naive_groups.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::evaluate;
using test::expectNear;
using test::Fixture;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr auto kInt32Min = std::numeric_limits<std::int32_t>::min();
constexpr auto kInt32Max = std::numeric_limits<std::int32_t>::max();
constexpr auto kInt64Min = std::numeric_limits<std::int64_t>::min();
constexpr auto kInt64Max = std::numeric_limits<std::int64_t>::max();
constexpr auto kUint64Max = std::numeric_limits<std::uint64_t>::max();

const OptionalSizes kNoAxes = std::vector<std::uint32_t>{};
const std::vector<DataType> kEightTypes{DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                                        DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8};

using Numbers = std::vector<Number>;
using ReduceMethod = Operand (GraphBuilder::*)(Operand, ReduceOptions);

double toDouble(const Number& number) { return number.toDouble(); }

Number reduceAll(ReduceMethod method, DataType type, const Numbers& values) {
  Fixture fixture;
  const Operand input = fixture.constant(type, {static_cast<std::uint32_t>(values.size())}, values);
  return evaluate(fixture, std::vector<Operand>{(fixture.builder.*method)(input, {})})[0].at(0);
}

// Pairs a reduction with its definition, which is applied to a list of doubles.
struct Definition {
  ReduceMethod method;
  double (*compute)(const std::vector<double>&);
};

const std::vector<Definition> kDefinitions{
    {&GraphBuilder::reduceL1,
     [](const std::vector<double>& x) {
       double total = 0;
       for (double value : x) total += value < 0 ? -value : value;
       return total;
     }},
    {&GraphBuilder::reduceL2,
     [](const std::vector<double>& x) {
       double length = 0;
       for (double value : x) length = std::hypot(length, value);
       return length;
     }},
    {&GraphBuilder::reduceLogSum,
     [](const std::vector<double>& x) {
       double total = 0;
       for (double value : x) total += value;
       return std::log2(total) * std::log(2.0);
     }},
    {&GraphBuilder::reduceLogSumExp,
     [](const std::vector<double>& x) {
       double product = 1;  // log(exp(a) + exp(b) + ...) = a + log(1 + exp(b - a) + ...)
       for (std::size_t i = 1; i < x.size(); ++i) product += std::exp(x[i] - x[0]);
       return x[0] + std::log(product);
     }},
    {&GraphBuilder::reduceMax, [](const std::vector<double>& x) { return *std::ranges::max_element(x); }},
    {&GraphBuilder::reduceMean,
     [](const std::vector<double>& x) {
       double mean = 0;
       for (double value : x) mean += value / static_cast<double>(x.size());
       return mean;
     }},
    {&GraphBuilder::reduceMin, [](const std::vector<double>& x) { return *std::ranges::min_element(x); }},
    {&GraphBuilder::reduceProduct,
     [](const std::vector<double>& x) {
       double logs = 0;  // the values are positive
       for (double value : x) logs += std::log(value);
       return std::exp(logs);
     }},
    {&GraphBuilder::reduceSum,
     [](const std::vector<double>& x) {
       double total = 0;
       for (double value : x) total += value;
       return total;
     }},
    {&GraphBuilder::reduceSumSquare,
     [](const std::vector<double>& x) {
       double total = 0;
       for (double value : x) total += value * value;
       return total;
     }},
};

TEST(Reduce, AgreesWithTheDefinitionsOverAllSubsetsOfTheAxes) {
  const Shape shape{2, 3, 2, 4};
  std::vector<double> values;
  for (int i = 0; i < 48; ++i) values.push_back(0.5 + i * 11 % 48 / 32.0);  // distinct, positive, exact in float32
  for (const auto& axes : test::allSubsets(4)) {
    Fixture fixture;
    const Operand input = fixture.constant(shape, Numbers(values.begin(), values.end()));
    std::vector<Operand> outputs;
    for (const Definition& definition : kDefinitions) {
      outputs.push_back((fixture.builder.*definition.method)(input, {.axes = axes}));
      outputs.push_back((fixture.builder.*definition.method)(input, {.axes = axes, .keepDimensions = true}));
    }
    const auto results = evaluate(fixture, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      SCOPED_TRACE("reduction " + std::to_string(i / 2) + " along " + toString(axes));
      std::vector<double> expected, actual(results[i].size());
      for (const auto& [key, members] : test::naiveGroups(shape, axes)) {
        std::vector<double> group;
        for (const std::size_t member : members) group.push_back(values[member]);
        expected.push_back(kDefinitions[i / 2].compute(group));
      }
      std::ranges::transform(results[i], actual.begin(), toDouble);
      expectNear(actual, expected, 1e-6);
    }
  }
}

TEST(Reduce, DoesNotDependOnTheOrderOfTheAxes) {
  Fixture fixture;
  Numbers values;
  for (int i = 0; i < 24; ++i) values.emplace_back(i * i);
  const Operand input = fixture.constant({2, 3, 4}, values);
  const auto results = evaluate(fixture, std::vector<Operand>{fixture.builder.reduceSum(input, {.axes = {0, 2}}),
                                                              fixture.builder.reduceSum(input, {.axes = {2, 0}})});
  EXPECT_EQ(results[0], results[1]);
}

TEST(Reduce, ComputesEveryAllowedType) {
  struct Case {
    ReduceMethod method;
    std::size_t typeCount;  // the method takes the first `typeCount` types of kEightTypes
    Numbers expected;       // results for the rows [1, 2, 3] and [4, 5, 6]
  };
  const double e = std::exp(1.0), logSumExp = std::log(1 + e + e * e);
  const std::vector<Case> cases{
      {&GraphBuilder::reduceL1, 6, {6, 15}},
      {&GraphBuilder::reduceL2, 2, {std::sqrt(14.0), std::sqrt(77.0)}},
      {&GraphBuilder::reduceLogSum, 2, {std::log(6.0), std::log(15.0)}},
      {&GraphBuilder::reduceLogSumExp, 2, {1 + logSumExp, 4 + logSumExp}},
      {&GraphBuilder::reduceMax, 8, {3, 6}},
      {&GraphBuilder::reduceMean, 2, {2, 5}},
      {&GraphBuilder::reduceMin, 8, {1, 4}},
      {&GraphBuilder::reduceProduct, 6, {6, 120}},
      {&GraphBuilder::reduceSum, 6, {6, 15}},
      {&GraphBuilder::reduceSumSquare, 6, {14, 77}},
  };
  for (const Case& c : cases) {
    for (std::size_t i = 0; i < c.typeCount; ++i) {
      const DataType type = kEightTypes[i];
      SCOPED_TRACE(name(type));
      Fixture fixture;
      const Operand input = fixture.constant(type, {2, 3}, {1, 2, 3, 4, 5, 6});
      const Operand output = (fixture.builder.*c.method)(input, {.axes = {1}});
      Numbers rounded;  // the exact value, rounded once
      for (const Number& value : c.expected) rounded.push_back(cast(value, type));
      EXPECT_EQ(evaluate(fixture, std::vector<Operand>{output})[0], rounded);
    }
  }
}

TEST(Reduce, TakesEveryRankFrom0To8) {
  for (std::uint32_t rank = 0; rank <= 8; ++rank) {
    Fixture fixture;
    const int count = 1 << rank;
    Numbers values;
    for (int i = 0; i < count; ++i) values.emplace_back(i);
    const Operand input = fixture.constant(DataType::int32, Shape(rank, 2), values);
    std::vector<Operand> outputs{fixture.builder.reduceSum(input)};
    if (rank > 0) outputs.push_back(fixture.builder.reduceSum(input, {.axes = {0}}));
    const auto results = evaluate(fixture, outputs);
    EXPECT_EQ(results[0], (Numbers{count * (count - 1) / 2}));
    for (int i = 0; rank > 0 && i < count / 2; ++i) EXPECT_EQ(results[1].at(i), Number(2 * i + count / 2));
  }
}

TEST(Reduce, WithEmptyAxesReducesNothingButAppliesItsFunction) {
  Fixture fixture;
  const Operand input = fixture.constant({2}, {-2, 3});
  std::vector<Operand> outputs;
  for (const Definition& definition : kDefinitions) {
    outputs.push_back((fixture.builder.*definition.method)(input, {.axes = kNoAxes}));
  }
  const auto results = evaluate(fixture, outputs);
  const std::vector<std::vector<double>> expected{
      {2, 3}, {2, 3}, {kNaN, std::log(3.0)}, {-2, 3}, {-2, 3}, {-2, 3}, {-2, 3}, {-2, 3}, {-2, 3}, {4, 9}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    expectNear({toDouble(results[i].at(0)), toDouble(results[i].at(1))}, expected[i]);
  }
}

TEST(Reduce, AppliesItsFunctionToAScalar) {
  Fixture fixture;
  const Operand input = fixture.constant({}, {-3});
  const std::vector<Operand> outputs{fixture.builder.reduceL1(input), fixture.builder.reduceSumSquare(input),
                                     fixture.builder.reduceMax(input, {.axes = kNoAxes})};
  EXPECT_EQ(evaluate(fixture, outputs), (std::vector<Numbers>{{3}, {9}, {-3}}));
}

TEST(Reduce, WithoutAxesReducesEverything) {
  Fixture fixture;
  const Operand input = fixture.constant({2, 2}, {1, 2, 3, 4});
  const auto results = evaluate(fixture, std::vector<Operand>{fixture.builder.reduceMean(input),
                                                              fixture.builder.reduceMean(input, {.keepDimensions = true})});
  EXPECT_EQ(results, (std::vector<Numbers>{{2.5}, {2.5}}));
}

TEST(Reduce, KeepsTheSignOfALoneZero) {
  Fixture fixture;
  const Operand input = fixture.constant({1}, {-0.0});
  const std::vector<Operand> outputs{fixture.builder.reduceSum(input), fixture.builder.reduceMean(input),
                                     fixture.builder.reduceProduct(input), fixture.builder.reduceL1(input)};
  EXPECT_EQ(evaluate(fixture, outputs), (std::vector<Numbers>{{-0.0}, {-0.0}, {-0.0}, {0.0}}));
}

double inFloat32(ReduceMethod method, const Numbers& values) { return reduceAll(method, DataType::float32, values).toDouble(); }
double logSum(const Numbers& values) { return inFloat32(&GraphBuilder::reduceLogSum, values); }
double logSumExp(const Numbers& values) { return inFloat32(&GraphBuilder::reduceLogSumExp, values); }

TEST(ReduceLogSumExp, SubtractsTheMaximum) {
  const double log2 = std::log(2.0);
  expectNear({logSumExp({1000, 1000}), logSumExp({-1000, -1000}), logSumExp({1e38, 0}), logSumExp({-1e38, -1e38})},
             {1000 + log2, -1000 + log2, 1e38, -1e38}, 1e-7);
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceLogSumExp, DataType::float16, {60000, 60000}), Number(60000));
}

TEST(ReduceLogSumExp, FollowsInfinitiesAndNaN) {
  expectNear({logSumExp({kInfinity, 1}), logSumExp({-kInfinity, 1}), logSumExp({-kInfinity, -kInfinity}),
              logSumExp({kInfinity, -kInfinity}), logSumExp({kNaN, kInfinity}), logSumExp({-kInfinity, kNaN})},
             {kInfinity, 1, -kInfinity, kInfinity, kNaN, kNaN});
}

TEST(ReduceLogSum, TakesTheLogarithmOfZeroAndOfNegativeSums) {
  expectNear({logSum({1, -1}), logSum({1, -3}), logSum({kInfinity, 1})}, {-kInfinity, kNaN, kInfinity});
}

TEST(Reduce, FollowsInfinitiesAndNaN) {
  struct Case {
    ReduceMethod method;
    Numbers values;
    double expected;
  };
  const std::vector<Case> cases{
      {&GraphBuilder::reduceSum, {kInfinity, -kInfinity}, kNaN},
      {&GraphBuilder::reduceSum, {-kInfinity, 1}, -kInfinity},
      {&GraphBuilder::reduceMean, {kInfinity, 1}, kInfinity},
      {&GraphBuilder::reduceMean, {kNaN, 1}, kNaN},
      {&GraphBuilder::reduceProduct, {0, kInfinity}, kNaN},
      {&GraphBuilder::reduceL1, {-kInfinity, 1}, kInfinity},
      {&GraphBuilder::reduceL2, {-kInfinity, 1}, kInfinity},
      {&GraphBuilder::reduceL2, {kNaN, kInfinity}, kNaN},
      {&GraphBuilder::reduceMax, {-kInfinity, -1}, -1},
      {&GraphBuilder::reduceMin, {-kInfinity, -1}, -kInfinity},
      {&GraphBuilder::reduceMax, {1, kNaN, 2}, kNaN},
      {&GraphBuilder::reduceMin, {1, kNaN, 2}, kNaN},
      {&GraphBuilder::reduceMax, {kNaN, kInfinity}, kNaN},
      {&GraphBuilder::reduceMin, {-kInfinity, kNaN}, kNaN},
  };
  for (const Case& c : cases) {
    for (const DataType type : {DataType::float32, DataType::float16}) {
      expectNear({reduceAll(c.method, type, c.values).toDouble()}, {c.expected});
    }
  }
}

TEST(Reduce, AccumulatesWiderThanTheTypeAndRoundsOnce) {
  const Numbers ones(4096, 1);  // a float16 sum would stop at 2048
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceSum, DataType::float16, ones), Number(4096));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceMean, DataType::float16, ones), Number(1));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceL2, DataType::float16, {300, 400}), Number(500));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceMean, DataType::float16, {60000, 60000}), Number(60000));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceSum, DataType::float16, {60000, 60000}), Number(kInfinity));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceProduct, DataType::float16, {1024, 1024, 0.0009765625}), Number(1024));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceSum, DataType::float32, {16777216, 1, 1}), Number(16777218));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceSum, DataType::float32, {0x1p100, 1, -0x1p100 + 0x1p76}), Number(0x1p76));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceL2, DataType::float32, {3 * 0x1p120, 4 * 0x1p120}), Number(5 * 0x1p120));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceL2, DataType::float32, {3 * 0x1p-140, 4 * 0x1p-140}), Number(5 * 0x1p-140));
}

TEST(Reduce, WrapsIntegersAroundInTheirOwnWidth) {
  struct Case {
    ReduceMethod method;
    DataType type;
    Numbers values;
    Number expected;
  };
  const std::vector<Case> cases{
      {&GraphBuilder::reduceSum, DataType::int32, {kInt32Max, 1}, kInt32Min},
      {&GraphBuilder::reduceSum, DataType::int32, {kInt32Min, -1}, kInt32Max},
      {&GraphBuilder::reduceSum, DataType::uint32, {4294967295u, 2}, 1},
      {&GraphBuilder::reduceSum, DataType::int64, {kInt64Max, 2}, kInt64Min + 1},
      {&GraphBuilder::reduceSum, DataType::uint64, {kUint64Max, 2}, 1},
      {&GraphBuilder::reduceProduct, DataType::int32, {65536, 65536}, 0},
      {&GraphBuilder::reduceProduct, DataType::int32, {46341, 46341}, -2147479015},
      {&GraphBuilder::reduceProduct, DataType::int32, {kInt32Min, -1}, kInt32Min},
      {&GraphBuilder::reduceProduct, DataType::uint32, {65537, 65537}, 131073},
      {&GraphBuilder::reduceProduct, DataType::int64, {4294967296, 4294967296, 3}, 0},
      {&GraphBuilder::reduceProduct, DataType::uint64, {kUint64Max, kUint64Max}, 1},
      {&GraphBuilder::reduceSumSquare, DataType::int32, {46341}, -2147479015},
      {&GraphBuilder::reduceSumSquare, DataType::int64, {kInt64Min, 3}, 9},
      {&GraphBuilder::reduceSumSquare, DataType::uint32, {65536, 2}, 4},
      {&GraphBuilder::reduceL1, DataType::int32, {kInt32Min}, kInt32Min},  // 2^31 is not an int32
      {&GraphBuilder::reduceL1, DataType::int32, {kInt32Min, -1}, kInt32Min + 1},
      {&GraphBuilder::reduceL1, DataType::int32, {-5, 7, 0}, 12},
      {&GraphBuilder::reduceL1, DataType::int64, {kInt64Min, kInt64Min}, 0},
      {&GraphBuilder::reduceL1, DataType::uint32, {4294967295u, 4294967295u}, 4294967294u},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(reduceAll(cases[i].method, cases[i].type, cases[i].values), cases[i].expected) << "case " << i;
  }
}

TEST(Reduce, KeepsIntegersThatNoDoubleHolds) {
  const std::int64_t big = 9007199254740993;  // 2^53 + 1
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceSum, DataType::int64, {big, 0}), Number(big));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceProduct, DataType::int64, {big, 1}), Number(big));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceL1, DataType::int64, {-big, 0}), Number(big));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceMax, DataType::int64, {big - 1, big}), Number(big));
  EXPECT_EQ(reduceAll(&GraphBuilder::reduceMin, DataType::uint64, {kUint64Max, kUint64Max - 1}), Number(kUint64Max - 1));
}

TEST(ReduceMaxAndMin, ReachBothEndsOfEveryType) {
  struct Case {
    DataType type;
    Number lowest, highest;
  };
  const std::vector<Case> cases{{DataType::float32, -kInfinity, kInfinity},
                                {DataType::float16, -65504, 65504},
                                {DataType::int32, kInt32Min, kInt32Max},
                                {DataType::uint32, 0, 4294967295u},
                                {DataType::int64, kInt64Min, kInt64Max},
                                {DataType::uint64, 0, kUint64Max},
                                {DataType::int8, -128, 127},
                                {DataType::uint8, 0, 255}};
  for (const Case& c : cases) {
    SCOPED_TRACE(name(c.type));
    const Numbers values{1, c.highest, 2, c.lowest, 1};
    EXPECT_EQ(reduceAll(&GraphBuilder::reduceMax, c.type, values), c.highest);
    EXPECT_EQ(reduceAll(&GraphBuilder::reduceMin, c.type, values), c.lowest);
    EXPECT_EQ(reduceAll(&GraphBuilder::reduceMax, c.type, {c.lowest, c.lowest}), c.lowest);
    EXPECT_EQ(reduceAll(&GraphBuilder::reduceMin, c.type, {c.highest, c.highest}), c.highest);
  }
}

TEST(ReduceMaxAndMin, TakeMinusZeroAsTheSmallerZeroInAnyOrder) {
  for (const Numbers& zeros : {Numbers{0.0, -0.0}, Numbers{-0.0, 0.0}}) {
    EXPECT_EQ(reduceAll(&GraphBuilder::reduceMax, DataType::float32, zeros), Number(0.0));
    EXPECT_EQ(reduceAll(&GraphBuilder::reduceMin, DataType::float32, zeros), Number(-0.0));
  }
}

using ArgMethod = Operand (GraphBuilder::*)(Operand, std::uint32_t, ArgMinMaxOptions);

Number argOf(ArgMethod method, DataType type, const Numbers& values) {
  Fixture fixture;
  const Operand input = fixture.constant(type, {static_cast<std::uint32_t>(values.size())}, values);
  return evaluate(fixture, std::vector<Operand>{(fixture.builder.*method)(input, 0, {})})[0].at(0);
}

TEST(ArgMinMax, AgreesWithTheDefinitionAlongEveryAxis) {
  const Shape shape{3, 4, 5};
  Numbers values;
  for (int i = 0; i < 60; ++i) values.emplace_back(i * 23 % 60 - 30);  // distinct
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    for (const DataType outputType : {DataType::int32, DataType::int64}) {
      Fixture fixture;
      const Operand input = fixture.constant(DataType::int32, shape, values);
      const ArgMinMaxOptions options{.keepDimensions = axis == 1, .outputDataType = outputType};
      const std::vector<Operand> outputs{fixture.builder.argMin(input, axis, options),
                                         fixture.builder.argMax(input, axis, options)};
      Numbers least, greatest;
      for (const auto& [key, members] : test::naiveGroups(shape, {axis})) {
        const auto byValue = [&](std::size_t a, std::size_t b) { return values[a].toDouble() < values[b].toDouble(); };
        least.emplace_back(test::coordinatesOf(*std::ranges::min_element(members, byValue), shape)[axis]);
        greatest.emplace_back(test::coordinatesOf(*std::ranges::max_element(members, byValue), shape)[axis]);
      }
      EXPECT_EQ(evaluate(fixture, outputs), (std::vector<Numbers>{least, greatest})) << "axis " << axis;
    }
  }
}

TEST(ArgMinMax, TakesEveryTypeAndItsWholeRange) {
  struct Case {
    DataType type;
    Numbers values;  // the smallest at 3, the greatest at 1
  };
  const std::vector<Case> cases{
      {DataType::float32, {0, kInfinity, 1, -kInfinity}},
      {DataType::float16, {0, 65504, 1, -65504}},
      {DataType::int32, {0, kInt32Max, 1, kInt32Min}},
      {DataType::uint32, {1, 4294967295u, 2, 0}},
      {DataType::int64, {kInt64Min + 1, kInt64Max, kInt64Max - 1, kInt64Min}},
      {DataType::uint64, {1, kUint64Max, kUint64Max - 1, 0}},
      {DataType::int8, {0, 127, 1, -128}},
      {DataType::uint8, {1, 255, 127, 0}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(argOf(&GraphBuilder::argMin, c.type, c.values), Number(3)) << name(c.type);
    EXPECT_EQ(argOf(&GraphBuilder::argMax, c.type, c.values), Number(1)) << name(c.type);
  }
}

TEST(ArgMinMax, GivesTheFirstOfEqualValues) {
  for (const DataType type : kEightTypes) {
    EXPECT_EQ(argOf(&GraphBuilder::argMin, type, {5, 2, 2, 5}), Number(1)) << name(type);
    EXPECT_EQ(argOf(&GraphBuilder::argMax, type, {2, 5, 2, 5}), Number(1)) << name(type);
  }
  EXPECT_EQ(argOf(&GraphBuilder::argMin, DataType::float32, {0.0, -0.0}), Number(0));  // the zeros are equal
  EXPECT_EQ(argOf(&GraphBuilder::argMax, DataType::float32, {-0.0, 0.0}), Number(0));
}

TEST(ArgMinMax, GivesTheFirstNaN) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    EXPECT_EQ(argOf(&GraphBuilder::argMin, type, {-kInfinity, 3, kNaN, -5, kNaN}), Number(2));
    EXPECT_EQ(argOf(&GraphBuilder::argMax, type, {kInfinity, 3, kNaN, 5, kNaN}), Number(2));
    EXPECT_EQ(argOf(&GraphBuilder::argMax, type, {kNaN, 3}), Number(0));
  }
}

TEST(CumulativeSum, SumsAsInTheExampleOfTheSpecification) {
  Fixture fixture;
  const Operand input = fixture.constant({4}, {1, 2, 3, 4});
  GraphBuilder& builder = fixture.builder;
  const std::vector<Operand> outputs{builder.cumulativeSum(input, 0), builder.cumulativeSum(input, 0, {.exclusive = true}),
                                     builder.cumulativeSum(input, 0, {.reversed = true}),
                                     builder.cumulativeSum(input, 0, {.exclusive = true, .reversed = true})};
  EXPECT_EQ(evaluate(fixture, outputs), (std::vector<Numbers>{{1, 3, 6, 10}, {0, 1, 3, 6}, {10, 9, 7, 4}, {9, 7, 4, 0}}));
}

TEST(CumulativeSum, SumsAlongEveryAxisOfEveryTypeAndRank) {
  for (std::size_t typeIndex = 0; typeIndex < 6; ++typeIndex) {
    for (std::uint32_t rank = 1; rank <= 8; ++rank) {
      for (std::uint32_t axis = 0; axis < rank; ++axis) {
        Fixture fixture;
        Shape shape(rank, 1);
        shape[0] = 2;
        shape[rank / 2] = 3;
        shape[rank - 1] = 4;
        const std::size_t count = elementCount({DataType::int8, shape});
        Numbers values, expected(count);
        for (std::size_t i = 0; i < count; ++i) values.emplace_back(i * 5 % 7);
        for (const auto& [key, members] : test::naiveGroups(shape, {axis})) {
          std::size_t total = 0;
          for (const std::size_t member : members) expected[member] = Number(total += member * 5 % 7);
        }
        const Operand input = fixture.constant(kEightTypes[typeIndex], shape, values);
        const Operand output = fixture.builder.cumulativeSum(input, axis);
        EXPECT_EQ(evaluate(fixture, std::vector<Operand>{output})[0], expected) << "axis " << axis << " of " << toString(shape);
      }
    }
  }
}

// Returns the cumulative sums of `values` as a tensor of shape [n].
Numbers runningSum(DataType type, const Numbers& values, CumulativeSumOptions options = {}) {
  Fixture fixture;
  const Operand input = fixture.constant(type, {static_cast<std::uint32_t>(values.size())}, values);
  return evaluate(fixture, std::vector<Operand>{fixture.builder.cumulativeSum(input, 0, std::move(options))})[0];
}

TEST(CumulativeSum, ExcludesTheValueItselfInsteadOfSubtractingIt) {
  EXPECT_EQ(runningSum(DataType::float32, {kInfinity, 1}, {.exclusive = true}), (Numbers{0, kInfinity}));
  EXPECT_EQ(runningSum(DataType::float32, {1, kNaN}, {.exclusive = true}), (Numbers{0, 1}));
  EXPECT_EQ(runningSum(DataType::float32, {1, kNaN, 2}), (Numbers{1, kNaN, kNaN}));
  EXPECT_EQ(runningSum(DataType::float32, {7}, {.exclusive = true}), (Numbers{0}));
  EXPECT_EQ(runningSum(DataType::float32, {-0.0}), (Numbers{-0.0}));
}

TEST(CumulativeSum, AccumulatesWiderThanTheTypeAndRoundsOnce) {
  const Numbers sums = runningSum(DataType::float16, Numbers(4096, 1));  // a float16 sum would stop at 2048
  EXPECT_EQ(sums[2046], Number(2047));
  EXPECT_EQ(sums[2999], Number(3000));
  EXPECT_EQ(sums[4095], Number(4096));
  EXPECT_EQ(runningSum(DataType::float16, {60000, 60000, -60000}), (Numbers{60000, kInfinity, 60000}));
}

TEST(CumulativeSum, WrapsIntegersAroundInTheirOwnWidth) {
  EXPECT_EQ(runningSum(DataType::int32, {kInt32Max, 1, -1}), (Numbers{kInt32Max, kInt32Min, kInt32Max}));
  EXPECT_EQ(runningSum(DataType::uint32, {4294967295u, 2}), (Numbers{4294967295u, 1}));
  EXPECT_EQ(runningSum(DataType::int64, {kInt64Max, 2}), (Numbers{kInt64Max, kInt64Min + 1}));
  EXPECT_EQ(runningSum(DataType::uint64, {kUint64Max, 3}), (Numbers{kUint64Max, 2}));
  EXPECT_EQ(runningSum(DataType::int64, {9007199254740993, 0}, {.reversed = true}), (Numbers{9007199254740993, 0}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
