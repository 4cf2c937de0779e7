// Compares element-wise operations of two operands, comparisons and `where` of the reference backend with independent results.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::Fixture;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");
constexpr DataType kFloats[] = {DataType::float32, DataType::float16};
constexpr DataType kIntegers[] = {DataType::int32,  DataType::uint32, DataType::int64,
                                  DataType::uint64, DataType::int8,   DataType::uint8};
constexpr auto kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax64 = std::numeric_limits<std::int64_t>::max();

using Method = Operand (GraphBuilder::*)(Operand, Operand, OperatorOptions);

// Applies `method` to two lists of equal length; returns the results.
std::vector<Number> compute(Method method, DataType type, const std::vector<Number>& a, const std::vector<Number>& b) {
  Fixture f;
  const Shape shape{static_cast<std::uint32_t>(a.size())};
  return test::evaluate(f, std::vector{(f.builder.*method)(f.constant(type, shape, a), f.constant(type, shape, b), {})})[0];
}

// Returns a mathematical integer modulo 2^bits of the type.
Number wrapped(std::int64_t value, DataType type) {
  const bool isUnsigned = name(type)[0] == 'u';
  if (bitsPerElement(type) == 64) return isUnsigned ? Number(static_cast<std::uint64_t>(value)) : Number(value);
  const std::int64_t modulus = std::int64_t{1} << bitsPerElement(type);
  const std::int64_t rest = ((value % modulus) + modulus) % modulus;
  return Number(!isUnsigned && rest >= modulus / 2 ? rest - modulus : rest);
}

TEST(Binary, ComputesWithEveryIntegerTypeModuloItsWidth) {
  const std::vector<Number> a{7, 2, 9, 100, 0}, b{2, 3, 4, 3, 5};
  struct Row {
    Method method;
    std::vector<std::int64_t> expected;
  };
  const Row rows[] = {
      {&GraphBuilder::add, {9, 5, 13, 103, 5}},        {&GraphBuilder::sub, {5, -1, 5, 97, -5}},
      {&GraphBuilder::mul, {14, 6, 36, 300, 0}},       {&GraphBuilder::div, {3, 0, 2, 33, 0}},
      {&GraphBuilder::max, {7, 3, 9, 100, 5}},         {&GraphBuilder::min, {2, 2, 4, 3, 0}},
      {&GraphBuilder::pow, {49, 8, 6561, 1000000, 0}},
  };
  for (DataType type : kIntegers) {
    for (const Row& row : rows) {
      std::vector<Number> expected;
      for (std::int64_t value : row.expected) expected.push_back(wrapped(value, type));
      EXPECT_EQ(compute(row.method, type, a, b), expected) << name(type) << " method " << &row - rows;
    }
  }
}

TEST(Binary, ComputesWithFloats) {
  const std::vector<Number> a{7, 2, -9, 0.5}, b{2, 4, 4, -2};
  for (DataType type : kFloats) {
    const auto expect = [&, type = type](Method method, const std::vector<Number>& expected) {
      EXPECT_EQ(compute(method, type, a, b), expected) << name(type) << " " << expected[0].toDouble();
    };
    expect(&GraphBuilder::add, {9.0, 6.0, -5.0, -1.5});
    expect(&GraphBuilder::sub, {5.0, -2.0, -13.0, 2.5});
    expect(&GraphBuilder::mul, {14.0, 8.0, -36.0, -1.0});
    expect(&GraphBuilder::div, {3.5, 0.5, -2.25, -0.25});
    expect(&GraphBuilder::max, {7.0, 4.0, 4.0, 0.5});
    expect(&GraphBuilder::min, {2.0, 2.0, -9.0, -2.0});
    expect(&GraphBuilder::pow, {49.0, 16.0, 6560.0 + (type == DataType::float32), 4.0});  // float16 has no 6561
  }
}

