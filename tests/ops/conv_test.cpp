// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/conv_test.cpp tests the values.
#include "ops/conv.h"

#include <limits>

#include "support/bits.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;
using test::Fixture;

constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();
const OptionalSizes kEmpty = std::vector<std::uint32_t>{};

// Calls one of the two methods, so that tests of equal validation steps need to be written only once.
struct Conv {
  using Options = Conv2dOptions;
  static constexpr const char* kName = "conv2d \"stem\": ";
  static Operand call(Fixture& f, const Operand& input, const Operand& filter, Options options) {
    options.label = "stem";
    return f.builder.conv2d(input, filter, std::move(options));
  }
};

struct Transposed {
  using Options = ConvTranspose2dOptions;
  static constexpr const char* kName = "convTranspose2d \"stem\": ";
  static Operand call(Fixture& f, const Operand& input, const Operand& filter, Options options) {
    options.label = "stem";
    return f.builder.convTranspose2d(input, filter, std::move(options));
  }
};

template <typename T>
class Convolution : public testing::Test {
 protected:
  using Options = typename T::Options;

  Operand call(Options options) { return T::call(f, input, filter, std::move(options)); }
  void expectRejected(std::vector<std::string> parts, Options options) {
    parts.push_back(T::kName);
    expectTypeError(parts, [&] { call(std::move(options)); });
  }

  Fixture f;
  Operand input = f.input({1, 4, 5, 5}), filter = f.input({4, 4, 3, 3});
};

using Methods = testing::Types<Conv, Transposed>;
TYPED_TEST_SUITE(Convolution, Methods);

TYPED_TEST(Convolution, RejectsAnInputOrAFilterOfAnotherTypeOrRank) {
  const auto rejected = [&](const std::string& part, const Operand& in, const Operand& weights) {
    expectTypeError({TypeParam::kName, part}, [&] { TypeParam::call(this->f, in, weights, {}); });
  };
  rejected("input data type (int32)", this->f.input(DataType::int32, {1, 4, 5, 5}), this->filter);
  rejected("input rank (3) is not 4.", this->f.input({4, 5, 5}), this->filter);
  rejected("filter rank (5) is not 4.", this->input, this->f.input({1, 4, 4, 3, 3}));
  rejected("filter data type (float16)", this->input, this->f.input(DataType::float16, {4, 4, 3, 3}));
}

TYPED_TEST(Convolution, RejectsOperandsOfAnotherBuilder) {
  Fixture other;
  const Operand foreign = other.input({4, 4, 3, 3}), foreignBias = other.input({4});
  expectTypeError({TypeParam::kName, "input"}, [&] { TypeParam::call(this->f, foreign, this->filter, {}); });
  expectTypeError({TypeParam::kName, "filter"}, [&] { TypeParam::call(this->f, this->input, foreign, {}); });
  this->expectRejected({"bias"}, {.bias = foreignBias});
}

TYPED_TEST(Convolution, RejectsACallAfterBuild) {
  const Operand output = this->call({});
  this->f.builder.build({{"output", output}});
  expectError(ErrorKind::invalidStateError, {}, [&] { this->call({}); });
}

TYPED_TEST(Convolution, RejectsListsOfAnotherSize) {
  this->expectRejected({"padding size (3) is not 4."}, {.padding = {1, 1, 1}});
  this->expectRejected({"padding size (0) is not 4."}, {.padding = kEmpty});
  this->expectRejected({"strides size (1) is not 2."}, {.strides = OptionalSizes{2}});
  this->expectRejected({"strides size (3) is not 2."}, {.strides = {1, 1, 1}});
  this->expectRejected({"dilations size (0) is not 2."}, {.dilations = kEmpty});
  this->expectRejected({"dilations size (4) is not 2."}, {.dilations = {1, 1, 1, 1}});
}

TYPED_TEST(Convolution, RejectsAStrideOrADilationOfZero) {
  this->expectRejected({"strides[0] (0) is not greater than 0."}, {.strides = {0, 1}});
  this->expectRejected({"strides[1] (0) is not greater than 0."}, {.strides = {1, 0}});
  this->expectRejected({"dilations[0] (0) is not greater than 0."}, {.dilations = {0, 1}});
  this->expectRejected({"dilations[1] (0) is not greater than 0."}, {.dilations = {1, 0}});
}

