// Compares operations of the reference backend that move elements (concat, pad, slice, transpose, ...) with independent results.
#include <cmath>
#include <limits>

#include "support/elements.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Sizes = std::vector<std::uint32_t>;
using Limits = std::numeric_limits<std::int32_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Concat, JoinsAlongEachAxis) {
  const Shape a{2, 2}, b{2, 1};
  // The operand a holds elements 0 to 3, and b holds 4 and 5.
  const auto along = [](std::uint32_t axis) {
    return [axis](Fixture& f, const std::vector<Operand>& x) { return f.builder.concat(x, axis); };
  };
  expectMoves({a, b}, along(1), {0, 1, 4, 2, 3, 5});
  expectMoves({b, a}, along(1), {0, 2, 3, 1, 4, 5});
  expectMoves({a, a}, along(0), {0, 1, 2, 3, 4, 5, 6, 7});
  expectMoves({a, a}, along(1), {0, 1, 4, 5, 2, 3, 6, 7});
  expectMoves({{1, 2, 1}, {1, 2, 2}, {1, 2, 1}}, along(2), {0, 2, 3, 6, 1, 4, 5, 7});
  expectMoves({a}, along(0), {0, 1, 2, 3});
}

TEST(Concat, TakesOneOperandSeveralTimes) {
  Fixture fixture;
  const Operand x = fixture.constant({2, 1}, {1, 2});
  EXPECT_EQ(evaluate(fixture, fixture.builder.concat({x, x, x}, 1)), (std::vector<double>{1, 1, 1, 2, 2, 2}));
}

TEST(Concat, Joins8192Inputs) {
  Fixture fixture;
  std::vector<Operand> inputs;
  std::vector<double> expected;
  for (int i = 0; i < 8192; ++i) {
    inputs.push_back(fixture.constant({1}, {i}));
    expected.push_back(i);
  }
  EXPECT_EQ(evaluate(fixture, fixture.builder.concat(inputs, 0)), expected);
}

TEST(Expand, RepeatsDimensionsOfSizeOne) {
  const auto to = [](Shape shape) {
    return [shape](Fixture& f, const std::vector<Operand>& x) { return f.builder.expand(x[0], shape); };
  };
  expectMoves({{}}, to({}), {0});
  expectMoves({{}}, to({2, 2}), {0, 0, 0, 0});
  expectMoves({{3}}, to({2, 3}), {0, 1, 2, 0, 1, 2});
  expectMoves({{2, 1}}, to({2, 3}), {0, 0, 0, 1, 1, 1});
  expectMoves({{2, 1, 2}}, to({2, 2, 2}), {0, 1, 0, 1, 2, 3, 2, 3});
  expectMoves({{2, 2}}, to({2, 2}), {0, 1, 2, 3});
  expectMoves({{1, 2}}, to({1, 1, 1, 1, 2, 1, 1, 2}), {0, 1, 0, 1});
}

TEST(Pad, MovesTheInputToItsPlaceInEachMode) {
  const auto padded = [](Sizes before, Sizes after, PaddingMode mode) {
    return [=](Fixture& f, const std::vector<Operand>& x) { return f.builder.pad(x[0], before, after, {.mode = mode}); };
  };
  const auto constant = PaddingMode::constant, edge = PaddingMode::edge, reflection = PaddingMode::reflection;
  expectMoves({{3}}, padded({1}, {2}, constant), {kZero, 0, 1, 2, kZero, kZero});
  expectMoves({{3}}, padded({1}, {2}, edge), {0, 0, 1, 2, 2, 2});
  expectMoves({{3}}, padded({1}, {2}, reflection), {1, 0, 1, 2, 1, 0});
  expectMoves({{2, 2}}, padded({1, 0}, {0, 1}, constant), {kZero, kZero, kZero, 0, 1, kZero, 2, 3, kZero});
  expectMoves({{2, 2}}, padded({1, 0}, {0, 1}, edge), {0, 1, 1, 0, 1, 1, 2, 3, 3});
  expectMoves({{2, 2}}, padded({1, 0}, {0, 1}, reflection), {2, 3, 2, 0, 1, 0, 2, 3, 2});
  for (PaddingMode mode : {constant, edge, reflection}) {
    expectMoves({{}}, padded({}, {}, mode), {0});
    expectMoves({{1}}, padded({0}, {0}, mode), {0});
    expectMoves({{2, 3}}, padded({0, 0}, {0, 0}, mode), {0, 1, 2, 3, 4, 5});
  }
}

