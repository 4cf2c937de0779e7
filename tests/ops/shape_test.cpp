// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/shape_test.cpp tests the values.
#include <cmath>
#include <limits>

#include "ops/operation.h"
#include "support/support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Sizes = std::vector<std::uint32_t>;

constexpr std::uint32_t kMax = 0x7FFFFFFF;   // the largest dimension
constexpr std::uint32_t kHuge = 0xFFFFFFFF;  // the largest argument
const Sizes kRank9(9, 1);

OperandDescriptor float32(Shape shape) { return {DataType::float32, std::move(shape)}; }

// Describes a method of this test, which is called with an operand of shape [2, 3] and valid arguments.
struct Method {
  std::string name;
  std::function<Operand(GraphBuilder&, Operand, std::string label)> call;
};
const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      {"concat",
       [](auto& builder, auto x, auto label) {
         return builder.concat({x, x}, 0, {.label = label});
       }},
      {"expand",
       [](auto& builder, auto x, auto label) {
         return builder.expand(x, {2, 3}, {.label = label});
       }},
      {"pad",
       [](auto& builder, auto x, auto label) {
         return builder.pad(x, {0, 1}, {1, 0}, {.label = label});
       }},
      {"reshape", [](auto& builder, auto x, auto label) { return builder.reshape(x, {6}, {.label = label}); }},
      {"reverse", [](auto& builder, auto x, auto label) { return builder.reverse(x, {.label = label}); }},
      {"slice",
       [](auto& builder, auto x, auto label) {
         return builder.slice(x, {0, 0}, {1, 1}, {.label = label});
       }},
      {"split", [](auto& builder, auto x, auto label) { return builder.split(x, 2u, {.label = label})[0]; }},
      {"tile",
       [](auto& builder, auto x, auto label) {
         return builder.tile(x, {2, 2}, {.label = label});
       }},
      {"transpose", [](auto& builder, auto x, auto label) { return builder.transpose(x, {.label = label}); }},
      {"triangular", [](auto& builder, auto x, auto label) { return builder.triangular(x, {.label = label}); }},
  };
  return all;
}

TEST(ShapeOperations, RejectAnOperandOfAnotherBuilder) {
  for (const Method& method : methods()) {
    Fixture fixture, other;
    const Operand foreign = other.input({2, 3});
    expectTypeError({method.name + " \"mine\": ", "of another builder"}, [&] { method.call(fixture.builder, foreign, "mine"); });
  }
}

TEST(ShapeOperations, RejectABuilderThatHasBuilt) {
  for (const Method& method : methods()) {
    Fixture fixture;
    const Operand x = fixture.input({2, 3});
    fixture.builder.build({{"y", method.call(fixture.builder, x, "")}});
    expectError(ErrorKind::invalidStateError, {method.name}, [&] { method.call(fixture.builder, x, "late"); });
  }
}

TEST(ShapeOperations, KeepTheDataType) {
  for (const Method& method : methods()) {
    Fixture fixture;
    for (std::size_t i = 0; i < kDataTypeCount; ++i) {
      const auto type = static_cast<DataType>(i);
      EXPECT_EQ(method.call(fixture.builder, fixture.input(type, {2, 3}), "").dataType(), type) << method.name;
    }
  }
}

TEST(ShapeOperations, LeaveTheBuilderUsableAfterARejectedCall) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3});
  expectTypeError({"transpose"}, [&] { fixture.builder.transpose(x, {.permutation = {0}}); });
  expectTypeError({"split"}, [&] { fixture.builder.split(x, 4u); });
  const Graph graph = fixture.builder.build({{"y", fixture.builder.transpose(x)}});
  ASSERT_EQ(graph.outputs().size(), 1u);
  EXPECT_EQ(graph.outputs()[0].second, float32({3, 2}));
}

TEST(Concat, AddsTheSizesAlongTheAxis) {
  Fixture fixture;
  const Operand a = fixture.input({2, 1, 3}), b = fixture.input({2, 4, 3});
  EXPECT_EQ(fixture.builder.concat({a, b, a}, 1).descriptor(), float32({2, 6, 3}));
  EXPECT_EQ(fixture.builder.concat({a}, 2).descriptor(), float32({2, 1, 3}));
  EXPECT_EQ(fixture.builder.concat({a, a}, 0).descriptor(), float32({4, 1, 3}));
}

