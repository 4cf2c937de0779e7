// Compares element-wise operations of one operand, cast and clamp of the reference backend with independent results.
#include <cmath>
#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::Fixture;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");
constexpr DataType kFloats[] = {DataType::float32, DataType::float16};
constexpr DataType kIntegers[] = {DataType::int32, DataType::uint32, DataType::int64, DataType::uint64,
                                  DataType::int8,  DataType::uint8,  DataType::int4,  DataType::uint4};
constexpr auto kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr auto kMaxUnsigned64 = std::numeric_limits<std::uint64_t>::max();

using Method = Operand (GraphBuilder::*)(Operand, OperatorOptions);

std::vector<Number> compute(Method method, DataType type, const std::vector<Number>& x) {
  Fixture f;
  const Operand input = f.constant(type, {static_cast<std::uint32_t>(x.size())}, x);
  return test::evaluate(f, std::vector{(f.builder.*method)(input, {})})[0];
}

std::vector<double> toDoubles(const std::vector<Number>& numbers) {
  std::vector<double> values;
  for (const Number& number : numbers) values.push_back(number.toDouble());
  return values;
}

TEST(Unary, OfFloatsHasTheValuesOfMathematicalTables) {
  struct Row {
    Method method;
    double x, y;
  };
  const Row rows[] = {
      {&GraphBuilder::cos, 1, 0.5403023058681398},
      {&GraphBuilder::cos, -100, 0.8623188722876839},
      {&GraphBuilder::sin, 1, 0.8414709848078965},
      {&GraphBuilder::sin, 100, -0.5063656411097588},
      {&GraphBuilder::tan, 1, 1.5574077246549023},
      {&GraphBuilder::tan, -0.5, -0.5463024898437905},
      {&GraphBuilder::exp, 1, 2.718281828459045},
      {&GraphBuilder::exp, -2, 0.1353352832366127},
      {&GraphBuilder::log, 10, 2.302585092994046},
      {&GraphBuilder::log, 0.5, -0.6931471805599453},
      {&GraphBuilder::erf, 0.5, 0.5204998778130465},
      {&GraphBuilder::erf, -2, -0.9953222650189527},
      {&GraphBuilder::sqrt, 2, 1.4142135623730951},
      {&GraphBuilder::sqrt, 144, 12},
      {&GraphBuilder::reciprocal, 8, 0.125},
      {&GraphBuilder::reciprocal, -3, -0.3333333333333333},
      {&GraphBuilder::ceil, 1.25, 2},
      {&GraphBuilder::ceil, -1.75, -1},
      {&GraphBuilder::floor, 1.75, 1},
      {&GraphBuilder::floor, -1.25, -2},
      {&GraphBuilder::abs, -2.5, 2.5},
      {&GraphBuilder::neg, 2.5, -2.5},
      {&GraphBuilder::sign, -2.5, -1},
      {&GraphBuilder::sign, 0x1p-24, 1},
      {&GraphBuilder::identity, -2.5, -2.5},
  };
  for (const Row& row : rows) {
    test::expectNear(toDoubles(compute(row.method, DataType::float32, {row.x})), {row.y}, 0x1p-24);
    EXPECT_EQ(compute(row.method, DataType::float16, {row.x})[0], cast(row.y, DataType::float16)) << row.y;
  }
}