TEST(Binary, OfFloat16RoundsOnceHalfToEven) {
  const auto half = [](Method method, double a, double b) { return compute(method, DataType::float16, {a}, {b})[0]; };
  EXPECT_EQ(half(&GraphBuilder::add, 2048, 1), Number(2048.0));
  EXPECT_EQ(half(&GraphBuilder::add, 2048, 3), Number(2052.0));
  EXPECT_EQ(half(&GraphBuilder::add, 65504, 15), Number(65504.0));
  EXPECT_EQ(half(&GraphBuilder::add, 65504, 16), Number(kInfinity));
  EXPECT_EQ(half(&GraphBuilder::mul, 0x1p-14, 0x1p-10), Number(0x1p-24));
  EXPECT_EQ(half(&GraphBuilder::mul, -0x1p-14, 0x1p-12), Number(-0.0));
  EXPECT_EQ(half(&GraphBuilder::div, 1, 3), Number(0.333251953125));
}

TEST(Binary, OfFloat32RoundsToFloat32) {
  EXPECT_EQ(compute(&GraphBuilder::add, DataType::float32, {16777216}, {1})[0], Number(16777216.0));
  EXPECT_EQ(compute(&GraphBuilder::mul, DataType::float32, {3e38}, {10})[0], Number(kInfinity));
  EXPECT_EQ(compute(&GraphBuilder::div, DataType::float32, {1}, {3})[0], Number(static_cast<double>(1.0f / 3.0f)));
}

TEST(Binary, OfFloatsFollowsIeeeAtInfinitiesAndZeros) {
  for (DataType type : kFloats) {
    EXPECT_EQ(compute(&GraphBuilder::div, type, {1, -1, 0, 1}, {0, 0, 0, -kInfinity}),
              (std::vector<Number>{kInfinity, -kInfinity, kNaN, -0.0}));
    EXPECT_EQ(compute(&GraphBuilder::sub, type, {kInfinity, kNaN}, {kInfinity, 1}), (std::vector<Number>{kNaN, kNaN}));
    EXPECT_EQ(compute(&GraphBuilder::mul, type, {kInfinity, -0.0}, {0, 3}), (std::vector<Number>{kNaN, -0.0}));
    EXPECT_EQ(compute(&GraphBuilder::pow, type, {0, -8, kNaN, 0, -2}, {0, 1.0 / 3, 0, -1, 3}),
              (std::vector<Number>{1.0, kNaN, 1.0, kInfinity, -8.0}));
  }
}

TEST(MaxMin, PropagateNaNFromEitherSideAndOrderZeros) {
  for (DataType type : kFloats) {
    const std::vector<Number> a{kNaN, 1, kNaN, -0.0, 0.0, -kInfinity}, b{1, kNaN, kNaN, 0.0, -0.0, kInfinity};
    EXPECT_EQ(compute(&GraphBuilder::max, type, a, b), (std::vector<Number>{kNaN, kNaN, kNaN, 0.0, 0.0, kInfinity}));
    EXPECT_EQ(compute(&GraphBuilder::min, type, a, b), (std::vector<Number>{kNaN, kNaN, kNaN, -0.0, -0.0, -kInfinity}));
  }
}

TEST(Div, OfIntegersTruncatesAndIsDefinedForEveryPair) {
  EXPECT_EQ(compute(&GraphBuilder::div, DataType::int8, {-7, 7, -128, 5, 0}, {2, -2, -1, 0, 0}),
            (std::vector<Number>{-3, -3, -128, 0, 0}));
  EXPECT_EQ(compute(&GraphBuilder::div, DataType::int32, {-2147483648LL, -7}, {-1, 0}), (std::vector<Number>{-2147483648LL, 0}));
  EXPECT_EQ(compute(&GraphBuilder::div, DataType::int64, {kMin64, kMin64, kMax64}, {-1, 2, -1}),
            (std::vector<Number>{kMin64, kMin64 / 2, -kMax64}));
  EXPECT_EQ(compute(&GraphBuilder::div, DataType::uint8, {255, 255}, {2, 255}), (std::vector<Number>{127, 1}));
  EXPECT_EQ(compute(&GraphBuilder::div, DataType::uint64, {~std::uint64_t{0}, 1}, {3, 0}),
            (std::vector<Number>{6148914691236517205u, 0}));
}