TEST(Concat, TakesOneTo8192Inputs) {
  Fixture fixture;
  const Operand x = fixture.input({2});
  expectTypeError({"concat \"join\": inputs size (0) is not between 1 and 8192."},
                  [&] { fixture.builder.concat({}, 0, {.label = "join"}); });
  EXPECT_EQ(fixture.builder.concat(std::vector<Operand>(8192, x), 0).shape(), Shape{16384});
  expectTypeError({"inputs size (8193)"}, [&] { fixture.builder.concat(std::vector<Operand>(8193, x), 0); });
}

TEST(Concat, RejectsAnAxisThatIsNotBelowTheRank) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3});
  for (std::uint32_t axis : {2u, 1u << 31, kHuge}) {
    expectTypeError({"concat: axis (" + std::to_string(axis) + ")", "rank of inputs[0] (2)"}, [&] {
      fixture.builder.concat({x, x}, axis);
    });
  }
}

TEST(Concat, RejectsInputsThatDoNotMatchTheFirst) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3}), integers = fixture.input(DataType::int32, {2, 3});
  const Operand vector = fixture.input({2}), wider = fixture.input({2, 4}), scalar = fixture.input(Shape{});
  expectTypeError({"concat \"c\": inputs[2] data type (int32) is not that of inputs[0] (float32)."}, [&] {
    fixture.builder.concat({x, x, integers}, 0, {.label = "c"});
  });
  expectTypeError({"inputs[1] rank (1) is not that of inputs[0] (2)."}, [&] { fixture.builder.concat({x, vector}, 0); });
  expectTypeError({"inputs[1] shape [2, 4] and inputs[0] shape [2, 3] differ outside axis (0)."}, [&] {
    fixture.builder.concat({x, wider}, 0);
  });
  expectTypeError({"concat: inputs rank (0)"}, [&] { fixture.builder.concat({scalar, scalar}, 0); });
}

TEST(Concat, RejectsASumAboveTheLargestDimension) {
  Fixture fixture;
  const Operand most = fixture.input(DataType::int8, {kMax - 1}), one = fixture.input(DataType::int8, {1});
  EXPECT_EQ(fixture.builder.concat({most, one}, 0).shape(), Shape{kMax});
  expectTypeError({"output size along axis (2147483648)"}, [&] { fixture.builder.concat({most, one, one}, 0); });
}

TEST(Concat, RejectsAnOutputOfTooManyElements) {
  Fixture fixture;
  const Operand half = fixture.input(DataType::int8, {32768, 32768});  // 2^30 elements
  expectTypeError({"concat: output", "[65536, 32768]"}, [&] { fixture.builder.concat({half, half}, 0); });
}

TEST(Expand, HasTheNewShape) {
  Fixture fixture;
  const std::vector<std::pair<Shape, Shape>> cases{{{}, {}},
                                                   {{}, {2, 3}},
                                                   {{1}, {4}},
                                                   {{3}, {2, 3}},
                                                   {{2, 1, 3}, {5, 2, 4, 3}},
                                                   {{1}, {kMax}},
                                                   {{}, {1, 1, 1, 1, 1, 1, 1, 2}}};
  for (const auto& [from, to] : cases) EXPECT_EQ(fixture.builder.expand(fixture.input(DataType::int8, from), to).shape(), to);
}

TEST(Expand, RejectsAShapeThatTheInputCannotBroadcastTo) {
  Fixture fixture;
  const std::vector<std::pair<Shape, Shape>> cases{{{2}, {3}}, {{2, 3}, {3}},       {{2}, {1}},
                                                   {{1}, {}},  {{2, 3}, {2, 3, 1}}, {{2}, {4}}};
  for (const auto& [from, to] : cases) {
    expectTypeError(
        {"expand \"e\": input shape " + toString(from) + " is not unidirectionally broadcastable to newShape " + toString(to)},
        [&, from = from, to = to] { fixture.builder.expand(fixture.input(from), to, {.label = "e"}); });
  }
}

TEST(Expand, RejectsAnInvalidShape) {
  Fixture fixture;
  const Operand x = fixture.input({1});
  expectTypeError({"expand: newShape[0] (0)"}, [&] { fixture.builder.expand(x, {0}); });
  expectTypeError({"expand: newShape[1] (2147483648)"}, [&] { fixture.builder.expand(x, {2, kMax + 1}); });
  expectTypeError({"expand: newShape[0] (4294967295)"}, [&] { fixture.builder.expand(x, {kHuge}); });
  expectTypeError({"expand: newShape size (9) is above 8."}, [&] { fixture.builder.expand(x, kRank9); });
  expectTypeError({"expand: output", "[65536, 32768]"}, [&] { fixture.builder.expand(x, {65536, 32768}); });
}