TEST(Unary, FollowsIeeeAtSpecialValues) {
  struct Row {
    Method method;
    double x, y;
  };
  const Row rows[] = {
      {&GraphBuilder::abs, -0.0, 0.0},
      {&GraphBuilder::abs, -kInfinity, kInfinity},
      {&GraphBuilder::neg, 0.0, -0.0},
      {&GraphBuilder::neg, -0.0, 0.0},
      {&GraphBuilder::neg, kInfinity, -kInfinity},
      {&GraphBuilder::ceil, -0.5, -0.0},
      {&GraphBuilder::ceil, kInfinity, kInfinity},
      {&GraphBuilder::floor, -0.0, -0.0},
      {&GraphBuilder::floor, -0.5, -1},
      {&GraphBuilder::roundEven, -0.25, -0.0},
      {&GraphBuilder::roundEven, kInfinity, kInfinity},
      {&GraphBuilder::exp, -kInfinity, 0.0},
      {&GraphBuilder::exp, kInfinity, kInfinity},
      {&GraphBuilder::exp, -0.0, 1},
      {&GraphBuilder::exp, 100, kInfinity},
      {&GraphBuilder::log, 0, -kInfinity},
      {&GraphBuilder::log, -0.0, -kInfinity},
      {&GraphBuilder::log, -1, kNaN},
      {&GraphBuilder::log, kInfinity, kInfinity},
      {&GraphBuilder::sqrt, -0.0, -0.0},
      {&GraphBuilder::sqrt, -1, kNaN},
      {&GraphBuilder::reciprocal, 0, kInfinity},
      {&GraphBuilder::reciprocal, -0.0, -kInfinity},
      {&GraphBuilder::reciprocal, -kInfinity, -0.0},
      {&GraphBuilder::sin, kInfinity, kNaN},
      {&GraphBuilder::cos, -kInfinity, kNaN},
      {&GraphBuilder::tan, kInfinity, kNaN},
      {&GraphBuilder::sin, -0.0, -0.0},
      {&GraphBuilder::erf, kInfinity, 1},
      {&GraphBuilder::erf, -kInfinity, -1},
      {&GraphBuilder::erf, -0.0, -0.0},
      {&GraphBuilder::sign, -0.0, 0.0},
      {&GraphBuilder::sign, kNaN, 0.0},
      {&GraphBuilder::sign, -kInfinity, -1},
      {&GraphBuilder::identity, -0.0, -0.0},
      {&GraphBuilder::identity, kNaN, kNaN},
  };
  for (const Row& row : rows) {
    for (DataType type : kFloats) {
      EXPECT_EQ(compute(row.method, type, {row.x})[0], Number(row.y)) << name(type) << " row " << &row - rows << ": " << row.y;
    }
  }
}

TEST(Unary, PropagatesNaNButForSign) {
  for (Method method :
       {&GraphBuilder::abs, &GraphBuilder::ceil, &GraphBuilder::cos, &GraphBuilder::erf, &GraphBuilder::exp, &GraphBuilder::floor,
        &GraphBuilder::identity, &GraphBuilder::log, &GraphBuilder::neg, &GraphBuilder::reciprocal, &GraphBuilder::roundEven,
        &GraphBuilder::sin, &GraphBuilder::sqrt, &GraphBuilder::tan}) {
    for (DataType type : kFloats) EXPECT_EQ(compute(method, type, {kNaN})[0], Number(kNaN)) << name(type);
  }
}

TEST(Exp, OfFloat32KeepsSubnormalResults) {
  const double y = compute(&GraphBuilder::exp, DataType::float32, {-100})[0].toDouble();
  EXPECT_NEAR(y, 3.7200759760208356e-44, 0x1p-150);  // half of the smallest subnormal
}

TEST(RoundEven, TakesHalvesToEven) {
  for (DataType type : kFloats) {
    EXPECT_EQ(compute(&GraphBuilder::roundEven, type, {0.125, 0.875, 1.125, 1.875, -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5}),
              (std::vector<Number>{0.0, 1.0, 1.0, 2.0, -4.0, -2.0, -2.0, -0.0, 0.0, 2.0, 2.0, 4.0}));
  }
  EXPECT_EQ(compute(&GraphBuilder::roundEven, DataType::float32, {8388609, 4194304.5, 4194305.5}),
            (std::vector<Number>{8388609.0, 4194304.0, 4194306.0}));
}