TEST(Pow, OfIntegersStaysIntegerAndIsDefinedForNegativeExponents) {
  EXPECT_EQ(compute(&GraphBuilder::pow, DataType::int64, {3, -3, 2, 0, 10}, {39, 3, 64, 0, 18}),
            (std::vector<Number>{4052555153018976267, -27, 0, 1, 1000000000000000000}));
  EXPECT_EQ(compute(&GraphBuilder::pow, DataType::int32, {2, 1, -1, -1, 0, -5}, {-1, -9, -2, -3, -1, -2147483648LL}),
            (std::vector<Number>{0, 1, 1, -1, 0, 0}));
  EXPECT_EQ(compute(&GraphBuilder::pow, DataType::int8, {-2, 2, -1}, {7, 7, 127}), (std::vector<Number>{-128, -128, -1}));
  EXPECT_EQ(compute(&GraphBuilder::pow, DataType::uint64, {3, ~std::uint64_t{0}}, {40, 2}),
            (std::vector<Number>{12157665459056928801u, 1}));
}

TEST(Binary, NeverTakes64BitIntegersThroughDouble) {
  EXPECT_EQ(compute(&GraphBuilder::add, DataType::int64, {9007199254740993}, {1})[0], Number(9007199254740994));
  EXPECT_EQ(compute(&GraphBuilder::sub, DataType::int64, {kMin64}, {1})[0], Number(kMax64));
  EXPECT_EQ(compute(&GraphBuilder::mul, DataType::int64, {3037000500}, {3037000500})[0], Number(-9223372036709301616));
  EXPECT_EQ(compute(&GraphBuilder::max, DataType::int64, {9007199254740993}, {9007199254740992})[0], Number(9007199254740993));
  EXPECT_EQ(compute(&GraphBuilder::equal, DataType::int64, {9007199254740993}, {9007199254740992})[0], Number(0));
  EXPECT_EQ(compute(&GraphBuilder::greater, DataType::uint64, {~std::uint64_t{0}}, {~std::uint64_t{0} - 1})[0], Number(1));
  EXPECT_EQ(compute(&GraphBuilder::lesser, DataType::uint64, {1}, {std::uint64_t{1} << 63})[0], Number(1));
}

struct Comparison {
  Method method;
  std::vector<Number> expected;
};

TEST(Comparison, OfEveryTypeGivesUint8ZeroOrOne) {
  const std::vector<Number> a{1, 2, 3}, b{2, 2, 2};
  const Comparison rows[] = {
      {&GraphBuilder::equal, {0, 1, 0}},          {&GraphBuilder::notEqual, {1, 0, 1}}, {&GraphBuilder::greater, {0, 0, 1}},
      {&GraphBuilder::greaterOrEqual, {0, 1, 1}}, {&GraphBuilder::lesser, {1, 0, 0}},   {&GraphBuilder::lesserOrEqual, {1, 1, 0}},
  };
  for (const Comparison& row : rows) {
    for (DataType type : kIntegers) EXPECT_EQ(compute(row.method, type, a, b), row.expected) << name(type) << " " << &row - rows;
    for (DataType type : kFloats) EXPECT_EQ(compute(row.method, type, a, b), row.expected) << name(type) << " " << &row - rows;
  }
}