TYPED_TEST(Convolution, RejectsGroupsThatDoNotDivideTheInputChannels) {
  this->expectRejected({"groups (0) is not greater than 0."}, {.groups = 0});
  this->expectRejected({"input channels (4) are not a multiple of groups (3)."}, {.groups = 3});
  this->expectRejected({"input channels (4) are not a multiple of groups (4294967295)."}, {.groups = kMax});
}

TYPED_TEST(Convolution, RejectsABiasThatIsNotOneValueForEachOutputChannel) {
  this->expectRejected({"bias shape [3] is not [4]"}, {.bias = this->f.input({3})});
  this->expectRejected({"bias shape [1] is not [4]"}, {.bias = this->f.input({1})});
  this->expectRejected({"bias rank (2) is not 1."}, {.bias = this->f.input({1, 4})});
  this->expectRejected({"bias rank (0) is not 1."}, {.bias = this->f.input({})});
  this->expectRejected({"bias data type (float16)"}, {.bias = this->f.input(DataType::float16, {4})});
  EXPECT_NO_THROW(this->call({.bias = this->f.input({4})}));
}

TYPED_TEST(Convolution, LeavesTheBuilderUsableAfterARejectedCall) {
  this->expectRejected({"strides"}, {.strides = {0, 0}});
  const Operand output = this->call({});
  EXPECT_NO_THROW(this->f.builder.build({{"output", output}}));
}

TEST(Conv2d, RejectsFilterChannelsThatDoNotFitTheGroups) {
  Fixture f;
  const Operand input = f.input({1, 4, 5, 5});
  const auto rejected = [&](const std::string& part, Shape filter, std::uint32_t groups) {
    expectTypeError({"conv2d: ", part}, [&] { f.builder.conv2d(input, f.input(std::move(filter)), {.groups = groups}); });
  };
  rejected("filter input channels (3) are not the input channels (4) divided by groups (1).", {2, 3, 3, 3}, 1);
  rejected("filter input channels (4) are not the input channels (4) divided by groups (2).", {2, 4, 3, 3}, 2);
  rejected("filter output channels (3) are not a multiple of groups (2).", {3, 2, 3, 3}, 2);
}

TEST(Conv2d, RejectsAFilterLargerThanThePaddedInput) {
  Fixture f;
  const Operand input = f.input({1, 1, 5, 7});
  const auto rejected = [&](const std::string& part, Shape filter, Conv2dOptions options) {
    expectTypeError({"conv2d: ", part}, [&] { f.builder.conv2d(input, f.input(std::move(filter)), std::move(options)); });
  };
  rejected("filter height (6) dilated by 1 does not fit into the input's height (5) and its padding (0 and 0).", {1, 1, 6, 1},
           {});
  rejected("filter width (3) dilated by 4 does not fit into the input's width (7) and its padding (1 and 0).", {1, 1, 1, 3},
           {.padding = {0, 0, 1, 0}, .dilations = {1, 4}});
  // The quotient (5 - 6) / 9 must be rounded down to -1. If it were truncated to 0, the output height would be 1.
  rejected("filter height (6)", {1, 1, 6, 1}, {.strides = {9, 9}});
  rejected("filter height (2) dilated by 4294967295", {1, 1, 2, 1}, {.dilations = {kMax, 1}});
  // (5 - 1) * 2^30 is 2^32, which 32-bit arithmetic would wrap to 0.
  rejected("filter height (5) dilated by 1073741824", {1, 1, 5, 1}, {.dilations = {1u << 30, 1}});
}