TEST(AbsNegSign, OfIntegersStayIntegersAndWrap) {
  EXPECT_EQ(compute(&GraphBuilder::abs, DataType::int8, {-128, -127, 0, 127}), (std::vector<Number>{-128, 127, 0, 127}));
  EXPECT_EQ(compute(&GraphBuilder::neg, DataType::int8, {-128, -127, 0, 127}), (std::vector<Number>{-128, 127, 0, -127}));
  EXPECT_EQ(compute(&GraphBuilder::sign, DataType::int8, {-128, -1, 0, 127}), (std::vector<Number>{-1, -1, 0, 1}));
  EXPECT_EQ(compute(&GraphBuilder::abs, DataType::int32, {-2147483648LL, -2147483647}),
            (std::vector<Number>{-2147483648LL, 2147483647}));
  EXPECT_EQ(compute(&GraphBuilder::neg, DataType::int32, {-2147483648LL, 16777217}),
            (std::vector<Number>{-2147483648LL, -16777217}));
  EXPECT_EQ(compute(&GraphBuilder::sign, DataType::int32, {-2147483648LL, 0, 2147483647}), (std::vector<Number>{-1, 0, 1}));
  EXPECT_EQ(compute(&GraphBuilder::abs, DataType::int64, {kMin64, -9007199254740993}),
            (std::vector<Number>{kMin64, 9007199254740993}));
  EXPECT_EQ(compute(&GraphBuilder::neg, DataType::int64, {kMin64, kMax64}), (std::vector<Number>{kMin64, -kMax64}));
  EXPECT_EQ(compute(&GraphBuilder::sign, DataType::int64, {kMin64, 0, kMax64}), (std::vector<Number>{-1, 0, 1}));
}

TEST(Unary, WorksAtEveryRank) {
  Shape shape;
  std::vector<Number> x{3};
  for (std::size_t rank = 0; rank <= kMaxRank; ++rank) {
    Fixture f;
    std::vector<double> expected;
    for (const Number& value : x) expected.push_back(-value.toDouble());
    EXPECT_EQ(test::evaluate(f, f.builder.neg(f.constant(DataType::int32, shape, x))), expected) << toString(shape);
    if (rank % 2 == 0) x.insert(x.end(), {5, -7, 9, 2}), x.resize(x.size() - x.size() % 2);
    const auto size = static_cast<std::uint32_t>(x.size());
    shape = Shape(rank, 1);
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(rank / 2), size);
  }
}

TEST(Identity, KeepsEveryTypeAndTheBitsOfNaN) {
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    EXPECT_EQ(toDoubles(compute(&GraphBuilder::identity, static_cast<DataType>(i), {1, 7, 0})), (std::vector<double>{1, 7, 0}));
  }
  EXPECT_EQ(compute(&GraphBuilder::identity, DataType::int4, {-8, -1, 7}), (std::vector<Number>{-8, -1, 7}));
  EXPECT_EQ(compute(&GraphBuilder::identity, DataType::int64, {9007199254740993, kMin64}),
            (std::vector<Number>{9007199254740993, kMin64}));
  Fixture f;
  const Operand input = f.builder.constant<std::uint16_t>({DataType::float16, {2}}, {0xFD23, 0x7C01});
  const Graph graph = f.builder.build({{"y", f.builder.identity(input)}});
  const Tensor tensor = f.context.createTensor({.dataType = DataType::float16, .shape = {2}, .readable = true});
  f.context.dispatch(graph, {}, {{"y", tensor}});
  EXPECT_EQ(f.context.read<std::uint16_t>(tensor), (std::vector<std::uint16_t>{0xFD23, 0x7C01}));
}

TEST(LogicalNot, TakesAnyNonZeroValueAsTrue) {
  EXPECT_EQ(compute(&GraphBuilder::logicalNot, DataType::uint8, {0, 1, 2, 255}), (std::vector<Number>{1, 0, 0, 0}));
}

TEST(IsNaNAndIsInfinite, TellSpecialValuesFromNumbers) {
  for (DataType type : kFloats) {
    const std::vector<Number> x{kNaN, -kNaN, kInfinity, -kInfinity, 65504, -0.0, 0x1p-24};
    EXPECT_EQ(compute(&GraphBuilder::isNaN, type, x), (std::vector<Number>{1, 1, 0, 0, 0, 0, 0})) << name(type);
    EXPECT_EQ(compute(&GraphBuilder::isInfinite, type, x), (std::vector<Number>{0, 0, 1, 1, 0, 0, 0})) << name(type);
  }
  for (DataType type : {DataType::int32, DataType::uint32, DataType::int64, DataType::uint64, DataType::int8, DataType::uint8}) {
    EXPECT_EQ(compute(&GraphBuilder::isNaN, type, {0, 127}), (std::vector<Number>{0, 0})) << name(type);
    EXPECT_EQ(compute(&GraphBuilder::isInfinite, type, {0, 127}), (std::vector<Number>{0, 0})) << name(type);
  }
}