TEST(Pad, ReflectsAMatrixAsTheSpecificationShows) {
  const std::vector<Number> input{1, 2, 3, 4, 5, 6};
  const std::vector<double> reflected{6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1, 6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1};
  const std::vector<double> edge{1, 1, 1, 2, 3, 3, 3, 1, 1, 1, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 6, 4, 4, 4, 5, 6, 6, 6};
  Fixture first, second;
  EXPECT_EQ(evaluate(first, first.builder.pad(first.constant({2, 3}, input), {1, 2}, {1, 2}, {.mode = PaddingMode::reflection})),
            reflected);
  EXPECT_EQ(evaluate(second, second.builder.pad(second.constant({2, 3}, input), {1, 2}, {1, 2}, {.mode = PaddingMode::edge})),
            edge);
}

TEST(Pad, PutsTheValueCastToTheTypeExactly) {
  constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;  // no double holds it
  const std::vector<std::tuple<DataType, Number, Number>> cases{
      {DataType::float32, 0.1, static_cast<double>(0.1f)},
      {DataType::float32, -0.0, -0.0},
      {DataType::float32, std::nan(""), std::nan("")},
      {DataType::float16, 0.1, 0.0999755859375},
      {DataType::float16, -kInfinity, -kInfinity},
      {DataType::int64, odd, odd},
      {DataType::int64, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min()},
      {DataType::uint64, ~std::uint64_t{0}, ~std::uint64_t{0}},
      {DataType::int32, 2147483647, 2147483647},
      {DataType::uint32, 4294967295u, 4294967295u},
      {DataType::int8, -300, -128},
      {DataType::uint8, 300, 255},
      {DataType::int4, -100, -8},
      {DataType::uint4, 100, 15},
  };
  for (const auto& [type, value, expected] : cases) {
    Fixture fixture;
    const Operand result = fixture.builder.pad(fixture.constant(type, {1}, {7}), {1}, {2}, {.value = value});
    EXPECT_EQ(evaluate(fixture, std::vector{result})[0], (std::vector<Number>{expected, 7, expected, expected})) << name(type);
  }
}

TEST(Reshape, KeepsTheOrderOfTheElements) {
  const auto to = [](Shape shape) {
    return [shape](Fixture& f, const std::vector<Operand>& x) { return f.builder.reshape(x[0], shape); };
  };
  expectMoves({{2, 3}}, to({3, 2}), {0, 1, 2, 3, 4, 5});
  expectMoves({{2, 3}}, to({6}), {0, 1, 2, 3, 4, 5});
  expectMoves({{1, 1}}, to({}), {0});
  expectMoves({{}}, to({1, 1, 1, 1, 1, 1, 1, 1}), {0});
  expectMoves({{4}}, to({1, 2, 1, 1, 2, 1, 1, 1}), {0, 1, 2, 3});
}

TEST(Reverse, ReversesTheAxesAllOrNone) {
  const auto along = [](OptionalSizes axes) {
    return [axes](Fixture& f, const std::vector<Operand>& x) { return f.builder.reverse(x[0], {.axes = axes}); };
  };
  expectMoves({{2, 3}}, along({0}), {3, 4, 5, 0, 1, 2});
  expectMoves({{2, 3}}, along({1}), {2, 1, 0, 5, 4, 3});
  expectMoves({{2, 3}}, along({1, 0}), {5, 4, 3, 2, 1, 0});
  expectMoves({{2, 3}}, along(OptionalSizes()), {5, 4, 3, 2, 1, 0});
  expectMoves({{2, 3}}, along(Sizes{}), {0, 1, 2, 3, 4, 5});
  expectMoves({{}}, along(OptionalSizes()), {0});
  expectMoves({{2, 2, 2}}, along({0, 2}), {5, 4, 7, 6, 1, 0, 3, 2});
}

TEST(Slice, TakesAWindowWithStrides) {
  const auto window = [](Sizes starts, Sizes sizes, OptionalSizes strides = OptionalSizes()) {
    return [=](Fixture& f, const std::vector<Operand>& x) { return f.builder.slice(x[0], starts, sizes, {.strides = strides}); };
  };
  expectMoves({{8}}, window({3}, {2}), {3, 4});
  expectMoves({{8}}, window({1}, {7}, {3}), {1, 4, 7});
  expectMoves({{8}}, window({1}, {6}, {3}), {1, 4});
  expectMoves({{8}}, window({0}, {8}, {4294967295u}), {0});
  expectMoves({{8}}, window({7}, {1}), {7});
  expectMoves({{3, 4}}, window({1, 1}, {2, 2}), {5, 6, 9, 10});
  expectMoves({{3, 4}}, window({0, 1}, {3, 3}, {2, 2}), {1, 3, 9, 11});
  expectMoves({{}}, window({}, {}), {0});
}

