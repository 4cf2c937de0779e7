// Compares pooling of the reference backend with windows that the test gathers and reduces, and with numbers computed by hand.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::evaluate;
using test::expectNear;
using test::Fixture;
using Values = std::vector<double>;

constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

using Method = Operand (GraphBuilder::*)(Operand, Pool2dOptions);
constexpr Method kAverage = &GraphBuilder::averagePool2d, kL2 = &GraphBuilder::l2Pool2d, kMaximum = &GraphBuilder::maxPool2d;

Values pool(Method method, Shape shape, const Values& values, Pool2dOptions options = {}, DataType type = DataType::float32) {
  Fixture f;
  const Operand input = f.constant(type, std::move(shape), {values.begin(), values.end()});
  return evaluate(f, (f.builder.*method)(input, std::move(options)));
}

// Pooling options with all defaults filled in.
struct WindowCase {
  std::uint32_t height, width;
  std::array<std::uint32_t, 2> window;
  std::array<std::uint32_t, 4> padding{};
  std::array<std::uint32_t, 2> strides{1, 1}, dilations{1, 1};
  RoundingType rounding = RoundingType::floor;

  std::uint32_t outputSize(std::size_t d) const {
    const double span = (window[d] - 1.0) * dilations[d] + 1;
    const double size = ((d == 0 ? height : width) - span + padding[2 * d] + padding[2 * d + 1]) / strides[d] + 1;
    return static_cast<std::uint32_t>(rounding == RoundingType::ceil ? std::ceil(size) : std::floor(size));
  }
  Pool2dOptions options() const {
    Pool2dOptions options;
    options.windowDimensions.emplace(window.begin(), window.end());
    options.padding.emplace(padding.begin(), padding.end());
    options.strides.emplace(strides.begin(), strides.end());
    options.dilations.emplace(dilations.begin(), dilations.end());
    options.outputShapeRounding = rounding;
    return options;
  }
};

const WindowCase kWindowCases[] = {
    {4, 5, {2, 3}},
    {5, 4, {3, 3}, {1, 1, 1, 1}},
    {5, 6, {3, 2}, {2, 0, 0, 1}, {2, 3}},
    {5, 6, {3, 2}, {2, 0, 0, 1}, {2, 3}, {1, 1}, RoundingType::ceil},
    {7, 8, {3, 2}, {0, 1, 1, 0}, {1, 2}, {2, 3}},
    {6, 6, {3, 3}, {0, 0, 0, 0}, {2, 2}, {1, 1}, RoundingType::ceil},
    {5, 5, {2, 2}, {1, 0, 0, 1}, {3, 2}, {2, 2}, RoundingType::ceil},
    {3, 3, {1, 1}, {2, 1, 0, 2}, {1, 1}},
};

// Returns the values of the plane that are in the window at (y, x).
Values windowOf(const WindowCase& s, const Values& plane, std::uint32_t y, std::uint32_t x) {
  Values inside;
  for (std::int64_t v = 0; v < s.window[0]; ++v) {
    for (std::int64_t u = 0; u < s.window[1]; ++u) {
      const std::int64_t row = std::int64_t{y} * s.strides[0] + v * s.dilations[0] - s.padding[0];
      const std::int64_t column = std::int64_t{x} * s.strides[1] + u * s.dilations[1] - s.padding[2];
      const bool padding = row < 0 || row >= s.height || column < 0 || column >= s.width;
      if (!padding) inside.push_back(plane[static_cast<std::size_t>(row * s.width + column)]);
    }
  }
  return inside;
}

double averageOf(const Values& values) {
  double mean = 0;  // computed incrementally, unlike in the library, which divides a sum
  for (std::size_t i = 0; i < values.size(); ++i) mean += (values[i] - mean) / static_cast<double>(i + 1);
  return mean;
}
double l2Of(const Values& values) {
  double norm = 0;
  for (double value : values) norm = std::hypot(norm, value);
  return norm;
}
double maximumOf(const Values& values) { return values.empty() ? -kInfinity : *std::ranges::max_element(values); }

