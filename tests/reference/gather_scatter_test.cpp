// Compares gathers and scatters of the reference backend with numbers computed by hand.
#include <limits>

#include "support/elements.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr DataType kIndexTypes[] = {DataType::int32, DataType::uint32, DataType::int64};

// Makes data in which element i has the value 10 * i.
Operand tens(Fixture& fixture, Shape shape) {
  std::vector<Number> values;
  for (std::size_t i = 0; i < elementCount({DataType::float32, shape}); ++i) values.push_back(10.0 * static_cast<double>(i));
  return fixture.constant(std::move(shape), values);
}

TEST(Gather, PicksSlicesAlongEachAxis) {
  const auto along = [](std::uint32_t axis, Shape shape, std::vector<Number> indices) {
    return [=](Fixture& f, const std::vector<Operand>& x) {
      return f.builder.gather(x[0], f.constant(DataType::int32, shape, indices), {.axis = axis});
    };
  };
  expectMoves({{4, 3}}, along(0, {2}, {3, 1}), {9, 10, 11, 3, 4, 5});
  expectMoves({{4, 3}}, along(1, {3}, {2, 1, 1}), {2, 1, 1, 5, 4, 4, 8, 7, 7, 11, 10, 10});
  expectMoves({{4, 3}}, along(1, {2, 2}, {0, 1, 1, 2}), {0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11});
  expectMoves({{4, 3}}, along(0, {}, {2}), {6, 7, 8});
  expectMoves({{4, 3}}, along(1, {}, {2}), {2, 5, 8, 11});
  expectMoves({{5}}, along(0, {}, {4}), {4});
  expectMoves({{2, 3, 2}}, along(1, {2}, {2, 0}), {4, 5, 0, 1, 10, 11, 6, 7});
  expectMoves({{1, 1, 1, 1, 1, 1, 2, 3}}, along(7, {1}, {1}), {1, 4});
  expectMoves({{2}}, along(0, {1, 2, 1, 1, 1, 1, 1, 2}, {1, 0, 0, 1}), {1, 0, 0, 1});
}

TEST(Gather, TakesTheInputAsItsOwnIndices) {
  Fixture fixture;
  const Operand x = fixture.constant(DataType::int64, {4}, {3, 2, 0, 1});
  EXPECT_EQ(evaluate(fixture, fixture.builder.gather(x, x)), (std::vector<double>{1, 0, 3, 2}));
}

TEST(GatherElements, PicksElementsAlongEachAxis) {
  const auto along = [](std::uint32_t axis, Shape shape, std::vector<Number> indices) {
    return [=](Fixture& f, const std::vector<Operand>& x) {
      return f.builder.gatherElements(x[0], f.constant(DataType::int32, shape, indices), {.axis = axis});
    };
  };
  expectMoves({{4, 3}}, along(0, {2, 3}, {3, 1, 1, 2, 0, 3}), {9, 4, 5, 6, 1, 11});
  expectMoves({{4, 3}}, along(1, {4, 1}, {2, 1, 0, 2}), {2, 4, 6, 11});
  expectMoves({{4, 2, 2}}, along(0, {1, 2, 2}, {0, 2, 1, 3}), {0, 9, 6, 15});
  expectMoves({{2, 2, 2}}, along(1, {2, 3, 2}, {0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1}), {0, 3, 2, 1, 2, 3, 6, 7, 4, 5, 4, 7});
}

TEST(GatherND, PicksSlicesAtCoordinates) {
  const auto at = [](Shape shape, std::vector<Number> indices) {
    return [=](Fixture& f, const std::vector<Operand>& x) {
      return f.builder.gatherND(x[0], f.constant(DataType::int32, shape, indices));
    };
  };
  expectMoves({{2, 2}}, at({3, 2}, {0, 0, 1, 1, 1, 0}), {0, 3, 2});
  expectMoves({{2, 2}}, at({2, 1}, {1, 0}), {2, 3, 0, 1});
  expectMoves({{2, 2, 2}}, at({2, 2}, {0, 1, 1, 0}), {2, 3, 4, 5});
  expectMoves({{2, 2, 2}}, at({3, 1}, {1, 0, 1}), {4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7});
  expectMoves({{2, 2, 2}}, at({5, 3}, {0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1}), {1, 2, 4, 6, 7});
  expectMoves({{2, 3}}, at({2}, {1, 2}), {5});  // a scalar
  expectMoves({{2, 3}}, at({1}, {1}), {3, 4, 5});
  expectMoves({{2, 3}}, at({2, 1, 2}, {1, 2, 0, 1}), {5, 1});
  expectMoves({{1, 1, 1, 1, 1, 1, 2, 2}}, at({1, 7}, {0, 0, 0, 0, 0, 0, 1}), {2, 3});
}