TEST(Conv2d, RejectsAnOutputThatIsTooLarge) {
  Fixture f;
  const Operand input = f.input({1, 1, 5, 5}), filter = f.input({1, 1, 1, 1});
  const auto rejected = [&](const std::string& part, Conv2dOptions options) {
    expectTypeError({"conv2d: ", part}, [&] { f.builder.conv2d(input, filter, std::move(options)); });
  };
  rejected("output height (8589934595) is not between 1 and 2147483647.", {.padding = {kMax, kMax, 0, 0}});
  rejected("output width (2147483648) is not between 1 and 2147483647.", {.padding = {0, 0, 2147483643, 0}});
  // 32-bit arithmetic would wrap this to 5.
  rejected("output width (4294967301)", {.padding = {0, 0, 2147483648, 2147483648}});
  rejected("the number of elements", {.padding = {100000, 0, 100000, 0}});
}

// Holds sizes along one axis and the expected output size, which is computed by hand: 1 + floor((input - ((filter - 1) * dilation
// + 1) + begin + end) / stride).
struct Size {
  std::uint32_t input, filter, begin, end, stride, dilation, output;
};

TEST(Conv2d, InfersTheOutputSize) {
  const Size sizes[] = {
      {5, 3, 0, 0, 1, 1, 3},
      {5, 3, 1, 1, 1, 1, 5},
      {5, 3, 1, 0, 1, 1, 4},
      {5, 3, 0, 2, 1, 1, 5},
      {5, 3, 1, 1, 2, 1, 3},
      {6, 3, 1, 1, 2, 1, 3},  // 2.5 is rounded down
      {5, 3, 0, 0, 1, 2, 1},
      {9, 3, 0, 0, 3, 2, 2},
      {5, 5, 0, 0, kMax, 1, 1},
      {5, 1, 0, 0, 1, kMax, 5},
      {5, 1, 0, 0, 70000, 70000, 1},
      {1, 1, kMax, 0, kMax, 1, 2},
      {1, 2, kMax, 0, 1, kMax, 1},
      {1, 3, kMax, kMax, 1, kMax, 1},
      {1, 1, kMax, kMax, 2147483648, 1, 4},
      {1, 1, 70000, 70000, 70000, 1, 3},
  };
  for (const Size& s : sizes) {
    SCOPED_TRACE(testing::Message() << s.input << " " << s.filter << " " << s.begin << " " << s.end << " " << s.stride << " "
                                    << s.dilation);
    Fixture f;
    const Operand tall =
        f.builder.conv2d(f.input({1, 1, s.input, 2}), f.input({1, 1, s.filter, 1}),
                         {.padding = {s.begin, s.end, 0, 0}, .strides = {s.stride, 1}, .dilations = {s.dilation, 1}});
    EXPECT_EQ(tall.shape(), (Shape{1, 1, s.output, 2}));
    const Operand wide =
        f.builder.conv2d(f.input({1, 1, 2, s.input}), f.input({1, 1, 1, s.filter}),
                         {.padding = {0, 0, s.begin, s.end}, .strides = {1, s.stride}, .dilations = {1, s.dilation}});
    EXPECT_EQ(wide.shape(), (Shape{1, 1, 2, s.output}));
  }
}

TEST(Conv2d, ReadsEveryLayout) {
  // The input has 6 channels in 2 groups, and planes of 5 x 7. The output has 4 channels; the filters are 2 x 3.
  const std::pair<Conv2dFilterOperandLayout, Shape> filters[] = {{Conv2dFilterOperandLayout::oihw, {4, 3, 2, 3}},
                                                                 {Conv2dFilterOperandLayout::hwio, {2, 3, 3, 4}},
                                                                 {Conv2dFilterOperandLayout::ohwi, {4, 2, 3, 3}},
                                                                 {Conv2dFilterOperandLayout::ihwo, {3, 2, 3, 4}}};
  for (const auto& [layout, shape] : filters) {
    Fixture f;
    const Operand filter = f.input(DataType::float16, shape), bias = f.input(DataType::float16, {4});
    Conv2dOptions options{.groups = 2, .filterLayout = layout, .bias = bias};
    EXPECT_EQ(f.builder.conv2d(f.input(DataType::float16, {8, 6, 5, 7}), filter, options).descriptor(),
              (OperandDescriptor{DataType::float16, {8, 4, 4, 5}}));
    options.inputLayout = InputOperandLayout::nhwc;
    EXPECT_EQ(f.builder.conv2d(f.input(DataType::float16, {8, 5, 7, 6}), filter, options).descriptor(),
              (OperandDescriptor{DataType::float16, {8, 4, 5, 4}}));
    options.inputLayout = InputOperandLayout::nchw;
    expectTypeError({"input channels (5) are not a multiple of groups (2)."}, [&] {
      f.builder.conv2d(f.input(DataType::float16, {8, 5, 7, 6}), filter, options);
    });
  }
}