TEST(Pool2dReference, AgreesWithGatheredWindowsInBothLayouts) {
  const std::pair<Method, double (*)(const Values&)> methods[] = {{kAverage, averageOf}, {kL2, l2Of}, {kMaximum, maximumOf}};
  for (std::size_t i = 0; i < std::size(kWindowCases); ++i) {
    const WindowCase& s = kWindowCases[i];
    const std::uint32_t height = s.outputSize(0), width = s.outputSize(1), size = s.height * s.width;
    Values planes[2];  // two channels
    std::uint32_t seed = 5;
    for (Values& plane : planes) {
      for (std::uint32_t k = 0; k < size; ++k)
        plane.push_back(static_cast<double>((seed = seed * 1664525 + 1013904223) >> 24) - 200);
    }
    for (const auto& [method, reduce] : methods) {
      for (InputOperandLayout layout : {InputOperandLayout::nchw, InputOperandLayout::nhwc}) {
        SCOPED_TRACE(testing::Message() << "case " << i << ", layout " << int(layout));
        const bool last = layout == InputOperandLayout::nhwc;
        Values input(2 * size), expected(2 * height * width);
        for (std::size_t c = 0; c < 2; ++c) {
          for (std::size_t k = 0; k < size; ++k) input[last ? 2 * k + c : c * size + k] = planes[c][k];
          for (std::uint32_t k = 0; k < height * width; ++k) {
            expected[last ? 2 * k + c : c * height * width + k] = reduce(windowOf(s, planes[c], k / width, k % width));
          }
        }
        Pool2dOptions options = s.options();
        options.layout = layout;
        const Shape shape = last ? Shape{1, s.height, s.width, 2} : Shape{1, 2, s.height, s.width};
        expectNear(pool(method, shape, input, options), expected, 1e-6);
        if (method != kMaximum) expectNear(pool(method, shape, input, options, DataType::float16), expected, 1e-3);
      }
    }
  }
}

TEST(Pool2dReference, KeepsBatchesAndChannelsApart) {
  EXPECT_EQ(pool(kAverage, {2, 2, 1, 2}, {1, 3, 10, 30, 100, 300, 1000, 3000}), (Values{2, 20, 200, 2000}));
}

TEST(Pool2dReference, TheDefaultWindowIsTheWholePlane) {
  const Values values{1, 2, 3, 4, 5, 9};
  EXPECT_EQ(pool(kAverage, {1, 1, 2, 3}, values), (Values{4}));
  EXPECT_EQ(pool(kMaximum, {1, 1, 2, 3}, values), (Values{9}));
  EXPECT_EQ(pool(kL2, {1, 1, 1, 2}, {3, 4}), (Values{5}));
  // The two channels are 1, 3, 5 and 2, 4, 9.
  EXPECT_EQ(pool(kAverage, {1, 3, 1, 2}, values, {.layout = InputOperandLayout::nhwc}), (Values{3, 5}));
}

TEST(Pool2dReference, PaddingDoesNotCountInTheMean) {
  const Values values{1, 2, 3, 4};
  EXPECT_EQ(pool(kAverage, {1, 1, 2, 2}, values, {.windowDimensions = {2, 2}, .padding = {1, 1, 1, 1}}),
            (Values{1, 1.5, 2, 2, 2.5, 3, 3, 3.5, 4}));
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 4}, values, {.windowDimensions = {1, 3}, .padding = {0, 0, 2, 0}}), (Values{1, 1.5, 2, 3}));
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 4}, values, {.windowDimensions = {1, 3}, .padding = {0, 0, 0, 1}}), (Values{2, 3, 3.5}));
}

TEST(Pool2dReference, PartialWindowsAverageOnlyTheirElements) {
  const Values values{1, 2, 3, 4};
  const Pool2dOptions options{
      .windowDimensions = {1, 3}, .padding = {0, 0, 1, 0}, .strides = {1, 3}, .outputShapeRounding = RoundingType::ceil};
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 4}, values, options), (Values{1.5, 3.5}));
  Pool2dOptions bySizes = options;  // explicit outputSizes ask for the same windows, and keep the padding
  bySizes.outputShapeRounding = RoundingType::floor;
  bySizes.outputSizes = {1, 2};
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 4}, values, bySizes), (Values{1.5, 3.5}));
  bySizes.outputSizes = {1, 1};
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 4}, values, bySizes), (Values{1.5}));
}

TEST(Pool2dReference, PaddingNeverWinsOverNegativeValues) {
  EXPECT_EQ(pool(kMaximum, {1, 1, 1, 2}, {-5, -3}, {.windowDimensions = {2, 2}, .padding = {1, 1, 1, 1}}),
            (Values{-5, -3, -3, -5, -3, -3}));
}

TEST(Pool2dReference, PaddingNeverWinsOverNegativeIntegers) {
  EXPECT_EQ(pool(kMaximum, {1, 1, 1, 2}, {-5, -3}, {.windowDimensions = {1, 2}, .padding = {0, 0, 1, 1}}, DataType::int8),
            (Values{-5, -3, -3}));
}

// Tests windows without elements. The windows of the first case start at -1, 2 and 5; the last one is beyond the input, which
// ends at 4.
TEST(Pool2dReference, AWindowWithoutElementsGivesTheInitialValue) {
  const Pool2dOptions beyond{
      .windowDimensions = {1, 1}, .padding = {0, 0, 1, 0}, .strides = {1, 3}, .outputShapeRounding = RoundingType::ceil};
  const Values values{1, 2, 3, 4, 5};
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 5}, values, beyond), (Values{0, 3, 0}));
  EXPECT_EQ(pool(kL2, {1, 1, 1, 5}, values, beyond), (Values{0, 3, 0}));
  EXPECT_EQ(pool(kMaximum, {1, 1, 1, 5}, values, beyond), (Values{-kInfinity, 3, -kInfinity}));
  const Pool2dOptions before{.windowDimensions = {1, 2}, .padding = {0, 0, 2, 0}};
  EXPECT_EQ(pool(kMaximum, {1, 1, 1, 1}, {7}, before, DataType::int32), (Values{-2147483648.0, 7}));
  EXPECT_EQ(pool(kMaximum, {1, 1, 1, 1}, {7}, before, DataType::uint8), (Values{0, 7}));
  EXPECT_EQ(pool(kMaximum, {1, 1, 1, 1}, {7}, before, DataType::float16), (Values{-kInfinity, 7}));
}

