// Compares quantizeLinear and dequantizeLinear of the reference backend with numbers computed by hand and by formulas.
#include <cmath>
#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using enum DataType;
using test::evaluate;
using test::expectNear;
using test::Fixture;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct QuantizedType {
  DataType type;
  double min, max;
};
const std::vector<QuantizedType> kQuantizedTypes{{int4, -8, 7},
                                                 {uint4, 0, 15},
                                                 {int8, -128, 127},
                                                 {uint8, 0, 255},
                                                 {int32, -2147483648.0, 2147483647.0},
                                                 {uint32, 0, 4294967295.0}};
const std::vector<DataType> kFloatTypes{float32, float16};

// Quantizes a 1-D tensor with one scale and one zero point for all elements.
std::vector<double> quantize(DataType real, DataType integer, const std::vector<Number>& values, Number scale, Number zeroPoint) {
  Fixture f;
  const auto count = static_cast<std::uint32_t>(values.size());
  return evaluate(f, f.builder.quantizeLinear(f.constant(real, {count}, values), f.constant(real, {1}, {scale}),
                                              f.constant(integer, {1}, {zeroPoint})));
}
std::vector<double> dequantize(DataType real, DataType integer, const std::vector<Number>& values, Number scale,
                               Number zeroPoint) {
  Fixture f;
  const auto count = static_cast<std::uint32_t>(values.size());
  return evaluate(f, f.builder.dequantizeLinear(f.constant(integer, {count}, values), f.constant(real, {1}, {scale}),
                                                f.constant(integer, {1}, {zeroPoint})));
}

using Values = std::vector<double>;

TEST(QuantizeLinear, RoundsHalfToEvenBeforeItAddsTheZeroPoint) {
  for (const DataType real : kFloatTypes) {
    for (const QuantizedType& integer : kQuantizedTypes) {
      // The quotients 0.5, 1.5 and 2.5 round to 0, 2 and 2, and then the zero point 1 is added. Rounding after the addition would
      // give 2, 2 and 4.
      EXPECT_EQ(quantize(real, integer.type, {0.25, 0.75, 1.25, 1.5}, 0.5, 1), (Values{1, 3, 3, 4}));
    }
    for (const DataType integer : {int4, int8, int32}) {
      EXPECT_EQ(quantize(real, integer, {-0.25, -0.75, -1.25, -1.5, -1.0}, 0.5, -1), (Values{-1, -3, -3, -4, -3}));
    }
  }
}

TEST(QuantizeLinear, RoundsTheQuotientToFloat32First) {
  // The quotient is 81.49999936. As a float32 number it is 81.5, so the result is 82.
  EXPECT_EQ(quantize(float32, uint8, {5.2208251953125}, 0.06405920535326004, 0), (Values{82}));
}

TEST(QuantizeLinear, SaturatesAtTheEndsOfTheType) {
  for (const DataType real : kFloatTypes) {
    for (const QuantizedType& integer : kQuantizedTypes) {
      const Values expected{integer.max, integer.min, integer.max, integer.min};
      EXPECT_EQ(quantize(real, integer.type, {60000, -60000, kInfinity, -kInfinity}, 0x1p-20, 1), expected);
    }
  }
}

TEST(QuantizeLinear, ReachesTheEndsOfTheTypeFromTheZeroPoint) {
  for (const DataType real : kFloatTypes) {
    for (const QuantizedType& integer : kQuantizedTypes) {
      EXPECT_EQ(quantize(real, integer.type, {0, 1, -1}, 1, integer.max), (Values{integer.max, integer.max, integer.max - 1}));
      EXPECT_EQ(quantize(real, integer.type, {0, -1, 1}, 1, integer.min), (Values{integer.min, integer.min, integer.min + 1}));
    }
  }
}