TEST(Conv2d, TakesDepthwiseFiltersOfMoreThanOneOutputForEachChannel) {
  Fixture f;
  EXPECT_EQ(f.builder.conv2d(f.input({1, 3, 4, 4}), f.input({6, 1, 2, 2}), {.groups = 3}).shape(), (Shape{1, 6, 3, 3}));
}

TEST(Conv2d, ResolvesAbsentOptions) {
  Fixture f;
  ops::Conv2d op{f.input({1, 1, 5, 5}), f.input({1, 1, 3, 3}), {}};
  const ops::Outputs outputs = ops::infer(op);
  EXPECT_EQ(*op.options.padding, (Shape{0, 0, 0, 0}));
  EXPECT_EQ(*op.options.strides, (Shape{1, 1}));
  EXPECT_EQ(*op.options.dilations, (Shape{1, 1}));
  EXPECT_EQ(ops::infer(op), outputs);
}

TEST(ConvTranspose2d, RejectsFilterInputChannelsThatAreNotTheInputs) {
  Fixture f;
  expectTypeError({"convTranspose2d: filter input channels (3) are not the input channels (4)."}, [&] {
    f.builder.convTranspose2d(f.input({1, 4, 5, 5}), f.input({3, 2, 3, 3}));
  });
}

// Tests the largest number of output channels, 2^16 * 32767, which a filter's shape can express. With more groups than input
// channels, the number would exceed 2^31 - 1.
TEST(ConvTranspose2d, TakesAsManyOutputChannelsAsAFilterCanName) {
  WEBNN_NEEDS_LARGE_TENSORS();
  Fixture f;
  const Operand input = f.input({1, 65536, 1, 1}), filter = f.input({65536, 32767, 1, 1});
  EXPECT_EQ(f.builder.convTranspose2d(input, filter, {.groups = 65536}).shape(), (Shape{1, 2147418112, 1, 1}));
  expectTypeError({"groups (131072)"}, [&] { f.builder.convTranspose2d(input, filter, {.groups = 131072}); });
}

TEST(ConvTranspose2d, RejectsOutputPaddingThatIsNotLessThanTheStride) {
  Fixture f;
  const auto rejected = [&](const std::string& part, ConvTranspose2dOptions options) {
    expectTypeError({"convTranspose2d: ", part}, [&] {
      f.builder.convTranspose2d(f.input({1, 1, 2, 2}), f.input({1, 1, 3, 3}), std::move(options));
    });
  };
  rejected("outputPadding size (1) is not 2.", {.outputPadding = OptionalSizes{0}});
  rejected("outputPadding size (0) is not 2.", {.outputPadding = kEmpty});
  rejected("outputPadding size (3) is not 2.", {.outputPadding = {0, 0, 0}, .outputSizes = {4, 4}});
  rejected("outputPadding[0] (1) is not less than strides[0] (1).", {.outputPadding = {1, 0}});
  rejected("outputPadding[1] (3) is not less than strides[1] (2).", {.strides = {4, 2}, .outputPadding = {3, 3}});
  rejected("outputPadding[0] (4294967295) is not less than strides[0] (4294967295).",
           {.strides = {kMax, 1}, .outputPadding = {kMax, 0}});
}