std::vector<Number> castAll(DataType from, DataType to, const std::vector<Number>& x) {
  Fixture f;
  const Operand input = f.constant(from, {static_cast<std::uint32_t>(x.size())}, x);
  return test::evaluate(f, std::vector{f.builder.cast(input, to)})[0];
}

#ifdef __SIZEOF_INT128__  // not available on 32-bit systems

__extension__ typedef __int128 Int128;

// Returns the smallest and the greatest value of an integer type.
std::pair<Int128, Int128> rangeOf(DataType type) {
  const Int128 count = Int128{1} << bitsPerElement(type);
  if (name(type)[0] == 'u') return {0, count - 1};
  return {-(count / 2), count / 2 - 1};
}

Number toNumber(Int128 value) {
  return value < 0 ? Number(static_cast<std::int64_t>(value)) : Number(static_cast<std::uint64_t>(value));
}

TEST(Cast, BetweenIntegersKeepsTheLowestBits) {
  const Int128 candidates[] = {0,
                               1,
                               7,
                               8,
                               15,
                               16,
                               127,
                               128,
                               200,
                               255,
                               256,
                               2147483647,
                               2147483648u,
                               4294967295u,
                               4294967296,
                               9007199254740993,
                               kMax64,
                               Int128{kMax64} + 1,
                               kMaxUnsigned64,
                               -1,
                               -8,
                               -9,
                               -128,
                               -129,
                               -2147483648LL,
                               -2147483649LL,
                               kMin64};
  for (DataType from : kIntegers) {
    std::vector<Int128> x;
    for (Int128 value : candidates) {
      if (value >= rangeOf(from).first && value <= rangeOf(from).second) x.push_back(value);
    }
    std::vector<Number> inputs;
    for (Int128 value : x) inputs.push_back(toNumber(value));
    for (DataType to : kIntegers) {
      const auto [min, max] = rangeOf(to);
      std::vector<Number> expected;
      for (Int128 value : x) {
        while (value < min) value += (Int128{1} << 64);  // a multiple of every 2^bits
        expected.push_back(toNumber((value - min) % (max - min + 1) + min));
      }
      EXPECT_EQ(castAll(from, to, inputs), expected) << name(from) << " to " << name(to);
    }
  }
}

TEST(Cast, FromFloatsToIntegersTruncatesAndSaturates) {
  const std::vector<double> x{0,    -0.0, 0.5,    0.99951171875, -0.99951171875, 1.5,    2.5,       -1.5,
                              -2.5, 7.5,  100.75, -100.75,       60000,          -60000, kInfinity, -kInfinity};
  for (DataType from : kFloats) {
    for (DataType to : kIntegers) {
      const auto [min, max] = rangeOf(to);
      std::vector<Number> expected;
      for (double value : x) {
        const Int128 whole = std::isinf(value) ? (value < 0 ? min : max) : static_cast<Int128>(value);
        expected.push_back(toNumber(std::min(std::max(whole, min), max)));
      }
      EXPECT_EQ(castAll(from, to, std::vector<Number>(x.begin(), x.end())), expected) << name(from) << " to " << name(to);
      EXPECT_EQ(castAll(from, to, {kNaN})[0], Number(0)) << name(from) << " to " << name(to);
    }
  }
}

#endif