TEST(QuantizeLinear, SaturatesTheSumAndNotTheQuotient) {
  // The quotients -100 (uint8) and 220 (int8) exceed the range of the type; their sums with the zero points do not.
  EXPECT_EQ(quantize(float32, uint8, {-100, -300}, 1, 200), (Values{100, 0}));
  EXPECT_EQ(quantize(float32, int8, {220, -200}, 1, -100), (Values{120, -128}));
  EXPECT_EQ(quantize(float32, int32, {4294967296.0}, 1, Number(std::int64_t{-2147483648})), (Values{2147483647.0}));
  EXPECT_EQ(quantize(float32, int32, {4294966784.0}, 1, Number(std::int64_t{-2147483648})), (Values{2147483136.0}));
}

TEST(QuantizeLinear, MakesNaNZero) {
  for (const DataType real : kFloatTypes) {
    for (const QuantizedType& integer : kQuantizedTypes) {
      EXPECT_EQ(quantize(real, integer.type, {kNaN}, 1, 3), (Values{0}));
      EXPECT_EQ(quantize(real, integer.type, {1}, kNaN, 3), (Values{0}));
    }
  }
}

TEST(QuantizeLinear, DividesByZeroAndByNegativeScales) {
  for (const DataType real : kFloatTypes) {
    for (const QuantizedType& integer : kQuantizedTypes) {
      EXPECT_EQ(quantize(real, integer.type, {1, -1, 0}, 0, 2), (Values{integer.max, integer.min, 0}));
    }
    EXPECT_EQ(quantize(real, int8, {1, -1, 0}, -0.25, 2), (Values{-2, 6, 2}));
    EXPECT_EQ(quantize(real, int8, {1, -1}, kInfinity, 2), (Values{2, 2}));
  }
}

TEST(QuantizeLinear, DividesBySubnormalScales) {
  EXPECT_EQ(quantize(float32, int8, {0x1p-147, 0x3p-149, -1}, 0x1p-149, 2), (Values{6, 5, -128}));
  EXPECT_EQ(quantize(float16, int8, {0x1p-22, 0x3p-24, -1}, 0x1p-24, 2), (Values{6, 5, -128}));
}

TEST(QuantizeLinear, KeepsLargeZeroPointsExactly) {
  // None of these zero points is a float32 number.
  EXPECT_EQ(quantize(float32, int32, {0, 1}, 1, 16777217), (Values{16777217, 16777218}));
  EXPECT_EQ(quantize(float32, int32, {0, 2}, 1, -2147483647), (Values{-2147483647, -2147483645}));
  EXPECT_EQ(quantize(float32, uint32, {0, -1}, 1, 4294967294u), (Values{4294967294.0, 4294967293.0}));
  EXPECT_EQ(quantize(float16, uint32, {0, -1}, 1, 4294967294u), (Values{4294967294.0, 4294967293.0}));
}

TEST(QuantizeLinear, DoesNotRoundTheQuotientToFloat16) {
  // 0.25 / 1638 * 16384 = 2.5006..., which is between the float16 numbers 2.5 and 2.50195.
  EXPECT_EQ(quantize(float16, uint8, {0.25}, 1638.0 / 16384, 0), (Values{3}));
}

TEST(DequantizeLinear, SubtractsTheZeroPointAndMultiplies) {
  for (const DataType real : kFloatTypes) {
    for (const QuantizedType& integer : kQuantizedTypes) {
      EXPECT_EQ(dequantize(real, integer.type, {0, 1, 5, 7}, 0.5, 5), (Values{-2.5, -2, 0, 1}));
      EXPECT_EQ(dequantize(real, integer.type, {0, 1}, -0.5, 5), (Values{2.5, 2}));
    }
    for (const DataType integer : {int4, int8, int32}) {
      EXPECT_EQ(dequantize(real, integer, {-8, 7, -1}, 0.25, -3), (Values{-1.25, 2.5, 0.5}));
    }
  }
}