TEST(ConvTranspose2d, RejectsOutputSizesThatNoOutputPaddingGives) {
  // The calculated size is (2 - 1) * 3 + 3 = 6, minus the padding.
  const auto rejected = [](const std::string& part, ConvTranspose2dOptions options) {
    Fixture f;
    options.strides = {3, 3};
    expectTypeError({"convTranspose2d: ", part}, [&] {
      f.builder.convTranspose2d(f.input({1, 1, 2, 2}), f.input({1, 1, 3, 3}), std::move(options));
    });
  };
  rejected("outputSizes size (1) is not 2.", {.outputSizes = OptionalSizes{6}});
  rejected("outputSizes size (0) is not 2.", {.outputSizes = kEmpty});
  rejected("outputSizes size (4) is not 2.", {.outputSizes = {1, 1, 6, 6}});
  rejected("outputSizes[0] (5) is not at least the calculated height (6) and less than that plus the stride (3).",
           {.outputSizes = {5, 6}});
  rejected("outputSizes[0] (9)", {.outputSizes = {9, 6}});
  rejected("outputSizes[1] (5)", {.outputSizes = {6, 5}});
  rejected("outputSizes[1] (9) is not at least the calculated width (6) and", {.outputSizes = {6, 9}});
  rejected("outputSizes[1] (4294967295)", {.outputSizes = {6, kMax}});
  rejected("outputSizes[0] (1) is not at least the calculated height (-2)", {.padding = {4, 4, 0, 0}, .outputSizes = {1, 6}});
  rejected("output height (0) is not between 1", {.padding = {4, 4, 0, 0}, .outputSizes = {0, 6}});
}

TEST(ConvTranspose2d, RejectsAnOutputSizeThatIsNotAValidDimension) {
  WEBNN_NEEDS_LARGE_TENSORS();
  const auto rejected = [](const std::string& part, Shape input, Shape filter, ConvTranspose2dOptions options) {
    Fixture f;
    expectTypeError({"convTranspose2d: ", part}, [&] {
      f.builder.convTranspose2d(f.input(std::move(input)), f.input(std::move(filter)), std::move(options));
    });
  };
  rejected("output height (0) is not between 1 and 2147483647.", {1, 1, 2, 2}, {1, 1, 1, 1}, {.padding = {1, 1, 0, 0}});
  rejected("output width (-8589934588)", {1, 1, 2, 2}, {1, 1, 1, 1}, {.padding = {0, 0, kMax, kMax}});
  rejected("output height (4294967296)", {1, 1, 2, 2}, {1, 1, 1, 1}, {.strides = {kMax, 1}});
  rejected("output width (2147483648)", {1, 1, 2, 2}, {1, 1, 1, 1}, {.strides = {1, 2147483647}});
  rejected("output width (2147483648)", {1, 1, 2, 2}, {1, 1, 1, 1}, {.strides = {1, 2147483647}, .outputSizes = {2, 2147483648}});
  // The output height is 2 * (2^31 - 2) * (2^32 - 1) + 1.
  rejected("output height (18446744052234715141)", {1, 1, 2147483647, 1}, {1, 1, 2147483647, 1},
           {.strides = {kMax, 1}, .dilations = {kMax, 1}});
  rejected("the number of elements", {1, 1, 2, 2}, {1, 1, 1, 1}, {.strides = {100000, 100000}});
}

// Tests output sizes that are computed by hand: (input - 1) * stride + (filter - 1) * dilation + 1 - begin - end + outputPadding.
TEST(ConvTranspose2d, InfersTheOutputSize) {
  struct Case {
    std::uint32_t input, filter, begin, end, stride, dilation, outputPadding, output;
  };
  const Case cases[] = {
      {3, 3, 0, 0, 1, 1, 0, 5},
      {3, 3, 1, 0, 1, 1, 0, 4},
      {3, 3, 0, 2, 1, 1, 0, 3},
      {3, 3, 0, 0, 3, 1, 1, 10},
      {3, 3, 1, 1, 2, 2, 1, 8},
      {1, 1, 0, 0, kMax, kMax, 0, 1},
      {2, 1, kMax, 0, kMax, 1, 0, 1},  // 2^32 - 1 + 1 - (2^32 - 1)
      {1, 3, kMax, kMax, 1, kMax, 0, 1},
      {1, 1, 4, 0, 70000, 1, 69999, 69996},  // negative without the output padding
      {2, 2, 0, 0, 40000, 50000, 0, 90001},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.output);
    Fixture f;
    ConvTranspose2dOptions tall{.padding = {c.begin, c.end, 0, 0}, .strides = {c.stride, 1}, .dilations = {c.dilation, 1}};
    ConvTranspose2dOptions wide{.padding = {0, 0, c.begin, c.end}, .strides = {1, c.stride}, .dilations = {1, c.dilation}};
    tall.outputPadding = {c.outputPadding, 0};
    wide.outputPadding = {0, c.outputPadding};
    const Operand filter = f.input({1, 1, c.filter, 1}), flatFilter = f.input({1, 1, 1, c.filter});
    EXPECT_EQ(f.builder.convTranspose2d(f.input({1, 1, c.input, 2}), filter, tall).shape(), (Shape{1, 1, c.output, 2}));
    EXPECT_EQ(f.builder.convTranspose2d(f.input({1, 1, 2, c.input}), flatFilter, wide).shape(), (Shape{1, 1, 2, c.output}));
  }
}