TEST(Pad, AddsBothPaddings) {
  Fixture fixture;
  EXPECT_EQ(fixture.builder.pad(fixture.input({2, 3}), {1, 2}, {3, 4}).descriptor(), float32({6, 9}));
  EXPECT_EQ(fixture.builder.pad(fixture.input({2, 3}), {0, 0}, {0, 0}).descriptor(), float32({2, 3}));
  EXPECT_EQ(fixture.builder.pad(fixture.input(Shape{}), {}, {}).descriptor(), float32({}));
  EXPECT_EQ(fixture.builder.pad(fixture.input({3}), {100}, {0}, {.mode = PaddingMode::edge}).descriptor(), float32({103}));
}

TEST(Pad, RejectsPaddingsOfAnotherSizeThanTheRank) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3}), scalar = fixture.input(Shape{});
  expectTypeError({"pad \"p\": beginningPadding size (1) is not 2."}, [&] {
    fixture.builder.pad(x, {1}, {1, 1}, {.label = "p"});
  });
  expectTypeError({"pad: endingPadding size (3) is not 2."}, [&] { fixture.builder.pad(x, {1, 1}, {1, 1, 1}); });
  expectTypeError({"pad: endingPadding size (0) is not 2."}, [&] { fixture.builder.pad(x, {1, 1}, {}); });
  expectTypeError({"pad: beginningPadding size (1) is not 0."}, [&] { fixture.builder.pad(scalar, {1}, {1}); });
}

TEST(Pad, LimitsReflectionToTheSizeLessOne) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3});
  const PadOptions reflection{.mode = PaddingMode::reflection};
  EXPECT_EQ(fixture.builder.pad(x, {1, 2}, {1, 2}, reflection).shape(), (Shape{4, 7}));
  expectTypeError({"pad: beginningPadding[0] (2) is not less than dimension 0 of input (2)"}, [&] {
    fixture.builder.pad(x, {2, 0}, {0, 0}, reflection);
  });
  expectTypeError({"pad: endingPadding[1] (3) is not less than dimension 1 of input (3)"}, [&] {
    fixture.builder.pad(x, {0, 2}, {0, 3}, reflection);
  });
  expectTypeError({"pad: endingPadding[1] (4294967295)"}, [&] { fixture.builder.pad(x, {0, 0}, {0, kHuge}, reflection); });
}

TEST(Pad, RejectsAnOutputThatIsTooLarge) {
  Fixture fixture;
  const Operand x = fixture.input(DataType::int8, {2, 1});
  EXPECT_EQ(fixture.builder.pad(x, {0, 0}, {0, (1u << 30) - 2}).shape(), (Shape{2, (1u << 30) - 1}));
  for (PaddingMode mode : {PaddingMode::constant, PaddingMode::edge}) {
    expectTypeError({"pad: output dimension 1 (2147483648)"}, [&] { fixture.builder.pad(x, {0, kMax}, {0, 0}, {.mode = mode}); });
    // Modulo 2^32, the first would be 1 and the second 0.
    expectTypeError({"output dimension 1 (4294967297)"}, [&] { fixture.builder.pad(x, {0, kHuge}, {0, 1}, {.mode = mode}); });
    expectTypeError({"output dimension 0 (8589934592)"}, [&] { fixture.builder.pad(x, {kHuge, 0}, {kHuge, 0}, {.mode = mode}); });
    expectTypeError({"pad: output", "[2, 1073741824]"}, [&] {
      fixture.builder.pad(x, {0, 0}, {0, (1u << 30) - 1}, {.mode = mode});
    });
  }
}

