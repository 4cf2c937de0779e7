// Tests pass recogniseTop: importers write a search for the k best elements of each row as k rounds, each of which finds one
// element. The rounds become one step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/dice.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

struct Search {
  std::uint32_t count = 3;
  bool isGreatest = true;
  DataType type = DataType::int64;  // the data type of the positions
  bool isSwapped = false;           // whether the constant 0, 1, 2, ... begins with 1, 0
};

Operand counting(Fixture& f, std::uint32_t count, bool isSwapped) {
  std::vector<Number> numbers;
  for (std::uint32_t i = 0; i < count; ++i) numbers.emplace_back(static_cast<std::int64_t>(isSwapped && i < 2 ? 1 - i : i));
  return f.constant(DataType::int64, {count}, numbers);
}

// Returns the positions of the best elements along the last dimension, as the importer of ONNX's TopK writes them.
Operand positionsOf(Fixture& f, const Operand& x, const Search& search) {
  GraphBuilder& b = f.builder;
  const auto axis = static_cast<std::uint32_t>(x.rank() - 1);
  const Operand keys = b.where(b.isNaN(x), f.constant({}, {kInfinity}), x),
                places = counting(f, x.shape()[axis], search.isSwapped);
  const ReduceOptions along{.axes = {axis}, .keepDimensions = true};
  std::optional<Operand> taken;
  std::vector<Operand> positions;
  for (std::uint32_t round = 0; round < search.count; ++round) {
    const Operand left = taken ? b.where(*taken, f.constant({}, {search.isGreatest ? -kInfinity : kInfinity}), keys) : keys;
    Operand isBest = b.equal(left, search.isGreatest ? b.reduceMax(left, along) : b.reduceMin(left, along));
    if (taken) isBest = b.logicalAnd(isBest, b.logicalNot(*taken));
    positions.push_back(b.argMax(isBest, axis, {.keepDimensions = true, .outputDataType = DataType::int64}));
    const Operand isTaken = b.equal(places, positions.back());
    taken = taken ? b.logicalOr(*taken, isTaken) : isTaken;
  }
  const Operand all = positions.size() == 1 ? positions[0] : b.concat(positions, axis);
  return search.type == DataType::int64 ? all : b.cast(all, search.type);
}

// Tests rounds with a constant other than 0, 1, 2, ..., and more rounds than elements.
TEST(Top, KeepsOtherRounds) {
  for (const Search& search : {Search{.isSwapped = true}, Search{.count = 9}}) {
    Fixture f;
    const Operand x = f.input({7});
    expectCpuAgrees(f, {positionsOf(f, x, search)}, {.inputs = {{"input0", {7, 6, 5, 4, 3, 2, 1}}}});
  }
}

TEST(Top, FindsTheSameAsTheRounds) {
  Dice dice(3);
  for (int i = 0; i < 60; ++i) {
    Fixture f;
    const std::uint32_t size = dice.of({1U, 2U, 7U, 15U, 16U, 17U, 31U, 64U, 65U, 300U}), rows = dice.size(1, 5);
    // Some searches have more rounds than elements, or a constant other than 0, 1, 2, ...
    const Search search{std::min(dice.oneIn(6) ? size + 2 : size, dice.of({2U, 3U, 8U, 16U})), dice.oneIn(2),
                        dice.of({DataType::int64, DataType::int32}), dice.oneIn(6)};
    const Shape shape = dice.oneIn(2) ? Shape{rows, size} : Shape{2, rows, size};
    SCOPED_TRACE(toString(shape) + " " + std::to_string(search.count));
    std::vector<Number> values;  // many are equal
    for (std::size_t j = 0; j < countOf(shape); ++j) {
      const int value = dice.from(-9, 9);
      values.emplace_back(value == 9    ? kNaN
                          : value == 8  ? kInfinity
                          : value == -9 ? -kInfinity
                          : value == 0  ? dice.of({0.0, -0.0})
                                        : static_cast<double>(value));
    }
    const Operand positions = positionsOf(f, f.input(shape), search);
    CpuCase options;
    if (dice.oneIn(2)) {
      options.inputs = {{"input0", values}};
    } else {
      options.specials = true, options.seed = dice.size(1, 999);
    }
    expectCpuAgrees(f, {positions}, options);
  }
}

TEST(Top, FindsElementsOfRowsThatAreAllEqual) {
  for (const double value : {kInfinity, -kInfinity, kNaN, 0.5}) {
    for (const bool isGreatest : {false, true}) {
      Fixture f;
      const Operand positions = positionsOf(f, f.input({2, 20}), {.count = 18, .isGreatest = isGreatest});
      expectCpuAgrees(f, {positions}, {.inputs = {{"input0", std::vector<Number>(40, value)}}});
    }
  }
}

TEST(Top, IsOneStep) {
  Fixture f;
  EXPECT_EQ(operationsAfter(f, {positionsOf(f, f.input({3, 40}), {.count = 16})}, {cpu::recogniseTop}), "topPositions");
  Fixture computed;
  EXPECT_EQ(cpuKernels(computed, {positionsOf(computed, computed.input({3, 40}), {.count = 16})}),
            std::vector<std::string>{"top 16 of 3x40"});
}

TEST(Top, LeavesOtherSearches) {
  const auto expectLeft = [](auto make) {
    Fixture f;
    const std::string operations = operationsAfter(f, {make(f)}, {cpu::recogniseTop});
    EXPECT_EQ(operations.find("topPositions"), std::string::npos) << operations;
  };
  expectLeft([](Fixture& f) {  // the second round searches another operand
    const Operand a = positionsOf(f, f.input({3, 9}), {.count = 1}), b = positionsOf(f, f.input({3, 9}), {.count = 1});
    return f.builder.concat({a, b}, 1);
  });
  expectLeft([](Fixture& f) {  // the second round may find the first position again
    const Operand x = f.input({3, 9});
    return f.builder.concat({positionsOf(f, x, {.count = 1}), positionsOf(f, x, {.count = 1})}, 1);
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