TEST(ConvTranspose2d, TakesEveryOutputSizeThatAnOutputPaddingGivesAndIgnoresTheOutputPadding) {
  for (std::uint32_t size : {6u, 7u, 8u}) {
    Fixture f;
    const Operand output = f.builder.convTranspose2d(f.input({1, 1, 2, 2}), f.input({1, 1, 3, 3}),
                                                     {.strides = {3, 3}, .outputPadding = {9, 9}, .outputSizes = {size, 6}});
    EXPECT_EQ(output.shape(), (Shape{1, 1, size, 6}));
  }
  Fixture f;  // the calculated height is 6 - 7 = -1, so heights below -1 + 3 are possible
  EXPECT_EQ(f.builder
                .convTranspose2d(f.input({1, 1, 2, 2}), f.input({1, 1, 3, 3}),
                                 {.padding = {7, 0, 0, 0}, .strides = {3, 3}, .outputSizes = {1, 8}})
                .shape(),
            (Shape{1, 1, 1, 8}));
}

TEST(ConvTranspose2d, ReadsEveryLayout) {
  // The input has 6 channels in 2 groups, and planes of 5 x 7. The output has 4 channels; the filters are 2 x 3.
  const std::pair<ConvTranspose2dFilterOperandLayout, Shape> filters[] = {
      {ConvTranspose2dFilterOperandLayout::iohw, {6, 2, 2, 3}},
      {ConvTranspose2dFilterOperandLayout::hwoi, {2, 3, 2, 6}},
      {ConvTranspose2dFilterOperandLayout::ohwi, {2, 2, 3, 6}}};
  for (const auto& [layout, shape] : filters) {
    Fixture f;
    const Operand filter = f.input(DataType::float16, shape), bias = f.input(DataType::float16, {4});
    ConvTranspose2dOptions options{.groups = 2, .filterLayout = layout, .bias = bias};
    EXPECT_EQ(f.builder.convTranspose2d(f.input(DataType::float16, {8, 6, 5, 7}), filter, options).descriptor(),
              (OperandDescriptor{DataType::float16, {8, 4, 6, 9}}));
    options.inputLayout = InputOperandLayout::nhwc;
    EXPECT_EQ(f.builder.convTranspose2d(f.input(DataType::float16, {8, 5, 7, 6}), filter, options).descriptor(),
              (OperandDescriptor{DataType::float16, {8, 6, 9, 4}}));
  }
}

TEST(ConvTranspose2d, ResolvesAbsentOptionsButNotTheOutputSizes) {
  Fixture f;
  ops::ConvTranspose2d op{f.input({1, 1, 5, 5}), f.input({1, 1, 3, 3}), {}};
  const ops::Outputs outputs = ops::infer(op);
  EXPECT_EQ(*op.options.padding, (Shape{0, 0, 0, 0}));
  EXPECT_EQ(*op.options.strides, (Shape{1, 1}));
  EXPECT_EQ(*op.options.dilations, (Shape{1, 1}));
  EXPECT_EQ(*op.options.outputPadding, (Shape{0, 0}));
  EXPECT_FALSE(op.options.outputSizes.has_value());
  EXPECT_EQ(ops::infer(op), outputs);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
