// Compares resample2d of the reference backend with the specification's formulas and with numbers computed by hand.
#include <cmath>
#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::evaluate;
using test::expectNear;
using test::Fixture;
using Values = std::vector<double>;
using Scales = OptionalSequence<float>;

constexpr InterpolationMode kNearest = InterpolationMode::nearestNeighbor, kLinear = InterpolationMode::linear;

Values resample(Shape shape, const Values& values, Resample2dOptions options, DataType type = DataType::float32) {
  Fixture f;
  return evaluate(f,
                  f.builder.resample2d(f.constant(type, std::move(shape), {values.begin(), values.end()}), std::move(options)));
}

Values resampleRow(const Values& row, Resample2dOptions options, DataType type = DataType::float32) {
  return resample({1, 1, 1, static_cast<std::uint32_t>(row.size())}, row, std::move(options), type);
}

TEST(Resample2dReference, DoublesTheSpecificationsExample) {
  const Values input{0, 1, 2, 3, 0, 1, 2, 3, 12, 13, 14, 15, 12, 13, 14, 15};
  const Values columns{0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3}, rows{0, 0, 0, 3, 9, 12, 12, 12};
  Values expected;
  for (double row : rows) {
    for (double column : columns) expected.push_back(row + column);
  }
  EXPECT_EQ(resample({1, 1, 4, 4}, input, {.mode = kLinear, .sizes = {8, 8}}), expected);
  EXPECT_EQ(resample({1, 1, 4, 4}, input, {.mode = kLinear, .scales = Scales{2, 2}}), expected);
  EXPECT_EQ(resample({1, 1, 4, 4}, input, {.mode = kLinear, .scales = Scales{2, 2}}, DataType::float16), expected);
}