TEST(ScatterElements, WritesElementsAlongEachAxis) {
  // The elements of the input are numbered first, then the updates: after an input [4, 3], the first update is number 12.
  const auto along = [](std::uint32_t axis, std::vector<Number> indices) {
    return [=](Fixture& f, const std::vector<Operand>& x) {
      return f.builder.scatterElements(x[0], f.constant(DataType::int32, x[1].shape(), indices), x[1], {.axis = axis});
    };
  };
  expectMoves({{4, 3}, {2, 3}}, along(0, {3, 1, 1, 2, 0, 3}), {0, 16, 2, 3, 13, 14, 15, 7, 8, 12, 10, 17});
  expectMoves({{4, 3}, {4, 1}}, along(1, {2, 1, 0, 2}), {0, 1, 12, 3, 13, 5, 14, 7, 8, 9, 10, 15});
  expectMoves({{2, 2, 2}, {1, 2, 2}}, along(0, {0, 1, 1, 0}), {8, 1, 2, 11, 4, 9, 10, 7});
}

TEST(ScatterND, WritesSlicesAtCoordinates) {
  const auto at = [](Shape shape, std::vector<Number> indices) {
    return [=](Fixture& f, const std::vector<Operand>& x) {
      return f.builder.scatterND(x[0], f.constant(DataType::int32, shape, indices), x[1]);
    };
  };
  expectMoves({{8}, {4}}, at({4, 1}, {4, 3, 1, 7}), {0, 10, 2, 9, 8, 5, 6, 11});
  expectMoves({{2, 2}, {2}}, at({2, 2}, {0, 0, 1, 1}), {4, 1, 2, 5});
  expectMoves({{3, 2}, {2, 2}}, at({2, 1}, {2, 0}), {8, 9, 2, 3, 6, 7});
  expectMoves({{2, 2, 2}, {2, 2}}, at({2, 2}, {0, 1, 1, 0}), {0, 1, 8, 9, 10, 11, 6, 7});
  expectMoves({{2, 3}, {}}, at({2}, {1, 1}), {0, 1, 2, 3, 6, 5});
  expectMoves({{2, 3}, {3}}, at({1}, {0}), {6, 7, 8, 3, 4, 5});
  expectMoves({{4}, {2, 1, 1}}, at({2, 1, 1, 1}, {3, 0}), {5, 1, 2, 4});
}

// Holds an index, and the position from 0 to 3 that it selects in a dimension of size 4.
struct IndexCase {
  DataType type;
  Number index;
  int place;
};
const std::vector<IndexCase>& indexCases() {
  static const std::vector<IndexCase> cases{
      {DataType::int32, 3, 3},
      {DataType::int32, 4, 3},
      {DataType::int32, std::numeric_limits<std::int32_t>::max(), 3},
      {DataType::int32, -1, 3},
      {DataType::int32, -4, 0},
      {DataType::int32, -5, 0},
      {DataType::int32, -6, 0},  // adding the size twice would give 2
      {DataType::int32, std::numeric_limits<std::int32_t>::min(), 0},
      {DataType::uint32, 2, 2},
      {DataType::uint32, 4, 3},
      {DataType::uint32, 0x80000000u, 3},
      // If this index were read as -1, it would select 3, too. The next case distinguishes -2 (position 2) from 0xFFFFFFFE
      // (position 3).
      {DataType::uint32, 0xFFFFFFFFu, 3},
      {DataType::uint32, 0xFFFFFFFEu, 3},
      {DataType::int64, -2, 2},
      {DataType::int64, -5, 0},
      {DataType::int64, std::int64_t{1} << 32, 3},  // truncated to 32 bits it would be 0
      {DataType::int64, -(std::int64_t{1} << 32) + 1, 0},
      {DataType::int64, std::numeric_limits<std::int64_t>::max(), 3},
      {DataType::int64, std::numeric_limits<std::int64_t>::min(), 0},
  };
  return cases;
}

TEST(Gather, WrapsNegativeIndicesOnceAndClampsOthers) {
  for (const auto& [type, index, place] : indexCases()) {
    Fixture fixture;
    const Operand x = tens(fixture, {4, 2}), y = tens(fixture, {2, 4});
    const Operand indices = fixture.constant(type, {1}, {index});
    const auto values = evaluate(fixture, {fixture.builder.gather(x, indices), fixture.builder.gather(y, indices, {.axis = 1})});
    EXPECT_EQ(values[0], (std::vector<Number>{20 * place, 20 * place + 10})) << name(type) << " " << index.toDouble();
    EXPECT_EQ(values[1], (std::vector<Number>{10 * place, 10 * place + 40})) << name(type) << " " << index.toDouble();
  }
}