TEST(Pad, CastsTheValueToTheTypeOfTheInput) {
  constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;  // not representable as a double
  const std::vector<std::tuple<DataType, Number, Number>> cases{
      {DataType::int64, odd, odd},
      {DataType::int64, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min()},
      {DataType::uint64, ~std::uint64_t{0}, ~std::uint64_t{0}},
      {DataType::uint64, -1, 0},
      {DataType::int32, 2.5, 2},
      {DataType::int8, 300, 127},
      {DataType::uint8, std::nan(""), 0},
      {DataType::int4, -9, -8},
      {DataType::uint4, 16, 15},
      {DataType::float32, 0.1, static_cast<double>(0.1f)},
      {DataType::float16, 65536, std::numeric_limits<double>::infinity()},
      {DataType::float32, std::nan(""), std::nan("")},
  };
  Fixture fixture;
  for (const auto& [type, value, expected] : cases) {
    Operation operation(ops::Pad{fixture.input(type, {1}), {1}, {1}, {.value = value}});
    for (int i = 0; i < 2; ++i) {  // a second validation changes nothing
      validate(operation);
      EXPECT_EQ(std::get<ops::Pad>(operation).options.value, expected) << name(type);
    }
  }
}

TEST(Reshape, HasTheNewShape) {
  Fixture fixture;
  const std::vector<std::pair<Shape, Shape>> cases{{{2, 3}, {3, 2}}, {{2, 3}, {6}},        {{1, 1}, {}},
                                                   {{}, {1, 1, 1}},  {{24}, {2, 1, 3, 4}}, {{kMax}, {1, 1, 1, 1, 1, 1, 1, kMax}}};
  for (const auto& [from, to] : cases) EXPECT_EQ(fixture.builder.reshape(fixture.input(DataType::int8, from), to).shape(), to);
}

TEST(Reshape, RejectsAnotherNumberOfElements) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3}), large = fixture.input(DataType::int8, {1u << 16});
  expectTypeError({"reshape \"r\": newShape [5] does not have as many elements as input [2, 3] (6)."},
                  [&] { fixture.builder.reshape(x, {5}, {.label = "r"}); });
  expectTypeError({"newShape []"}, [&] { fixture.builder.reshape(x, {}); });
  expectTypeError({"newShape [2, 3, 2]"}, [&] { fixture.builder.reshape(x, {2, 3, 2}); });
  expectTypeError({"newShape [1, 5]"}, [&] { fixture.builder.reshape(x, {1, 5}); });
  // These shapes have 2^80 and 2^64 + 2^16 elements. Modulo 2^64, the latter is the number of elements of `large`.
  expectTypeError({"newShape [1048576, "}, [&] { fixture.builder.reshape(large, {1u << 20, 1u << 20, 1u << 20, 1u << 20}); });
  expectTypeError({"newShape [65536, "}, [&] { fixture.builder.reshape(large, {65536, 65537, 193, 22253377}); });
}

TEST(Reshape, RejectsAnInvalidShape) {
  Fixture fixture;
  const Operand x = fixture.input({1});
  expectTypeError({"reshape: newShape[1] (0) is not between 1 and 2147483647."}, [&] { fixture.builder.reshape(x, {1, 0}); });
  expectTypeError({"reshape: newShape[0] (2147483648)"}, [&] { fixture.builder.reshape(x, {kMax + 1}); });
  expectTypeError({"reshape: newShape[0] (4294967295)"}, [&] { fixture.builder.reshape(x, {kHuge}); });
  expectTypeError({"reshape: newShape size (9) is above 8."}, [&] { fixture.builder.reshape(x, kRank9); });
}

TEST(Reverse, ReversesAllAxesUnlessTold) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3, 4});
  Operation all(ops::Reverse{x, {}}), none(ops::Reverse{x, {.axes = Sizes{}}});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(validate(all)[0], x.descriptor());
    EXPECT_EQ(*std::get<ops::Reverse>(all).options.axes, (Sizes{0, 1, 2}));
    EXPECT_EQ(validate(none)[0], x.descriptor());
    EXPECT_EQ(*std::get<ops::Reverse>(none).options.axes, Sizes{});
  }
  EXPECT_EQ(fixture.builder.reverse(fixture.input(Shape{})).shape(), Shape{});
}

TEST(Reverse, RejectsAxesOutOfRangeAndTwice) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3}), scalar = fixture.input(Shape{});
  expectTypeError({"reverse \"r\": axes[1] (2) is out of bounds: not less than the rank of input (2)."}, [&] {
    fixture.builder.reverse(x, {.axes = {0, 2}, .label = "r"});
  });
  expectTypeError({"reverse: axes[0] (4294967295)"}, [&] { fixture.builder.reverse(x, {.axes = {kHuge}}); });
  expectTypeError({"reverse: Duplicate axis: axes[0] and axes[2] are both 1."}, [&] {
    fixture.builder.reverse(x, {.axes = {1, 0, 1}});
  });
  expectTypeError({"reverse: axes[0] (0)"}, [&] { fixture.builder.reverse(scalar, {.axes = {0}}); });
}