TEST(Resample2dReference, RepeatsTheNearestNeighbor) {
  EXPECT_EQ(resample({1, 1, 2, 2}, {1, 2, 3, 4}, {.scales = Scales{2, 3}}),
            (Values{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
}

// Tests ties of "nearest". Halving puts the coordinates at 0.5, 2.5, ...: each is equally near to two pixels, and ceil(x - 0.5)
// selects the lower one.
TEST(Resample2dReference, TakesTheLowerOfTwoEquallyNearNeighbors) {
  EXPECT_EQ(resampleRow({1, 2, 3, 4}, {.scales = Scales{1, 0.5f}}), (Values{1, 3}));
  EXPECT_EQ(resampleRow({1, 2, 3, 4, 5, 6}, {.sizes = {1, 3}}), (Values{1, 3, 5}));
  EXPECT_EQ(resampleRow({1, 2, 3, 4, 5, 6}, {.mode = kLinear, .sizes = {1, 3}}), (Values{1.5, 3.5, 5.5}));
}

// Tests that the scale in use is outputSize / inputSize. It differs from the given scale if the output size was rounded.
TEST(Resample2dReference, ScaleIsThatOfTheSizes) {
  // 5 * 1.5 rounds down to 7. The coordinates (o + 0.5) / (7 / 5) - 0.5 are -1/7, 4/7, 9/7, 2, 19/7, 24/7 and 29/7.
  const Values nearest{0, 1, 1, 2, 3, 3, 4}, linear{0, 4 / 7.0, 9 / 7.0, 2, 19 / 7.0, 24 / 7.0, 4};
  for (const Resample2dOptions& options : {Resample2dOptions{.scales = Scales{1, 1.5f}}, Resample2dOptions{.sizes = {1, 7}}}) {
    EXPECT_EQ(resampleRow({0, 1, 2, 3, 4}, options), nearest);
    Resample2dOptions interpolating = options;
    interpolating.mode = kLinear;
    expectNear(resampleRow({0, 1, 2, 3, 4}, interpolating), linear);
  }
  EXPECT_EQ(resampleRow({10, 20, 30}, {.scales = Scales{1, 1.5f}}), (Values{10, 20, 20, 30}));
  EXPECT_EQ(resampleRow({10, 20, 30, 40}, {.scales = Scales{1, 0.75f}}), (Values{10, 20, 40}));
  EXPECT_EQ(resampleRow({1, 2, 3, 4, 5}, {.scales = Scales{1, 0.5f}}), (Values{2, 4}));
}

TEST(Resample2dReference, SizesOverrideScales) {
  EXPECT_EQ(resampleRow({1, 2}, {.scales = Scales{3, 0.5f}, .sizes = {1, 4}}), (Values{1, 1, 2, 2}));
}

// Tests exact coordinates. The coordinate 8.5 / (17 / 14) - 0.5 is exactly 6.5, whose lower neighbour is 6. If 17 / 14 were
// rounded to a double, the coordinate would exceed 6.5.
TEST(Resample2dReference, ComputesCoordinatesOfSizesExactly) {
  Values row(14);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(i);
  EXPECT_EQ(resampleRow(row, {.sizes = {1, 17}})[8], 6);
  EXPECT_EQ(resampleRow(row, {.mode = kLinear, .sizes = {1, 17}})[8], 6.5);
}

// Computes one output element by the specification's formulas.
double expectedAt(const Shape& shape, const Values& input, std::vector<std::size_t> at, const std::vector<std::uint32_t>& axes,
                  const Shape& outputShape, InterpolationMode mode) {
  const auto read = [&](double first, double second) {
    at[axes[0]] = static_cast<std::size_t>(first);
    at[axes[1]] = static_cast<std::size_t>(second);
    return input.at(((at[0] * shape[1] + at[1]) * shape[2] + at[2]) * shape[3] + at[3]);
  };
  double coordinate[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const double scale = double(outputShape[axes[i]]) / shape[axes[i]];
    coordinate[i] = std::min(std::max((static_cast<double>(at[axes[i]]) + 0.5) / scale - 0.5, 0.0), shape[axes[i]] - 1.0);
  }
  const auto [y, x] = coordinate;
  if (mode == kNearest) return read(std::ceil(y - 0.5), std::ceil(x - 0.5));
  const double y0 = std::floor(y), x0 = std::floor(x), ty = y - y0, tx = x - x0;
  const double top = read(y0, x0) + tx * (read(y0, std::ceil(x)) - read(y0, x0));
  const double bottom = read(std::ceil(y), x0) + tx * (read(std::ceil(y), std::ceil(x)) - read(std::ceil(y), x0));
  return top + ty * (bottom - top);
}

TEST(Resample2dReference, ResamplesAnyPairOfAxesInAnyOrder) {
  const Shape shape{3, 4, 5, 2};
  Values input(120);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<double>(i * i % 101);
  for (std::uint32_t first = 0; first < 4; ++first) {
    for (std::uint32_t second = 0; second < 4; ++second) {
      if (first == second) continue;
      for (InterpolationMode mode : {kNearest, kLinear}) {
        Shape outputShape = shape;
        outputShape[first] = 7;
        outputShape[second] = 3;
        Values expected;
        for (std::size_t a = 0; a < outputShape[0]; ++a)
          for (std::size_t b = 0; b < outputShape[1]; ++b)
            for (std::size_t c = 0; c < outputShape[2]; ++c)
              for (std::size_t d = 0; d < outputShape[3]; ++d)
                expected.push_back(expectedAt(shape, input, {a, b, c, d}, {first, second}, outputShape, mode));
        SCOPED_TRACE(testing::Message() << "axes " << first << ", " << second << (mode == kLinear ? ", linear" : ", nearest"));
        const Resample2dOptions options{.mode = mode, .sizes = {7, 3}, .axes = {first, second}};
        expectNear(resample(shape, input, options), expected);
        expectNear(resample(shape, input, options, DataType::float16), expected, 1e-3);
      }
    }
  }
}

TEST(Resample2dReference, ScalesBelongToTheAxesInTheirOrder) {
  EXPECT_EQ(resample({1, 2, 1, 2}, {1, 2, 3, 4}, {.scales = Scales{2, 1}, .axes = {3, 1}}), (Values{1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(resample({1, 2, 1, 2}, {1, 2, 3, 4}, {.scales = Scales{1, 2}, .axes = {3, 1}}), (Values{1, 2, 1, 2, 3, 4, 3, 4}));
}

TEST(Resample2dReference, IsTheIdentityByDefault) {
  const Values values{-1, 0, 1, 127, -128, 5};
  for (DataType type : {DataType::float32, DataType::float16, DataType::int8}) {
    EXPECT_EQ(resample({1, 1, 2, 3}, values, {}, type), values);
    EXPECT_EQ(resample({1, 1, 2, 3}, values, {.mode = kLinear}, type), values);
  }
  EXPECT_EQ(resample({1, 1, 1, 3}, {0, 128, 255}, {.mode = kLinear}, DataType::uint8), (Values{0, 128, 255}));
}

// Tests rounding of integers. Doubling two pixels a, b gives a, (3a + b) / 4, (a + 3b) / 4, b.
TEST(Resample2dReference, RoundsLinearIntegersHalfToEven) {
  const Resample2dOptions options{.mode = kLinear, .sizes = {1, 4}};
  EXPECT_EQ(resampleRow({0, 2}, options, DataType::int8), (Values{0, 0, 2, 2}));               // 0.5, 1.5
  EXPECT_EQ(resampleRow({1, 3}, options, DataType::uint8), (Values{1, 2, 2, 3}));              // 1.5, 2.5
  EXPECT_EQ(resampleRow({-4, -2}, options, DataType::int8), (Values{-4, -4, -2, -2}));         // -3.5, -2.5
  EXPECT_EQ(resampleRow({-128, 127}, options, DataType::int8), (Values{-128, -64, 63, 127}));  // -64.25, 63.25
  EXPECT_EQ(resampleRow({255, 253}, options, DataType::uint8), (Values{255, 254, 254, 253}));  // 254.5, 253.5
  EXPECT_EQ(resampleRow({255, 255}, options, DataType::uint8), (Values{255, 255, 255, 255}));
}

TEST(Resample2dReference, CopiesIntegersToTheNearest) {
  EXPECT_EQ(resampleRow({-128, 127}, {.sizes = {1, 3}}, DataType::int8), (Values{-128, -128, 127}));
  EXPECT_EQ(resampleRow({255, 1}, {.sizes = {1, 3}}, DataType::uint8), (Values{255, 255, 1}));
}

TEST(Resample2dReference, RoundsToTheTypeOnce) {
  // 2048 and 2050 are neighbours in float16, so 2048.5 and 2049.5 are rounded to them.
  EXPECT_EQ(resampleRow({2048, 2050}, {.mode = kLinear, .sizes = {1, 4}}, DataType::float16), (Values{2048, 2048, 2050, 2050}));
  EXPECT_EQ(resampleRow({3e38, 3e38}, {.mode = kLinear, .sizes = {1, 1}}), (Values{3e38f}));
}

TEST(Resample2dReference, NearestNeighborsKeepNanInfinityAndTheSignOfZero) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Values output = resampleRow({nan, -inf, -0.0, inf}, {.sizes = {1, 8}});
  expectNear(output, {nan, nan, -inf, -inf, 0, 0, inf, inf});
  EXPECT_TRUE(std::signbit(output[4]));
}

TEST(Resample2dReference, ResamplesToAndFromLargeSizes) {
  const Values wide = resampleRow({1, 2}, {.sizes = {1, 100000}});
  EXPECT_EQ(wide[49999], 1);
  EXPECT_EQ(wide[50000], 2);
  EXPECT_EQ(resampleRow({7}, {.scales = Scales{1, 70000}}), Values(70000, 7));
  Values line(70001);
  line[35000] = 5;
  EXPECT_EQ(resampleRow(line, {.sizes = {1, 1}}), (Values{5}));  // the coordinate is 0.5 * 70001 - 0.5 = 35000
  EXPECT_EQ(resampleRow(line, {.mode = kLinear, .sizes = {1, 1}}), (Values{5}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