TEST(Cast, To4BitsStaysInRangeForTheNextOperation) {
  Fixture f;
  const Operand input = f.constant(DataType::int32, {4}, {8, 15, 200, -9});
  const Operand signedBack = f.builder.cast(f.builder.cast(input, DataType::int4), DataType::int32);
  const Operand unsignedBack = f.builder.cast(f.builder.cast(input, DataType::uint4), DataType::int32);
  const std::vector<std::vector<Number>> values = test::evaluate(f, std::vector{signedBack, unsignedBack});
  EXPECT_EQ(values[0], (std::vector<Number>{-8, -1, -8, 7}));
  EXPECT_EQ(values[1], (std::vector<Number>{8, 15, 8, 7}));
}

TEST(Cast, FromFloat32IsDefinedAtTheEndsOfWideIntegers) {
  const std::vector<Number> ends{0x1p31, 2147483520.0, -0x1p31, 0x1p32, 0x1p63, -0x1p63, 0x1p64, 3e38, -3e38};
  EXPECT_EQ(castAll(DataType::float32, DataType::int32, ends),
            (std::vector<Number>{2147483647, 2147483520, -2147483648LL, 2147483647, 2147483647, -2147483648LL, 2147483647,
                                 2147483647, -2147483648LL}));
  EXPECT_EQ(castAll(DataType::float32, DataType::uint32, ends),
            (std::vector<Number>{2147483648u, 2147483520, 0, 4294967295u, 4294967295u, 0, 4294967295u, 4294967295u, 0}));
  EXPECT_EQ(castAll(DataType::float32, DataType::int64, ends),
            (std::vector<Number>{2147483648u, 2147483520, -2147483648LL, 4294967296, kMax64, kMin64, kMax64, kMax64, kMin64}));
  EXPECT_EQ(castAll(DataType::float32, DataType::uint64, ends),
            (std::vector<Number>{2147483648u, 2147483520, 0, 4294967296, std::uint64_t{1} << 63, 0, kMaxUnsigned64,
                                 kMaxUnsigned64, 0}));
}