TEST(Split, MakesPartsAlongEachAxis) {
  const auto part = [](Splits splits, std::uint32_t axis, std::size_t i) {
    return [=](Fixture& f, const std::vector<Operand>& x) { return f.builder.split(x[0], splits, {.axis = axis}).at(i); };
  };
  expectMoves({{4, 2}}, part(2u, 0, 0), {0, 1, 2, 3});
  expectMoves({{4, 2}}, part(2u, 0, 1), {4, 5, 6, 7});
  expectMoves({{2, 4}}, part(2u, 1, 0), {0, 1, 4, 5});
  expectMoves({{2, 4}}, part(2u, 1, 1), {2, 3, 6, 7});
  expectMoves({{2, 4}}, part(Sizes{1, 3}, 1, 0), {0, 4});
  expectMoves({{2, 4}}, part(Sizes{1, 3}, 1, 1), {1, 2, 3, 5, 6, 7});
  expectMoves({{6}}, part(Sizes{1, 2, 3}, 0, 2), {3, 4, 5});
  expectMoves({{6}}, part(Sizes{6}, 0, 0), {0, 1, 2, 3, 4, 5});
}

TEST(Split, MakesAllPartsInOneRun) {
  Fixture fixture;
  const Operand x = fixture.constant({6}, {10, 11, 12, 13, 14, 15});
  const std::vector<std::vector<Number>> expected{{10}, {11, 12, 13}, {14, 15}};
  EXPECT_EQ(evaluate(fixture, fixture.builder.split(x, Sizes{1, 3, 2})), expected);
}

TEST(Split, Makes8192Parts) {
  Fixture fixture;
  std::vector<Number> numbers;
  for (int i = 0; i < 8192; ++i) numbers.push_back(i);
  const std::vector<Operand> parts = fixture.builder.split(fixture.constant({8192}, numbers), 8192u);
  const std::vector<std::vector<Number>> values = evaluate(fixture, parts);
  for (int i = 0; i < 8192; ++i) ASSERT_EQ(values[i], std::vector<Number>{i});
}

TEST(Tile, RepeatsEachDimension) {
  const auto times = [](Sizes repetitions) {
    return [repetitions](Fixture& f, const std::vector<Operand>& x) { return f.builder.tile(x[0], repetitions); };
  };
  expectMoves({{3}}, times({2}), {0, 1, 2, 0, 1, 2});
  expectMoves({{2, 2}}, times({1, 2}), {0, 1, 0, 1, 2, 3, 2, 3});
  expectMoves({{2, 2}}, times({2, 1}), {0, 1, 2, 3, 0, 1, 2, 3});
  expectMoves({{2, 1}}, times({2, 3}), {0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1});
  expectMoves({{}}, times({}), {0});
}

TEST(Transpose, PermutesTheDimensions) {
  const auto by = [](OptionalSizes permutation) {
    return [=](Fixture& f, const std::vector<Operand>& x) { return f.builder.transpose(x[0], {.permutation = permutation}); };
  };
  expectMoves({{2, 3}}, by(OptionalSizes()), {0, 3, 1, 4, 2, 5});
  expectMoves({{2, 3}}, by({0, 1}), {0, 1, 2, 3, 4, 5});
  expectMoves({{2, 2, 3}}, by({2, 0, 1}), {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11});  // output[k][i][j] = input[i][j][k]
  expectMoves({{2, 2, 3}}, by({1, 2, 0}), {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});  // output[j][k][i]
  expectMoves({{}}, by(OptionalSizes()), {0});
  expectMoves({{5}}, by({0}), {0, 1, 2, 3, 4});
}

// Tests eight dimensions of size 2: the coordinates of an element are the bits of its linear index.
TEST(ShapeOperations, WorkInRank8) {
  const Shape shape(8, 2), ones(8, 1), zeros(8, 0);
  std::vector<int> swapped, complemented, even, tiled, padded;
  for (int i = 0; i < 256; ++i) {
    int mirrored = 0;
    for (int bit = 0; bit < 8; ++bit) mirrored |= (i >> bit & 1) << (7 - bit);
    swapped.push_back(mirrored);
    complemented.push_back(255 - i);
    if (i % 2 == 0) even.push_back(i);
    if (i % 2 == 0) tiled.insert(tiled.end(), {i, i + 1, i, i + 1});
    if (i % 2 == 0) padded.insert(padded.end(), {i + 1, i, i + 1, i});  // mirrored
  }
  Sizes last = ones, one = zeros;
  last.back() = 2;
  one.back() = 1;
  expectMoves(
      {shape}, [](Fixture& f, const auto& x) { return f.builder.transpose(x[0]); }, swapped);
  expectMoves(
      {shape}, [](Fixture& f, const auto& x) { return f.builder.reverse(x[0]); }, complemented);
  expectMoves(
      {shape}, [&](Fixture& f, const auto& x) { return f.builder.slice(x[0], zeros, shape, {.strides = last}); }, even);
  expectMoves(
      {shape}, [&](Fixture& f, const auto& x) { return f.builder.tile(x[0], last); }, tiled);
  expectMoves(
      {shape}, [&](Fixture& f, const auto& x) { return f.builder.pad(x[0], one, one, {.mode = PaddingMode::reflection}); },
      padded);
}

