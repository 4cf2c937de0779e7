// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/pool_test.cpp tests the values.
#include "ops/pool.h"

#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;
using test::Fixture;

constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();
const OptionalSizes kEmpty = std::vector<std::uint32_t>{};

struct Method {
  const char* name;
  Operand (GraphBuilder::*call)(Operand, Pool2dOptions);

  friend void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }
};

class Pooling : public testing::TestWithParam<Method> {
 protected:
  Operand call(Operand input, Pool2dOptions options) {
    options.label = "stem";
    return (f.builder.*GetParam().call)(std::move(input), std::move(options));
  }
  void expectRejected(std::vector<std::string> parts, const Operand& input, Pool2dOptions options) {
    parts.push_back(std::string(GetParam().name) + " \"stem\": ");
    expectTypeError(parts, [&] { call(input, std::move(options)); });
  }
  void expectRejected(std::vector<std::string> parts, Pool2dOptions options) {
    expectRejected(std::move(parts), f.input({1, 2, 5, 7}), std::move(options));
  }
  void expectSize(Shape plane, Pool2dOptions options, std::uint32_t height, std::uint32_t width) {
    const Operand output = call(f.input({1, 1, plane[0], plane[1]}), std::move(options));
    EXPECT_EQ(output.shape(), (Shape{1, 1, height, width}));
  }

  Fixture f;
};

INSTANTIATE_TEST_SUITE_P(All, Pooling,
                         testing::Values(Method{"averagePool2d", &GraphBuilder::averagePool2d},
                                         Method{"l2Pool2d", &GraphBuilder::l2Pool2d},
                                         Method{"maxPool2d", &GraphBuilder::maxPool2d}),
                         [](const auto& method) { return method.param.name; });

TEST_P(Pooling, RejectsAnInputOfAnotherRankOrBuilder) {
  Fixture other;
  expectRejected({"input rank (3) is not 4."}, f.input({2, 5, 7}), {});
  expectRejected({"input rank (5) is not 4."}, f.input({1, 1, 2, 5, 7}), {});
  expectRejected({"input"}, other.input({1, 2, 5, 7}), {});
}

TEST_P(Pooling, RejectsACallAfterBuild) {
  const Operand input = f.input({1, 2, 5, 7}), output = call(input, {});
  f.builder.build({{"output", output}});
  expectError(ErrorKind::invalidStateError, {GetParam().name}, [&] { call(input, {}); });
}

TEST_P(Pooling, RejectsListsOfAnotherSize) {
  expectRejected({"windowDimensions size (1) is not 2."}, {.windowDimensions = OptionalSizes{3}});
  expectRejected({"windowDimensions size (0) is not 2."}, {.windowDimensions = kEmpty});
  expectRejected({"padding size (2) is not 4."}, {.padding = {1, 1}});
  expectRejected({"padding size (0) is not 4."}, {.padding = kEmpty});
  expectRejected({"strides size (4) is not 2."}, {.strides = {1, 1, 1, 1}});
  expectRejected({"dilations size (3) is not 2."}, {.dilations = {1, 1, 1}});
  expectRejected({"outputSizes size (1) is not 2."}, {.outputSizes = OptionalSizes{1}});
  expectRejected({"outputSizes size (4) is not 2."}, {.outputSizes = {1, 2, 1, 1}});
}

TEST_P(Pooling, RejectsWindowsStridesAndDilationsOfZero) {
  expectRejected({"windowDimensions[0] (0) is not greater than 0."}, {.windowDimensions = {0, 1}});
  expectRejected({"windowDimensions[1] (0) is not greater than 0."}, {.windowDimensions = {1, 0}});
  expectRejected({"strides[0] (0) is not greater than 0."}, {.strides = {0, 1}});
  expectRejected({"strides[1] (0) is not greater than 0."}, {.strides = {1, 0}});
  expectRejected({"dilations[0] (0) is not greater than 0."}, {.dilations = {0, 1}});
  expectRejected({"dilations[1] (0) is not greater than 0."}, {.dilations = {1, 0}});
}