TEST(Cast, FromIntegersToFloatsRoundsOnceHalfToEven) {
  EXPECT_EQ(castAll(DataType::int32, DataType::float32, {16777217, 16777219, -16777217, -7}),
            (std::vector<Number>{16777216.0, 16777220.0, -16777216.0, -7.0}));
  // The exact result is just above the midpoint of two floats. Rounding it to double first would give the midpoint, which then
  // rounds down to even.
  EXPECT_EQ(castAll(DataType::int64, DataType::float32, {(std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1})[0],
            Number(0x1p60 + 0x1p37));
  EXPECT_EQ(castAll(DataType::uint64, DataType::float32, {kMaxUnsigned64})[0], Number(0x1p64));
  EXPECT_EQ(castAll(DataType::int32, DataType::float16, {2049, 2051, 65519, 65520, -2147483647}),
            (std::vector<Number>{2048.0, 2052.0, 65504.0, kInfinity, -kInfinity}));
  EXPECT_EQ(castAll(DataType::int64, DataType::float16, {kMin64, kMax64, -1}),
            (std::vector<Number>{-kInfinity, kInfinity, -1.0}));
  for (DataType type : kFloats) {
    EXPECT_EQ(castAll(DataType::uint8, type, {0, 255}), (std::vector<Number>{0.0, 255.0}));
    EXPECT_EQ(castAll(DataType::int8, type, {-128, 127}), (std::vector<Number>{-128.0, 127.0}));
    EXPECT_EQ(castAll(DataType::int4, type, {-8, 7, -1}), (std::vector<Number>{-8.0, 7.0, -1.0}));
    EXPECT_EQ(castAll(DataType::uint4, type, {15, 8, 0}), (std::vector<Number>{15.0, 8.0, 0.0}));
    EXPECT_EQ(castAll(DataType::uint32, type, {4096})[0], Number(4096.0));
  }
}

TEST(Cast, BetweenFloatsRoundsHalfToEvenAndKeepsSpecialValues) {
  EXPECT_EQ(castAll(DataType::float32, DataType::float16,
                    {1 + 0x1p-11, 1 + 0x3p-11, 65519, 65520, -1e6, 0x1p-25, 0x1.8p-25, -0.0, kNaN, -kInfinity}),
            (std::vector<Number>{1.0, 1 + 0x1p-9, 65504.0, kInfinity, -kInfinity, 0.0, 0x1p-24, -0.0, kNaN, -kInfinity}));
  EXPECT_EQ(castAll(DataType::float16, DataType::float32, {0.0999755859375, 65504, 0x1p-24, -0.0, kNaN, kInfinity}),
            (std::vector<Number>{0.0999755859375, 65504.0, 0x1p-24, -0.0, kNaN, kInfinity}));
  EXPECT_EQ(castAll(DataType::float32, DataType::float32, {0.1f, -0.0, kNaN}),
            (std::vector<Number>{static_cast<double>(0.1f), -0.0, kNaN}));
}

std::vector<Number> clampAll(DataType type, ClampOptions options, const std::vector<Number>& x) {
  Fixture f;
  const Operand input = f.constant(type, {static_cast<std::uint32_t>(x.size())}, x);
  return test::evaluate(f, std::vector{f.builder.clamp(input, std::move(options))})[0];
}

TEST(Clamp, LimitsEveryType) {
  for (DataType type : {DataType::int32, DataType::uint32, DataType::int64, DataType::uint64, DataType::int8, DataType::uint8}) {
    EXPECT_EQ(clampAll(type, {.minValue = 3, .maxValue = 9}, {0, 3, 5, 9, 100}), (std::vector<Number>{3, 3, 5, 9, 9}))
        << name(type);
    EXPECT_EQ(clampAll(type, {.minValue = 3}, {0, 100}), (std::vector<Number>{3, 100})) << name(type);
    EXPECT_EQ(clampAll(type, {.maxValue = 9}, {0, 100}), (std::vector<Number>{0, 9})) << name(type);
    EXPECT_EQ(clampAll(type, {}, {0, 100}), (std::vector<Number>{0, 100})) << name(type);
  }
  for (DataType type : kFloats) {
    EXPECT_EQ(clampAll(type, {.minValue = -1, .maxValue = 1.5}, {-2, -0.5, 2, kNaN, -kInfinity, kInfinity}),
              (std::vector<Number>{-1.0, -0.5, 1.5, kNaN, -1.0, 1.5}));
    EXPECT_EQ(clampAll(type, {}, {-kInfinity, kNaN, -0.0}), (std::vector<Number>{-kInfinity, kNaN, -0.0}));
    EXPECT_EQ(clampAll(type, {.minValue = 0}, {-kInfinity, -0.0, kInfinity}), (std::vector<Number>{0.0, 0.0, kInfinity}));
  }
}

TEST(Clamp, BoundsNeverPassThroughFloats) {
  EXPECT_EQ(clampAll(DataType::int64, {.minValue = -9007199254740993, .maxValue = 9007199254740993}, {kMin64, kMax64}),
            (std::vector<Number>{-9007199254740993, 9007199254740993}));
  EXPECT_EQ(clampAll(DataType::uint64, {.maxValue = kMaxUnsigned64 - 1}, {kMaxUnsigned64, 1}),
            (std::vector<Number>{kMaxUnsigned64 - 1, 1}));
  EXPECT_EQ(clampAll(DataType::int32, {.maxValue = 16777217}, {2147483647})[0], Number(16777217));
}

TEST(Clamp, WithABoundOfNaNIsNaNForFloatsAndZeroForIntegers) {
  for (DataType type : kFloats) {
    EXPECT_EQ(clampAll(type, {.minValue = kNaN}, {-1, 1}), (std::vector<Number>{kNaN, kNaN}));
    EXPECT_EQ(clampAll(type, {.maxValue = kNaN}, {-1, 1}), (std::vector<Number>{kNaN, kNaN}));
  }
  EXPECT_EQ(clampAll(DataType::int32, {.minValue = kNaN}, {-1, 1}), (std::vector<Number>{0, 1}));
}

TEST(Clamp, RoundsItsBoundsHalfToEvenForIntegers) {
  EXPECT_EQ(clampAll(DataType::int8, {.minValue = -2.5, .maxValue = 3.5}, {-9, 9}), (std::vector<Number>{-2, 4}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