TEST(Slice, RoundsTheNumberOfStridesUp) {
  Fixture fixture;
  const Operand x = fixture.input({10});
  const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> cases{
      {0, 10, 1, 10}, {0, 10, 3, 4}, {1, 9, 3, 3},         {9, 1, 1, 1},
      {2, 5, 5, 1},   {2, 6, 5, 2},  {0, 10, 1u << 31, 1}, {3, 7, kHuge, 1}};
  for (const auto& [start, size, stride, expected] : cases) {
    EXPECT_EQ(fixture.builder.slice(x, {start}, {size}, {.strides = {stride}}).descriptor(), float32({expected}));
  }
  EXPECT_EQ(fixture.builder.slice(fixture.input({4, 5, 6}), {1, 2, 3}, {3, 2, 1}).descriptor(), float32({3, 2, 1}));
  EXPECT_EQ(fixture.builder.slice(fixture.input(Shape{}), {}, {}).descriptor(), float32({}));
}

TEST(Slice, StridesAreOnesUnlessTold) {
  Fixture fixture;
  Operation operation(ops::Slice{fixture.input({4, 5}), {1, 1}, {2, 2}, {}});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(validate(operation)[0], float32({2, 2}));
    EXPECT_EQ(*std::get<ops::Slice>(operation).options.strides, (Sizes{1, 1}));
  }
}

TEST(Slice, RejectsListsOfAnotherSizeThanTheRank) {
  Fixture fixture;
  const Operand x = fixture.input({4, 5}), scalar = fixture.input(Shape{});
  expectTypeError({"slice \"s\": starts size (1) is not 2."}, [&] { fixture.builder.slice(x, {0}, {1, 1}, {.label = "s"}); });
  expectTypeError({"slice: sizes size (3) is not 2."}, [&] { fixture.builder.slice(x, {0, 0}, {1, 1, 1}); });
  expectTypeError({"slice: strides size (1) is not 2."}, [&] { fixture.builder.slice(x, {0, 0}, {1, 1}, {.strides = {1}}); });
  expectTypeError({"slice: strides size (0) is not 2."}, [&] { fixture.builder.slice(x, {0, 0}, {1, 1}, {.strides = Sizes{}}); });
  expectTypeError({"slice: starts size (1) is not 0."}, [&] { fixture.builder.slice(scalar, {0}, {1}); });
}

TEST(Slice, RejectsZeroSizesAndStrides) {
  Fixture fixture;
  const Operand x = fixture.input({4, 5});
  expectTypeError({"slice: sizes[1] is 0."}, [&] { fixture.builder.slice(x, {0, 0}, {1, 0}); });
  expectTypeError({"slice: strides[0] is 0."}, [&] { fixture.builder.slice(x, {0, 0}, {1, 1}, {.strides = {0, 1}}); });
}

TEST(Slice, RejectsAWindowOutsideTheInput) {
  Fixture fixture;
  const Operand x = fixture.input({4, 5});
  expectTypeError({"slice: starts[1] (3) plus sizes[1] (3) is above dimension 1 of input (5)."}, [&] {
    fixture.builder.slice(x, {0, 3}, {1, 3});
  });
  expectTypeError({"starts[0] (4) plus sizes[0] (1)"}, [&] { fixture.builder.slice(x, {4, 0}, {1, 1}); });
  expectTypeError({"starts[0] (0) plus sizes[0] (5)"}, [&] { fixture.builder.slice(x, {0, 0}, {5, 1}, {.strides = {5, 1}}); });
  expectTypeError({"starts[0] (4294967295) plus sizes[0] (1)"}, [&] { fixture.builder.slice(x, {kHuge, 0}, {1, 1}); });  // 2^32
  expectTypeError({"starts[0] (2) plus sizes[0] (4294967295)"}, [&] {
    fixture.builder.slice(x, {2, 0}, {kHuge, 1});
  });  // 2^32 + 1
  expectTypeError({"starts[1] (2147483648)"}, [&] { fixture.builder.slice(x, {0, 1u << 31}, {1, 1}); });
}

std::vector<Shape> shapesOf(const std::vector<Operand>& operands) {
  std::vector<Shape> shapes;
  for (const Operand& operand : operands) shapes.push_back(operand.shape());
  return shapes;
}