TEST(Comparison, WithNaNIsFalseButForNotEqualAndZerosAreEqual) {
  const std::vector<Number> a{kNaN, 1, kNaN, -0.0, kInfinity}, b{1, kNaN, kNaN, 0.0, kInfinity};
  const Comparison rows[] = {
      {&GraphBuilder::equal, {0, 0, 0, 1, 1}},   {&GraphBuilder::notEqual, {1, 1, 1, 0, 0}},
      {&GraphBuilder::greater, {0, 0, 0, 0, 0}}, {&GraphBuilder::greaterOrEqual, {0, 0, 0, 1, 1}},
      {&GraphBuilder::lesser, {0, 0, 0, 0, 0}},  {&GraphBuilder::lesserOrEqual, {0, 0, 0, 1, 1}},
  };
  for (const Comparison& row : rows) {
    for (DataType type : kFloats) EXPECT_EQ(compute(row.method, type, a, b), row.expected) << name(type) << " " << &row - rows;
  }
}

TEST(Comparison, OfSignedIntegersSeesTheSign) {
  EXPECT_EQ(compute(&GraphBuilder::lesser, DataType::int8, {-1, 127}, {0, -128}), (std::vector<Number>{1, 0}));
  EXPECT_EQ(compute(&GraphBuilder::lesser, DataType::uint8, {255}, {0}), (std::vector<Number>{0}));
}

TEST(Logical, TakesAnyNonZeroValueAsTrue) {
  const std::vector<Number> a{0, 0, 2, 255, 4}, b{0, 8, 0, 1, 2};
  EXPECT_EQ(compute(&GraphBuilder::logicalAnd, DataType::uint8, a, b), (std::vector<Number>{0, 0, 0, 1, 1}));
  EXPECT_EQ(compute(&GraphBuilder::logicalOr, DataType::uint8, a, b), (std::vector<Number>{0, 1, 1, 1, 1}));
  EXPECT_EQ(compute(&GraphBuilder::logicalXor, DataType::uint8, a, b), (std::vector<Number>{0, 1, 1, 0, 0}));
}

// Returns, for each element of shape `to`, the index of the element that is broadcast to it from a tensor of shape `from`.
// Coordinates are found by dividing the flat index of the output, so that this does not share code with the library.
std::vector<int> broadcastIota(const Shape& from, const Shape& to) {
  std::size_t count = 1;
  for (std::uint32_t dimension : to) count *= dimension;
  std::vector<int> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i, stride = 1, at = 0;
    for (std::size_t d = 1; d <= to.size(); ++d) {
      const std::size_t coordinate = rest % to[to.size() - d];
      rest /= to[to.size() - d];
      if (d > from.size()) continue;
      const std::size_t dimension = from[from.size() - d];
      at += coordinate % dimension * stride;
      stride *= dimension;
    }
    values[i] = static_cast<int>(at);
  }
  return values;
}

Operand iota(Fixture& f, DataType type, const Shape& shape) {
  std::vector<Number> values;
  for (std::size_t i = 0; i < elementCount({type, shape}); ++i) values.push_back(static_cast<double>(i));
  return f.constant(type, shape, values);
}

TEST(Binary, BroadcastsAtEveryRank) {
  const std::tuple<Shape, Shape, Shape> rows[] = {
      {{}, {}, {}},
      {{1}, {}, {1}},
      {{}, {4}, {4}},
      {{3, 1}, {1, 4}, {3, 4}},
      {{4}, {2, 3, 4}, {2, 3, 4}},
      {{2, 1, 1}, {3, 1}, {2, 3, 1}},
      {{2, 3, 1, 2}, {1, 2, 1}, {2, 3, 2, 2}},
      {{1, 2, 1, 3, 1}, {2, 1, 1, 1, 2}, {2, 2, 1, 3, 2}},
      {{2, 1, 2, 1, 2, 1}, {1, 2, 1, 2, 1, 2}, {2, 2, 2, 2, 2, 2}},
      {{2, 1, 2, 1, 2, 1, 3}, {2, 1, 1}, {2, 1, 2, 1, 2, 1, 3}},
      {{1, 2, 1, 2, 1, 2, 1, 2}, {2, 1, 2, 1, 2, 1, 2, 1}, {2, 2, 2, 2, 2, 2, 2, 2}},
  };
  for (const auto& [shapeA, shapeB, shape] : rows) {
    const std::vector<int> a = broadcastIota(shapeA, shape), b = broadcastIota(shapeB, shape);
    for (DataType type : {DataType::float32, DataType::float16, DataType::int64, DataType::uint8}) {
      Fixture f;
      const std::vector<double> actual = test::evaluate(f, f.builder.sub(iota(f, type, shapeA), iota(f, type, shapeB)));
      ASSERT_EQ(actual.size(), a.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        const int expected = a[i] - b[i];
        EXPECT_EQ(actual[i], type == DataType::uint8 ? (expected + 256) % 256 : expected) << toString(shape) << " at " << i;
      }
    }
  }
}