TEST_P(Pooling, RejectsAWindowLargerThanThePaddedInput) {
  expectRejected({"window height (6) dilated by 1 does not fit into the input's height (5) and its padding (0 and 0)."},
                 {.windowDimensions = {6, 1}});
  expectRejected({"window width (3) dilated by 4 does not fit into the input's width (7) and its padding (0 and 1)."},
                 {.windowDimensions = {1, 3}, .padding = {0, 0, 0, 1}, .dilations = {1, 4}});
  expectRejected({"window height (6)"}, {.windowDimensions = {6, 1}, .strides = {9, 9}});
  // The dilated window has a height of (2^32 - 2) * (2^32 - 1) + 1.
  expectRejected({"window height (4294967295) dilated by 4294967295"},
                 {.windowDimensions = {kMax, kMax}, .dilations = {kMax, kMax}, .outputShapeRounding = RoundingType::ceil});
  // (5 - 1) * 2^30 is 2^32, which 32-bit arithmetic would wrap to 0.
  expectRejected({"window height (5) dilated by 1073741824"}, {.windowDimensions = {5, 1}, .dilations = {1u << 30, 1}});
}

TEST_P(Pooling, RejectsAnOutputThatIsTooLarge) {
  expectRejected({"output height (8589934595) is not between 1 and 2147483647."},
                 {.windowDimensions = {1, 1}, .padding = {kMax, kMax, 0, 0}});
  expectRejected({"output width (2147483648)"}, {.windowDimensions = {1, 1}, .padding = {0, 0, 2147483641, 0}});
  expectRejected({"output width (2147483648)"},
                 {.windowDimensions = {1, 1}, .padding = {0, 0, 2147483641, 0}, .outputSizes = {5, 2147483648}});
  expectRejected({"the number of elements"}, {.windowDimensions = {1, 1}, .padding = {100000, 0, 100000, 0}});
}

// Tests wrong output sizes. The calculated size is (5 - 3 + 1) / 2 + 1 = 2.5 by (7 - 3 + 1) / 3 + 1 = 2.67, and both must be
// rounded the same way.
TEST_P(Pooling, RejectsOutputSizesThatAreNotTheCalculatedOnesBothRoundedTheSameWay) {
  Pool2dOptions options{.windowDimensions = {3, 3}, .padding = {1, 0, 0, 1}, .strides = {2, 3}};
  const Shape rejected[] = {{2, 3}, {3, 2}, {1, 2}, {2, 1}, {4, 3}, {3, 4}, {0, 0}, {0, 2}, {kMax, kMax}};
  for (const Shape& sizes : rejected) {
    options.outputSizes.emplace(sizes);
    expectRejected({"outputSizes " + toString(sizes) + " is neither [2, 2] nor [3, 3], the calculated sizes."}, options);
  }
  for (const Shape& sizes : {Shape{2, 2}, Shape{3, 3}}) {
    options.outputSizes.emplace(sizes);
    expectSize({5, 7}, options, sizes[0], sizes[1]);
  }
}

TEST_P(Pooling, RejectsOutputSizesOfZeroEvenWhereNoWindowFits) {
  expectRejected({"output height (0) is not between 1 and 2147483647."}, {.windowDimensions = {9, 9}, .outputSizes = {0, 0}});
}

TEST_P(Pooling, LeavesTheBuilderUsableAfterARejectedCall) {
  expectRejected({"strides"}, {.strides = {0, 0}});
  EXPECT_NO_THROW(f.builder.build({{"output", call(f.input({1, 2, 5, 7}), {})}}));
}

TEST_P(Pooling, TakesTheWholePlaneByDefault) {
  expectSize({5, 7}, {}, 1, 1);
  expectSize({5, 7}, {.padding = {1, 0, 2, 1}}, 2, 4);
  EXPECT_EQ(call(f.input({3, 5, 7, 2}), {.layout = InputOperandLayout::nhwc}).shape(), (Shape{3, 1, 1, 2}));
}

TEST_P(Pooling, ReadsBothLayouts) {
  const Pool2dOptions options{.windowDimensions = {2, 3}, .strides = {3, 2}};
  EXPECT_EQ(call(f.input(DataType::float16, {3, 4, 5, 7}), options).descriptor(),
            (OperandDescriptor{DataType::float16, {3, 4, 2, 3}}));
  Pool2dOptions nhwc = options;
  nhwc.layout = InputOperandLayout::nhwc;
  EXPECT_EQ(call(f.input({3, 5, 7, 4}), nhwc).shape(), (Shape{3, 2, 3, 4}));
}