TEST(Split, MakesEqualPartsOrPartsOfTheGivenSizes) {
  Fixture fixture;
  const Operand x = fixture.input({2, 6});
  EXPECT_EQ(shapesOf(fixture.builder.split(x, 2u)), (std::vector<Shape>{{1, 6}, {1, 6}}));
  EXPECT_EQ(shapesOf(fixture.builder.split(x, 3u, {.axis = 1})), (std::vector<Shape>{{2, 2}, {2, 2}, {2, 2}}));
  EXPECT_EQ(shapesOf(fixture.builder.split(x, Sizes{1, 3, 2}, {.axis = 1})), (std::vector<Shape>{{2, 1}, {2, 3}, {2, 2}}));
  EXPECT_EQ(shapesOf(fixture.builder.split(x, 1u)), (std::vector<Shape>{{2, 6}}));
  EXPECT_EQ(shapesOf(fixture.builder.split(x, Sizes{6}, {.axis = 1})), (std::vector<Shape>{{2, 6}}));
}

TEST(Split, RejectsAnAxisThatIsNotBelowTheRank) {
  Fixture fixture;
  const Operand x = fixture.input({2, 6}), scalar = fixture.input(Shape{});
  expectTypeError({"split \"s\": axis (2) is out of bounds: not less than the rank of input (2)."},
                  [&] { fixture.builder.split(x, 2u, {.axis = 2, .label = "s"}); });
  expectTypeError({"split: axis (4294967295)"}, [&] { fixture.builder.split(x, 2u, {.axis = kHuge}); });
  expectTypeError({"split: input rank (0)"}, [&] { fixture.builder.split(scalar, 1u); });
}

TEST(Split, MakesOneTo8192Parts) {
  Fixture fixture;
  const Operand x = fixture.input({8192 * 8193u});
  EXPECT_EQ(fixture.builder.split(x, 8192u).back().shape(), Shape{8193});
  expectTypeError({"split: splits (0) is not between 1 and 8192."}, [&] { fixture.builder.split(x, 0u); });
  expectTypeError({"split: splits (8193) is not between 1 and 8192."}, [&] { fixture.builder.split(x, 8193u); });
  expectTypeError({"split: splits (4294967295)"}, [&] { fixture.builder.split(x, kHuge); });
  EXPECT_EQ(fixture.builder.split(fixture.input({8192}), Sizes(8192, 1)).size(), 8192u);
  expectTypeError({"split: splits size (0) is not between 1 and 8192."}, [&] { fixture.builder.split(x, Sizes{}); });
  expectTypeError({"split: splits size (8193)"}, [&] { fixture.builder.split(fixture.input({8193}), Sizes(8193, 1)); });
}

TEST(Split, RejectsANumberThatDoesNotDivideTheSize) {
  Fixture fixture;
  const Operand x = fixture.input({2, 6});
  expectTypeError({"split: splits (4) does not divide the size of input along axis (6)."},
                  [&] { fixture.builder.split(x, 4u, {.axis = 1}); });
  expectTypeError({"splits (12)"}, [&] { fixture.builder.split(x, 12u, {.axis = 1}); });
}

TEST(Split, RejectsSizesThatAreZeroOrDoNotAddUp) {
  Fixture fixture;
  const Operand x = fixture.input({6});
  expectTypeError({"split: splits[1] is 0."}, [&] { fixture.builder.split(x, Sizes{3, 0, 3}); });
  expectTypeError({"split: the sum of splits (5) is not the size of input along axis (6)."}, [&] {
    fixture.builder.split(x, Sizes{3, 2});
  });
  expectTypeError({"the sum of splits (7)"}, [&] { fixture.builder.split(x, Sizes{3, 4}); });
  expectTypeError({"the sum of splits (4294967302)"}, [&] { fixture.builder.split(x, Sizes{kHuge, 7}); });  // 6 modulo 2^32
}

TEST(Tile, MultipliesTheShape) {
  Fixture fixture;
  EXPECT_EQ(fixture.builder.tile(fixture.input({2, 3, 1}), {2, 1, 5}).descriptor(), float32({4, 3, 5}));
  EXPECT_EQ(fixture.builder.tile(fixture.input(Shape{}), {}).descriptor(), float32({}));
  EXPECT_EQ(fixture.builder.tile(fixture.input(DataType::int8, {1}), {kMax}).shape(), Shape{kMax});
}