TEST(Where, SelectsForEveryType) {
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    Fixture f;
    const auto type = static_cast<DataType>(i);
    const Operand condition = f.constant(DataType::uint8, {5}, {0, 1, 255, 0, 2});
    const Operand output =
        f.builder.where(condition, f.constant(type, {5}, {1, 2, 3, 4, 5}), f.constant(type, {5}, {6, 7, 0, 1, 2}));
    EXPECT_EQ(test::evaluate(f, output), (std::vector<double>{6, 2, 3, 1, 5})) << name(type);
  }
}

TEST(Where, BroadcastsConditionAndValues) {
  const std::tuple<Shape, Shape, Shape, Shape> rows[] = {
      {{}, {}, {}, {}},
      {{}, {3}, {2, 1}, {2, 3}},
      {{2, 1, 1}, {3, 1}, {4}, {2, 3, 4}},
      {{4}, {2, 1, 1, 1}, {3, 1}, {2, 1, 3, 4}},
      {{2, 1, 2, 1, 2, 1, 2, 1}, {2}, {1, 2, 1, 2, 1}, {2, 1, 2, 1, 2, 1, 2, 2}},
  };
  for (const auto& [conditionShape, trueShape, falseShape, shape] : rows) {
    Fixture f;
    const Operand condition = iota(f, DataType::uint8, conditionShape);  // only its first element is false
    const Operand trues = iota(f, DataType::int32, trueShape), falses = f.builder.neg(iota(f, DataType::int32, falseShape));
    const std::vector<double> actual = test::evaluate(f, f.builder.where(condition, trues, falses));
    const std::vector<int> c = broadcastIota(conditionShape, shape), t = broadcastIota(trueShape, shape),
                           e = broadcastIota(falseShape, shape);
    ASSERT_EQ(actual.size(), c.size());
    for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(actual[i], c[i] ? t[i] : -e[i]) << toString(shape) << " at " << i;
  }
}

TEST(Where, IgnoresUnselectedElementsAndKeepsSignsOfZeros) {
  for (DataType type : kFloats) {
    Fixture f;
    const Operand condition = f.constant(DataType::uint8, {4}, {0, 1, 1, 0});
    const Operand trues = f.constant(type, {4}, {kNaN, 1, -0.0, kInfinity}),
                  falses = f.constant(type, {4}, {2, kInfinity, kNaN, kNaN});
    EXPECT_EQ(test::evaluate(f, std::vector{f.builder.where(condition, trues, falses)})[0],
              (std::vector<Number>{2.0, 1.0, -0.0, kNaN}));
  }
}

TEST(Where, KeepsTheBitsOfNaN) {
  Fixture f;
  const std::uint32_t bits = 0xFFA12345;  // a signalling NaN with a payload
  const auto packed = std::as_bytes(std::span(&bits, 1));
  const Operand value = f.builder.constant({DataType::float32, {}}, packed);
  const Operand output = f.builder.where(f.builder.constant(DataType::uint8, 1), value, f.builder.constant(DataType::float32, 0));
  const Graph graph = f.builder.build({{"y", output}});
  const Tensor tensor = f.context.createTensor({.dataType = DataType::float32, .readable = true});
  f.context.dispatch(graph, {}, {{"y", tensor}});
  EXPECT_EQ(f.context.read<std::byte>(tensor), std::vector<std::byte>(packed.begin(), packed.end()));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