TEST(DequantizeLinear, CoversTheWholeRangeWithoutOverflow) {
  for (const QuantizedType& integer : kQuantizedTypes) {
    const double span = integer.max - integer.min;
    EXPECT_EQ(dequantize(float32, integer.type, {integer.min}, 1, integer.max), (Values{static_cast<float>(-span)}));
    EXPECT_EQ(dequantize(float32, integer.type, {integer.max}, 1, integer.min), (Values{static_cast<float>(span)}));
  }
}

TEST(DequantizeLinear, SubtractsLargeIntegersExactly) {
  EXPECT_EQ(dequantize(float32, int32, {2147483647, -2147483647}, 0.5, 2147483646), (Values{0.5, -2147483648.0}));
  EXPECT_EQ(dequantize(float32, uint32, {4294967295u, 4294967293u}, 0.5, 4294967294u), (Values{0.5, -0.5}));
  EXPECT_EQ(dequantize(float16, int32, {100000001, 99999999}, 0.5, 100000000), (Values{0.5, -0.5}));
}

TEST(DequantizeLinear, HasTheTypeOfTheScaleAndRoundsOnce) {
  // 3 * fl16(0.1) = 0.2999267578125 is half way between two float16 numbers; the even one is 1228 / 4096.
  EXPECT_EQ(dequantize(float16, int8, {3}, 1638.0 / 16384, 0), (Values{1228.0 / 4096}));
  EXPECT_EQ(dequantize(float32, int8, {3}, 1638.0 / 16384, 0), (Values{4914.0 / 16384}));
}

TEST(DequantizeLinear, OverflowsToInfinity) {
  EXPECT_EQ(dequantize(float16, int32, {65504, 65519, 65520, -65520}, 1, 0), (Values{65504, 65504, kInfinity, -kInfinity}));
  EXPECT_EQ(dequantize(float32, int8, {2, -2}, 0x1.8p127, 0), (Values{kInfinity, -kInfinity}));
}

TEST(DequantizeLinear, MultipliesBySpecialScales) {
  for (const DataType real : kFloatTypes) {
    expectNear(dequantize(real, uint8, {1, 2, 3}, kInfinity, 2), {-kInfinity, kNaN, kInfinity});
    expectNear(dequantize(real, uint8, {1, 2, 3}, kNaN, 2), {kNaN, kNaN, kNaN});
    const Values zeros = dequantize(real, uint8, {1, 3}, 0, 2);
    EXPECT_EQ(zeros, (Values{0, 0}));
    EXPECT_TRUE(std::signbit(zeros[0]) && !std::signbit(zeros[1]));
  }
  EXPECT_EQ(dequantize(float32, uint8, {5}, 0x1p-149, 2), (Values{0x3p-149}));
}

// Returns the element of `blocks` that covers element `i` of `shape`, computed from the last dimension to the first.
std::size_t blockOf(std::size_t i, const Shape& shape, const Shape& blocks) {
  std::size_t block = 0, stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    block += (i % shape[d]) * blocks[d] / shape[d] * stride;
    stride *= blocks[d];
    i /= shape[d];
  }
  return block;
}

struct Blocks {
  Shape input, scale;
};
const std::vector<Blocks> kBlocks{{{}, {}},
                                  {{1}, {1}},
                                  {{6}, {1}},
                                  {{6}, {6}},
                                  {{6}, {3}},
                                  {{4, 6}, {2, 3}},
                                  {{4, 6}, {4, 1}},
                                  {{4, 6}, {1, 6}},
                                  {{4, 6}, {1, 2}},
                                  {{2, 4, 3}, {2, 2, 1}},
                                  {{2, 2, 2, 6}, {1, 2, 1, 3}},
                                  {{3, 1, 2, 2, 2}, {3, 1, 1, 2, 1}},
                                  {{2, 1, 2, 2, 2, 2}, {2, 1, 2, 1, 2, 1}},
                                  {{1, 2, 1, 3, 1, 2, 2}, {1, 1, 1, 3, 1, 1, 2}},
                                  {{2, 1, 2, 1, 4, 1, 2, 2}, {1, 1, 2, 1, 2, 1, 1, 2}}};

