// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/resample_test.cpp tests the values.
#include "ops/resample.h"

#include <cmath>
#include <limits>

#include "support/bits.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;
using test::Fixture;

constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();

void expectRejected(std::vector<std::string> parts, Resample2dOptions options, Shape shape = {1, 2, 3, 4}) {
  Fixture f;
  options.label = "up";
  parts.push_back("resample2d \"up\": ");
  expectTypeError(parts, [&] { f.builder.resample2d(f.input(shape), std::move(options)); });
}

Shape resampled(Shape shape, Resample2dOptions options) {
  Fixture f;
  return f.builder.resample2d(f.input(std::move(shape)), std::move(options)).shape();
}

TEST(Resample2d, RejectsAnInputOfAnotherTypeRankOrBuilder) {
  Fixture f, other;
  for (DataType type : {DataType::int32, DataType::uint32, DataType::int64, DataType::uint64, DataType::int4, DataType::uint4}) {
    expectTypeError(
        {"resample2d: input data type (" + std::string(name(type)) + ") is not one of float32, float16, int8, uint8."}, [&] {
          f.builder.resample2d(f.input(type, {1, 1, 2, 2}));
        });
  }
  expectTypeError({"resample2d: input rank (3) is not 4."}, [&] { f.builder.resample2d(f.input({1, 2, 2})); });
  expectTypeError({"resample2d: input"}, [&] { f.builder.resample2d(other.input({1, 1, 2, 2})); });
}

TEST(Resample2d, RejectsACallAfterBuild) {
  Fixture f;
  const Operand input = f.input({1, 1, 2, 2});
  f.builder.build({{"output", f.builder.resample2d(input)}});
  expectError(ErrorKind::invalidStateError, {"resample2d"}, [&] { f.builder.resample2d(input); });
}

TEST(Resample2d, RejectsScalesThatAreNotTwoPositiveNumbers) {
  using Scales = OptionalSequence<float>;
  const float inf = std::numeric_limits<float>::infinity();
  expectRejected({"scales size (1) is not 2."}, {.scales = Scales{2.0f}});
  expectRejected({"scales size (0) is not 2."}, {.scales = std::vector<float>{}});
  expectRejected({"scales size (4) is not 2."}, {.scales = Scales{1, 1, 2, 2}});
  expectRejected({"scales[0] (0) is not greater than 0"}, {.scales = Scales{0, 1}});
  expectRejected({"scales[1] (-2) is not greater than 0"}, {.scales = Scales{1, -2}});
  expectRejected({"scales[0] (-0) is not greater than 0"}, {.scales = Scales{-0.0f, 1}});
  expectRejected({"scales[1] (nan)"}, {.scales = Scales{1, std::nanf("")}});
  expectRejected({"scales[0] (inf)"}, {.scales = Scales{inf, 1}});
  // Scales are also validated if sizes are given, which override them.
  expectRejected({"scales[0] (0)"}, {.scales = Scales{0, 1}, .sizes = {6, 8}});
  expectRejected({"scales size (1)"}, {.scales = Scales{2.0f}, .sizes = {6, 8}});
}

TEST(Resample2d, RejectsSizesThatAreNotTwoValidDimensions) {
  expectRejected({"sizes size (1) is not 2."}, {.sizes = OptionalSizes{6}});
  expectRejected({"sizes size (0) is not 2."}, {.sizes = std::vector<std::uint32_t>{}});
  expectRejected({"sizes size (4) is not 2."}, {.sizes = {1, 2, 6, 8}});
  expectRejected({"sizes[0] (0) is not between 1 and 2147483647."}, {.sizes = {0, 8}});
  expectRejected({"sizes[1] (0) is not between 1 and 2147483647."}, {.sizes = {6, 0}});
  expectRejected({"sizes[0] (2147483648) is not between 1 and 2147483647."}, {.sizes = {2147483648, 8}});
  expectRejected({"sizes[1] (4294967295)"}, {.sizes = {6, kMax}});
}

TEST(Resample2d, RejectsAxesThatAreNotTwoDifferentDimensions) {
  expectRejected({"axes size (1) is not 2."}, {.axes = OptionalSizes{2}});
  expectRejected({"axes size (0) is not 2."}, {.axes = std::vector<std::uint32_t>{}});
  expectRejected({"axes size (3) is not 2."}, {.axes = {1, 2, 3}});
  expectRejected({"Duplicate axis: axes[0] and axes[1] are both 2."}, {.axes = {2, 2}});
  expectRejected({"axes[1] (4) is out of bounds: not less than the rank of input (4)."}, {.axes = {3, 4}});
  expectRejected({"axes[0] (4294967295)"}, {.axes = {kMax, 1}});
}