const std::vector<Number>& square() {  // the matrix of the specification's examples
  static const std::vector<Number> values{7, 1, 2, 9, 4, 8, 2, 6, 3};
  return values;
}

TEST(Triangular, KeepsTheTriangleThatTheDiagonalBounds) {
  const std::vector<std::tuple<bool, std::int32_t, std::vector<double>>> cases{
      {true, 0, {7, 1, 2, 0, 4, 8, 0, 0, 3}},
      {true, 1, {0, 1, 2, 0, 0, 8, 0, 0, 0}},
      {true, -1, {7, 1, 2, 9, 4, 8, 0, 6, 3}},
      {true, 2, {0, 0, 2, 0, 0, 0, 0, 0, 0}},
      {true, 3, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {true, -2, {7, 1, 2, 9, 4, 8, 2, 6, 3}},
      {true, Limits::max(), {0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {true, Limits::min(), {7, 1, 2, 9, 4, 8, 2, 6, 3}},
      {false, 0, {7, 0, 0, 9, 4, 0, 2, 6, 3}},
      {false, 1, {7, 1, 0, 9, 4, 8, 2, 6, 3}},
      {false, -1, {0, 0, 0, 9, 0, 0, 2, 6, 0}},
      {false, 2, {7, 1, 2, 9, 4, 8, 2, 6, 3}},
      {false, -3, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {false, Limits::max(), {7, 1, 2, 9, 4, 8, 2, 6, 3}},
      {false, Limits::min(), {0, 0, 0, 0, 0, 0, 0, 0, 0}},
  };
  for (const auto& [upper, diagonal, expected] : cases) {
    Fixture fixture;
    const Operand x = fixture.constant({3, 3}, square());
    EXPECT_EQ(evaluate(fixture, fixture.builder.triangular(x, {.upper = upper, .diagonal = diagonal})), expected)
        << "upper " << upper << ", diagonal " << diagonal;
  }
}

TEST(Triangular, TreatsLeadingDimensionsAsABatchOfMatricesOfAnyShape) {
  const auto part = [](bool upper, std::int32_t diagonal) {
    return [=](Fixture& f, const std::vector<Operand>& x) {
      return f.builder.triangular(x[0], {.upper = upper, .diagonal = diagonal});
    };
  };
  expectMoves({{2, 2, 3}}, part(true, 0), {0, 1, 2, kZero, 4, 5, 6, 7, 8, kZero, 10, 11});
  expectMoves({{2, 3, 2}}, part(false, 0), {0, kZero, 2, 3, 4, 5, 6, kZero, 8, 9, 10, 11});
  expectMoves({{2, 3, 2}}, part(true, 0), {0, 1, kZero, 3, kZero, kZero, 6, 7, kZero, 9, kZero, kZero});
  expectMoves({{1, 4}}, part(false, 1), {0, 1, kZero, kZero});
  expectMoves({{4, 1}}, part(true, -1), {0, 1, kZero, kZero});
  expectMoves({{1, 1, 1, 1, 1, 2, 2, 2}}, part(false, -1), {kZero, kZero, 2, kZero, kZero, kZero, 6, kZero});
}

TEST(Triangular, SelectsSoThatNaNAndInfinityAreDroppedAndKept) {
  const double nan = std::nan("");
  for (DataType type : {DataType::float32, DataType::float16}) {
    Fixture fixture;
    const Operand x = fixture.constant(type, {3, 3}, {nan, -0.0, -kInfinity, nan, -1, kInfinity, -kInfinity, -2, -0.0});
    const std::vector<Number> upper{nan, -0.0, -kInfinity, 0.0, -1, kInfinity, 0.0, 0.0, -0.0};
    const std::vector<Number> lower{nan, 0.0, 0.0, nan, -1, 0.0, -kInfinity, -2, -0.0};
    const auto values = evaluate(fixture, {fixture.builder.triangular(x), fixture.builder.triangular(x, {.upper = false})});
    EXPECT_EQ(values[0], upper) << name(type);
    EXPECT_EQ(values[1], lower) << name(type);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