// These functions return values with no pattern that could hide a wrong index: input 0 to 7, zero point 0 to 3, scale 2, 1, 1/2
// or 1/4.
int inputAt(std::size_t i) { return static_cast<int>(i * 5 % 8); }
int zeroPointAt(std::size_t block) { return static_cast<int>(block * 3 % 4); }
double scaleAt(std::size_t block) { return std::ldexp(2.0, -static_cast<int>((block / 4 + block) % 4)); }

template <typename At>
std::vector<Number> fill(const Shape& shape, At at) {
  std::vector<Number> values;
  for (std::size_t i = 0; i < elementCount({float32, shape}); ++i) values.emplace_back(at(i));
  return values;
}

TEST(Quantize, SharesScaleAndZeroPointBlockWiseOverEveryTypeAndRank) {
  for (const auto& [input, scale] : kBlocks) {
    for (const DataType real : kFloatTypes) {
      for (const QuantizedType& integer : kQuantizedTypes) {
        SCOPED_TRACE(toString(OperandDescriptor{integer.type, input}) + " by " + toString(OperandDescriptor{real, scale}));
        Fixture f;
        const Operand scales = f.constant(real, scale, fill(scale, scaleAt));
        const Operand zeroPoints = f.constant(integer.type, scale, fill(scale, zeroPointAt));
        const std::vector<Operand> outputs{
            f.builder.quantizeLinear(f.constant(real, input, fill(input, inputAt)), scales, zeroPoints),
            f.builder.dequantizeLinear(f.constant(integer.type, input, fill(input, inputAt)), scales, zeroPoints)};
        const std::vector<std::vector<Number>> actual = evaluate(f, outputs);
        ASSERT_EQ(actual[0].size(), elementCount({float32, input}));
        for (std::size_t i = 0; i < actual[0].size(); ++i) {
          const std::size_t block = blockOf(i, input, scale);
          const double quotient = inputAt(i) / scaleAt(block);  // a multiple of 1/2, at most 28
          const double lower = std::floor(quotient);
          const double rounded = quotient - lower == 0.5 ? 2 * std::floor((lower + 1) / 2) : quotient;
          EXPECT_EQ(actual[0][i].toDouble(), std::min(rounded + zeroPointAt(block), integer.max)) << i;
          EXPECT_EQ(actual[1][i].toDouble(), (inputAt(i) - zeroPointAt(block)) * scaleAt(block)) << i;
        }
      }
    }
  }
}

TEST(Quantize, RepeatsEachValueOverItsBlockAndNotTheWholeRow) {
  // The specification's example: [1, 2, 3, 4, 5] becomes [1, 1, 2, 2, 3, 3, 4, 4, 5, 5].
  Fixture f;
  const Operand ones = f.constant(uint8, {10}, {1}), zeros = f.constant(uint8, {5}, {0});
  EXPECT_EQ(evaluate(f, f.builder.dequantizeLinear(ones, f.constant({5}, {1, 2, 3, 4, 5}), zeros)),
            (Values{1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
}

TEST(Quantize, GivesBackEveryValueOfTheSmallTypes) {
  for (const QuantizedType& integer : kQuantizedTypes) {
    if (integer.max > 255) continue;
    std::vector<Number> all;
    Values expected;
    for (double value = integer.min; value <= integer.max; ++value) {
      all.emplace_back(value);
      expected.push_back(value);
    }
    Fixture f;
    const auto count = static_cast<std::uint32_t>(all.size());
    const Operand scale = f.constant({1}, {0.1}), zeroPoint = f.constant(integer.type, {1}, {3});
    const Operand real = f.builder.dequantizeLinear(f.constant(integer.type, {count}, all), scale, zeroPoint);
    EXPECT_EQ(evaluate(f, f.builder.quantizeLinear(real, scale, zeroPoint)), expected);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