// Tests output sizes that are computed by hand: floor and ceil of 1 + (input - ((window - 1) * dilation + 1) + padding) / stride.
TEST_P(Pooling, RoundsTheOutputSizeAsAsked) {
  struct Case {
    std::uint32_t input, window, begin, end, stride, dilation, floored, ceiled;
  };
  const Case cases[] = {
      {5, 3, 0, 0, 2, 1, 2, 2},       {4, 3, 0, 0, 2, 1, 1, 2},
      {5, 3, 1, 0, 2, 1, 2, 3},       {5, 3, 0, 1, 2, 1, 2, 3},
      {9, 2, 0, 0, 3, 3, 2, 3},       {3, 1, 0, 0, 3, 1, 1, 2},  // last: rounded up, the second window starts outside the input
      {5, 2, 0, 0, kMax, 1, 1, 2},    {5, 5, 0, 0, kMax, 1, 1, 1},
      {1, 2, kMax, 0, 1, kMax, 1, 1}, {1, kMax, kMax, kMax, kMax, 1, 2, 3},  // last: 1 + 2^32 / (2^32 - 1)
      {5, 1, 0, 0, 1, kMax, 5, 5},    {1, 2, 70000, 1, 70000, 40000, 1, 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::Message() << c.input << " " << c.window << " " << c.begin << " " << c.end << " " << c.stride << " "
                                    << c.dilation);
    Pool2dOptions tall{.windowDimensions = {c.window, 1},
                       .padding = {c.begin, c.end, 0, 0},
                       .strides = {c.stride, 1},
                       .dilations = {c.dilation, 1}};
    expectSize({c.input, 2}, tall, c.floored, 2);
    tall.outputShapeRounding = RoundingType::ceil;
    expectSize({c.input, 2}, tall, c.ceiled, 2);
    Pool2dOptions wide{.windowDimensions = {1, c.window},
                       .padding = {0, 0, c.begin, c.end},
                       .strides = {1, c.stride},
                       .dilations = {1, c.dilation}};
    expectSize({2, c.input}, wide, 2, c.floored);
    wide.outputShapeRounding = RoundingType::ceil;
    expectSize({2, c.input}, wide, 2, c.ceiled);
  }
}

// Tests rounding up for windows larger than the input: 1 + (5 - 7) / 3 is 1/3, which rounds up to a valid dimension; 1 + (5 - 8)
// / 3 is 0.
TEST_P(Pooling, MayRoundUpToOneWindowThatIsLargerThanTheInput) {
  Pool2dOptions options{.windowDimensions = {7, 7}, .strides = {3, 3}, .outputShapeRounding = RoundingType::ceil};
  expectSize({5, 7}, options, 1, 1);
  options.windowDimensions = {8, 7};
  expectRejected({"window height (8)"}, options);
}

TEST_P(Pooling, IgnoresTheRoundingIfOutputSizesAreGiven) {
  Pool2dOptions options{.windowDimensions = {3, 3}, .strides = {2, 2}};
  options.outputShapeRounding = RoundingType::ceil;
  options.outputSizes = {1, 2};
  expectSize({4, 6}, options, 1, 2);  // 1.5 and 2.5, rounded down
  options.outputShapeRounding = RoundingType::floor;
  options.outputSizes = {2, 3};
  expectSize({4, 6}, options, 2, 3);
}

TEST_P(Pooling, ResolvesAbsentOptionsButNotTheOutputSizes) {
  ops::Pool2d op{ops::Pool2dKind::maxPool2d, f.input({1, 5, 7, 2}), {.layout = InputOperandLayout::nhwc}};
  const ops::Outputs outputs = ops::infer(op);
  EXPECT_EQ(*op.options.windowDimensions, (Shape{5, 7}));
  EXPECT_EQ(*op.options.padding, (Shape{0, 0, 0, 0}));
  EXPECT_EQ(*op.options.strides, (Shape{1, 1}));
  EXPECT_EQ(*op.options.dilations, (Shape{1, 1}));
  EXPECT_FALSE(op.options.outputSizes.has_value());
  EXPECT_EQ(ops::infer(op), outputs);
}

TEST(Pool2d, TakesIntegersForTheMaximumOnly) {
  for (DataType type : {DataType::int32, DataType::uint32, DataType::int64, DataType::uint64, DataType::int8, DataType::uint8}) {
    Fixture f;
    const Operand input = f.input(type, {1, 1, 2, 2});
    const std::string part = "input data type (" + std::string(name(type)) + ") is not one of float32, float16.";
    expectTypeError({"averagePool2d: ", part}, [&] { f.builder.averagePool2d(input); });
    expectTypeError({"l2Pool2d: ", part}, [&] { f.builder.l2Pool2d(input); });
    EXPECT_EQ(f.builder.maxPool2d(input).dataType(), type);
  }
  Fixture f;
  expectTypeError({"maxPool2d: input data type (int4)"}, [&] { f.builder.maxPool2d(f.input(DataType::int4, {1, 1, 2, 2})); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