TEST(GatherElements, WrapsNegativeIndicesOnceAndClampsOthers) {
  for (const auto& [type, index, place] : indexCases()) {
    Fixture fixture;
    const Operand indices = fixture.constant(type, {1, 2}, {index, 1});
    EXPECT_EQ(evaluate(fixture, fixture.builder.gatherElements(tens(fixture, {4, 2}), indices)),
              (std::vector<double>{20.0 * place, 30}))
        << name(type) << " " << index.toDouble();
  }
}

TEST(GatherND, WrapsNegativeIndicesOnceAndClampsOthersInEachDimension) {
  for (const auto& [type, index, place] : indexCases()) {
    Fixture fixture;
    const Operand indices = fixture.constant(type, {2, 2}, {index, 1, 2, index});
    EXPECT_EQ(evaluate(fixture, fixture.builder.gatherND(tens(fixture, {4, 4}), indices)),
              (std::vector<double>{40.0 * place + 10, 80 + 10.0 * place}))
        << name(type) << " " << index.toDouble();
  }
}

TEST(ScatterElements, WrapsNegativeIndicesOnceAndClampsOthers) {
  for (const auto& [type, index, place] : indexCases()) {
    Fixture fixture;
    std::vector<double> expected{0, 0, 0, 0};
    expected[place] = 1;
    const Operand zeros = fixture.constant({4}, {0}), one = fixture.constant({1}, {1});
    EXPECT_EQ(evaluate(fixture, fixture.builder.scatterElements(zeros, fixture.constant(type, {1}, {index}), one)), expected)
        << name(type) << " " << index.toDouble();
  }
}

TEST(ScatterND, WrapsNegativeIndicesOnceAndClampsOthersInEachDimension) {
  for (const auto& [type, index, place] : indexCases()) {
    Fixture fixture;
    std::vector<double> expected(16, 0);
    expected[4 * place + 1] = 1;
    expected[8 + place] = 2;  // assigned second, so it wins if both updates write the same element
    const Operand zeros = fixture.constant({4, 4}, {0}), updates = fixture.constant({2}, {1, 2});
    const Operand indices = fixture.constant(type, {2, 2}, {index, 1, 2, index});
    EXPECT_EQ(evaluate(fixture, fixture.builder.scatterND(zeros, indices, updates)), expected)
        << name(type) << " " << index.toDouble();
  }
}

TEST(ScatterElements, OverwritesWithTheLastOfEqualIndicesAndNeverAdds) {
  for (DataType type : kIndexTypes) {
    Fixture fixture;
    const Operand x = fixture.constant({3, 2}, {100}), updates = fixture.constant({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    // Column 0 writes 1, 3 and 7 to row 1, column 1 writes 2, 6 and 8 to row 2.
    const Operand indices = fixture.constant(type, {4, 2}, {1, 2, 1, 0, 2, 2, 1, 2});
    EXPECT_EQ(evaluate(fixture, fixture.builder.scatterElements(x, indices, updates)),
              (std::vector<double>{100, 4, 7, 100, 5, 8}))
        << name(type);
  }
}

TEST(ScatterElements, WritesIndicesThatMeetAfterWrapAndClampInOrder) {
  Fixture fixture;
  const Operand x = fixture.constant({3}, {0}), updates = fixture.constant({5}, {1, 2, 3, 4, 5});
  const Operand indices = fixture.constant(DataType::int32, {5}, {2, -1, 7, 0, -9});  // these select 2, 2, 2, 0 and 0
  EXPECT_EQ(evaluate(fixture, fixture.builder.scatterElements(x, indices, updates)), (std::vector<double>{5, 0, 3}));
}

TEST(ScatterND, OverwritesWithTheLastOfEqualIndicesAndNeverAdds) {
  for (DataType type : kIndexTypes) {
    Fixture fixture;
    const Operand x = fixture.constant({3, 2}, {100}), updates = fixture.constant({3, 2}, {1, 2, 3, 4, 5, 6});
    const Operand indices = fixture.constant(type, {3, 1}, {1, 0, 1});
    EXPECT_EQ(evaluate(fixture, fixture.builder.scatterND(x, indices, updates)), (std::vector<double>{3, 4, 5, 6, 100, 100}))
        << name(type);
  }
}

TEST(ScatterND, LeavesItsInputAlone) {
  Fixture fixture;
  const Operand x = fixture.builder.reshape(fixture.constant({1, 2}, {1, 2}), {2});
  const Operand y = fixture.builder.scatterND(x, fixture.constant(DataType::int32, {1, 1}, {0}), fixture.constant({1}, {9}));
  const std::vector<std::vector<Number>> expected{{1, 2}, {9, 2}};
  EXPECT_EQ(evaluate(fixture, {x, y}), expected);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