TEST(Tile, RejectsWrongRepetitions) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3});
  expectTypeError({"tile \"t\": repetitions size (1) is not 2."}, [&] { fixture.builder.tile(x, {2}, {.label = "t"}); });
  expectTypeError({"tile: repetitions size (3) is not 2."}, [&] { fixture.builder.tile(x, {1, 1, 1}); });
  expectTypeError({"tile: repetitions[1] is 0."}, [&] { fixture.builder.tile(x, {1, 0}); });
}

TEST(Tile, RejectsAnOutputThatIsTooLarge) {
  Fixture fixture;
  const Operand x = fixture.input(DataType::int8, {2, 3});
  expectTypeError({"tile: output dimension 0 (2147483648)"}, [&] { fixture.builder.tile(x, {1u << 30, 1}); });
  expectTypeError({"tile: output dimension 1 (4294967298)"}, [&] { fixture.builder.tile(x, {1, 1431655766}); });  // 2 modulo 2^32
  expectTypeError({"tile: output dimension 0 (8589934590)"}, [&] { fixture.builder.tile(x, {kHuge, 1}); });
  expectTypeError({"tile: output", "[65536, 196608]"}, [&] { fixture.builder.tile(x, {1u << 15, 1u << 16}); });
  const Operand largest = fixture.input(DataType::int8, {kMax});
  expectTypeError({"output dimension 0 (9223372030412324865)"}, [&] { fixture.builder.tile(largest, {kHuge}); });
}

TEST(Transpose, PermutesTheShape) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3, 4});
  EXPECT_EQ(fixture.builder.transpose(x).descriptor(), float32({4, 3, 2}));
  EXPECT_EQ(fixture.builder.transpose(x, {.permutation = {2, 0, 1}}).descriptor(), float32({4, 2, 3}));
  EXPECT_EQ(fixture.builder.transpose(fixture.input(Shape{})).descriptor(), float32({}));
  EXPECT_EQ(fixture.builder.transpose(fixture.input(Shape{}), {.permutation = Sizes{}}).descriptor(), float32({}));
}

TEST(Transpose, ReversesTheDimensionsUnlessTold) {
  Fixture fixture;
  Operation operation(ops::Transpose{fixture.input({2, 3, 4}), {}});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(validate(operation)[0], float32({4, 3, 2}));
    EXPECT_EQ(*std::get<ops::Transpose>(operation).options.permutation, (Sizes{2, 1, 0}));
  }
}

TEST(Transpose, RejectsInvalidPermutations) {
  Fixture fixture;
  const Operand x = fixture.input({2, 3, 4});
  expectTypeError({"transpose \"t\": permutation size (2) is not 3."}, [&] {
    fixture.builder.transpose(x, {.permutation = {0, 1}, .label = "t"});
  });
  expectTypeError({"transpose: permutation size (0) is not 3."}, [&] { fixture.builder.transpose(x, {.permutation = Sizes{}}); });
  expectTypeError({"transpose: permutation[1] (3) is out of bounds: not less than the rank of input (3)."}, [&] {
    fixture.builder.transpose(x, {.permutation = {0, 3, 1}});
  });
  expectTypeError({"permutation[2] (4294967295)"}, [&] { fixture.builder.transpose(x, {.permutation = {0, 1, kHuge}}); });
  expectTypeError({"transpose: Duplicate axis: permutation[0] and permutation[2] are both 1."}, [&] {
    fixture.builder.transpose(x, {.permutation = {1, 0, 1}});
  });
}

TEST(Triangular, KeepsTheShape) {
  Fixture fixture;
  for (const Shape& shape : {Shape{2, 3}, Shape{5, 1, 4}, Shape{1, 1, 1, 1, 1, 1, 2, 2}}) {
    for (std::int32_t diagonal : {std::numeric_limits<std::int32_t>::min(), 0, std::numeric_limits<std::int32_t>::max()}) {
      EXPECT_EQ(fixture.builder.triangular(fixture.input(shape), {.diagonal = diagonal}).descriptor(), float32(shape));
    }
  }
}

TEST(Triangular, RejectsARankBelow2) {
  Fixture fixture;
  for (const Shape& shape : {Shape{}, Shape{4}}) {
    expectTypeError({"triangular \"mask\": input rank (" + std::to_string(shape.size()) + ")"},
                    [&] { fixture.builder.triangular(fixture.input(shape), {.label = "mask"}); });
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