TEST(Pool2dReference, TheMaximumKeepsIntegersExact) {
  struct Case {
    DataType type;
    std::vector<Number> values;
    Number expected;
  };
  const std::int64_t big = std::int64_t{1} << 62;
  const Case cases[] = {
      {DataType::float32, {-1.5, 2.5, -7}, 2.5},
      {DataType::float16, {-1.5, 2.5, -7}, 2.5},
      {DataType::int32, {-2147483647 - 1, 2147483646, 2147483647}, 2147483647},
      {DataType::uint32, {1, 4294967295u, 2147483648u}, 4294967295u},
      {DataType::int64, {big, big + 1, -big}, big + 1},
      {DataType::uint64, {18446744073709551614ull, 18446744073709551615ull, 1}, 18446744073709551615ull},
      {DataType::int8, {-128, -127, -128}, -127},
      {DataType::uint8, {127, 255, 128}, 255},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(name(c.type));
    Fixture f;
    const auto values = evaluate(f, std::vector<Operand>{f.builder.maxPool2d(f.constant(c.type, {1, 1, 1, 3}, c.values))});
    ASSERT_EQ(values[0].size(), 1u);
    EXPECT_TRUE(values[0][0] == c.expected) << values[0][0].toDouble();
  }
}

TEST(Pool2dReference, NanReachesEveryWindowThatHoldsIt) {
  const Pool2dOptions options{.windowDimensions = {1, 2}};
  const Values values{1, kNan, kInfinity, 2, 3};
  for (DataType type : {DataType::float32, DataType::float16}) {
    expectNear(pool(kMaximum, {1, 1, 1, 5}, values, options, type), {kNan, kNan, kInfinity, 3});
    expectNear(pool(kAverage, {1, 1, 1, 5}, values, options, type), {kNan, kNan, kInfinity, 2.5});
  }
  expectNear(pool(kMaximum, {1, 1, 1, 3}, {kNan, 5, 4}), {kNan});  // NaN wins at the beginning and at the end of the window
  expectNear(pool(kMaximum, {1, 1, 1, 3}, {4, 5, kNan}), {kNan});
  expectNear(pool(kMaximum, {1, 1, 1, 2}, {-kInfinity, -kInfinity}), {-kInfinity});
  expectNear(pool(kL2, {1, 1, 1, 2}, {-kInfinity, 1}), {kInfinity});
}

TEST(Pool2dReference, AccumulatesInDoubleAndRoundsOnce) {
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 2}, {60000, 65504}, {}, DataType::float16), (Values{62752}));
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 2}, {3e38, 3e38}), (Values{3e38f}));
  // the exact 50000 lies between float16 neighbours that differ by 32
  EXPECT_EQ(pool(kL2, {1, 1, 1, 2}, {30000, 40000}, {}, DataType::float16), (Values{49984}));
  EXPECT_EQ(pool(kL2, {1, 1, 1, 1}, {-3e38}), (Values{3e38f}));
  EXPECT_EQ(pool(kL2, {1, 1, 1, 1}, {1e-30}), (Values{1e-30f}));
}

// Tests windows, strides and dilations above 2^15, and near 2^32.
TEST(Pool2dReference, TakesVeryLargeWindowsStridesAndDilations) {
  Values line(100001, 1);
  line.front() = 10;
  line[40000] = 7;
  line.back() = 4;
  const Shape shape{1, 1, 1, 100001};
  EXPECT_EQ(pool(kMaximum, shape, line, {.windowDimensions = {1, 60001}, .strides = {1, 40000}}), (Values{10, 7}));
  EXPECT_EQ(pool(kAverage, shape, line, {.windowDimensions = {1, 3}, .dilations = {1, 50000}}), (Values{5}));
  EXPECT_EQ(pool(kAverage, {1, 1, 1, 3}, {1, 2, 6},
                 {.windowDimensions = {1, kMax}, .padding = {0, 0, kMax, kMax}, .strides = {1, kMax}}),
            (Values{0, 3}));
  EXPECT_EQ(
      pool(kMaximum, {1, 1, 1, 1}, {-7}, {.windowDimensions = {3, 1}, .padding = {kMax, kMax, 0, 0}, .dilations = {kMax, 1}}),
      (Values{-7}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