TEST(Resample2d, RejectsAScaledSizeThatIsNotAValidDimension) {
  using Scales = OptionalSequence<float>;
  expectRejected({"size of axis 2 (3) scaled by 0.25 (0) is not between 1 and 2147483647."}, {.scales = Scales{0.25f, 1}});
  expectRejected({"size of axis 3 (4) scaled by 1e-38 (0)"}, {.scales = Scales{1, 1e-38f}});
  expectRejected({"(2147483648) is not between 1 and 2147483647."}, {.scales = Scales{1 << 30, 1}, .axes = {1, 0}});
  expectRejected({"size of axis 2 (3)"}, {.scales = Scales{3e38f, 1}});
  expectRejected({"the number of elements"}, {.scales = Scales{65536, 32768}}, {1, 1, 1, 1});
  expectRejected({"the number of elements"}, {.sizes = {65536, 32768}}, {1, 1, 1, 1});
}

TEST(Resample2d, LeavesTheBuilderUsableAfterARejectedCall) {
  Fixture f;
  const Operand input = f.input({1, 1, 2, 2});
  expectTypeError({"sizes"}, [&] { f.builder.resample2d(input, {.sizes = {0, 0}}); });
  EXPECT_NO_THROW(f.builder.build({{"output", f.builder.resample2d(input)}}));
}

TEST(Resample2d, RoundsScaledSizesDown) {
  WEBNN_NEEDS_LARGE_TENSORS();
  using Scales = OptionalSequence<float>;
  EXPECT_EQ(resampled({1, 2, 3, 4}, {.scales = Scales{2, 0.5f}}), (Shape{1, 2, 6, 2}));
  EXPECT_EQ(resampled({1, 2, 3, 4}, {.scales = Scales{1.9f, 0.4f}}), (Shape{1, 2, 5, 1}));
  // The float nearest to 0.7 is 0.699999988, and the float nearest to 0.1 is 0.100000001.
  EXPECT_EQ(resampled({1, 1, 10, 10}, {.scales = Scales{0.7f, 0.1f}}), (Shape{1, 1, 6, 1}));
  // (2^30 - 1) * (1 + 2^-23) is 2^30 + 127 - 2^-23: just below an integer, and not representable as a double.
  EXPECT_EQ(resampled({1, 1, (1u << 30) - 1, 1}, {.scales = Scales{1 + 0x1p-23f, 1}}), (Shape{1, 1, (1u << 30) + 126, 1}));
}

TEST(Resample2d, PrefersSizesToScales) {
  EXPECT_EQ(resampled({1, 2, 3, 4}, {.scales = OptionalSequence<float>{9, 9}, .sizes = {5, 6}}), (Shape{1, 2, 5, 6}));
}

TEST(Resample2d, TakesAnyPairOfAxesInAnyOrder) {
  for (std::uint32_t first = 0; first < 4; ++first) {
    for (std::uint32_t second = 0; second < 4; ++second) {
      if (first == second) continue;
      Shape expected{1, 2, 3, 4};
      expected[first] = 7;
      expected[second] = 8;
      EXPECT_EQ(resampled({1, 2, 3, 4}, {.sizes = {7, 8}, .axes = {first, second}}), expected);
    }
  }
}

TEST(Resample2d, KeepsTheTypeAndResolvesAbsentOptionsButNotTheSizes) {
  for (DataType type : {DataType::float32, DataType::float16, DataType::int8, DataType::uint8}) {
    Fixture f;
    ops::Resample2d op{f.input(type, {1, 2, 3, 4}), {}};
    const ops::Outputs outputs = ops::infer(op);
    EXPECT_EQ(outputs, (ops::Outputs{{type, {1, 2, 3, 4}}}));
    EXPECT_EQ(*op.options.scales, (std::vector<float>{1, 1}));
    EXPECT_EQ(*op.options.axes, (Shape{2, 3}));
    EXPECT_FALSE(op.options.sizes.has_value());
    EXPECT_EQ(ops::infer(op), outputs);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
