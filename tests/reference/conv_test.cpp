// Compares convolutions of the reference backend with a textbook implementation and with numbers computed by hand.
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

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

std::vector<Number> numbers(const Values& values) { return {values.begin(), values.end()}; }

// Returns whole numbers from -3 to 3 without a pattern. Their products and sums are exact in every float type.
Values smallIntegers(std::size_t count, std::uint32_t seed) {
  Values values(count);
  for (double& value : values) {
    seed = seed * 1664525 + 1013904223;
    value = static_cast<double>((seed >> 16) % 7) - 3;
  }
  return values;
}

// Calls visit(a, b, c, d) for all coordinates of a shape of rank 4.
template <typename Visit>
void forEach(const Shape& shape, Visit visit) {
  for (std::size_t a = 0; a < shape[0]; ++a)
    for (std::size_t b = 0; b < shape[1]; ++b)
      for (std::size_t c = 0; c < shape[2]; ++c)
        for (std::size_t d = 0; d < shape[3]; ++d) visit(a, b, c, d);
}

// Holds a 4-D array, [batch, channel, height, width] or [output, input, height, width].
struct Array {
  Shape shape;
  Values values;

  explicit Array(Shape dimensions) : shape(std::move(dimensions)), values(elementCount({DataType::float32, shape})) {}
  Array(Shape dimensions, std::uint32_t seed) : Array(std::move(dimensions)) { values = smallIntegers(values.size(), seed); }
  std::size_t index(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
    return ((a * shape[1] + b) * shape[2] + c) * shape[3] + d;
  }
  double& at(std::size_t a, std::size_t b, std::size_t c, std::size_t d) { return values.at(index(a, b, c, d)); }
  double at(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const { return values.at(index(a, b, c, d)); }

  // Returns the array with its dimensions reordered: dimension i of the result is dimension order[i] of this array.
  Array permuted(std::array<std::size_t, 4> order) const {
    Array result({shape[order[0]], shape[order[1]], shape[order[2]], shape[order[3]]});
    forEach(result.shape, [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
      std::array<std::size_t, 4> from{};
      from[order[0]] = a, from[order[1]] = b, from[order[2]] = c, from[order[3]] = d;
      result.at(a, b, c, d) = at(from[0], from[1], from[2], from[3]);
    });
    return result;
  }
};

constexpr std::array<std::size_t, 4> kNchw{0, 1, 2, 3}, kNhwc{0, 2, 3, 1};

// Holds the options that the tests vary, after the specification's defaults are filled in.
struct Case {
  Shape input, filter;  // nchw; oihw or iohw
  std::uint32_t groups = 1;
  std::array<std::uint32_t, 4> padding{};
  std::array<std::uint32_t, 2> strides{1, 1}, dilations{1, 1};
  std::array<std::uint32_t, 2> outputPadding{};
};

const Case kCases[] = {
    {.input = {1, 1, 4, 5}, .filter = {1, 1, 2, 3}},
    {.input = {2, 3, 5, 4}, .filter = {3, 3, 3, 3}, .padding = {1, 1, 1, 1}},
    {.input = {1, 2, 5, 6}, .filter = {2, 2, 3, 2}, .padding = {2, 0, 0, 1}},
    {.input = {1, 2, 5, 6}, .filter = {2, 2, 3, 2}, .padding = {0, 1, 2, 0}, .strides = {2, 3}, .outputPadding = {1, 2}},
    {.input = {1, 2, 7, 6}, .filter = {2, 2, 3, 2}, .padding = {0, 1, 1, 0}, .dilations = {2, 3}},
    {.input = {2, 2, 9, 8}, .filter = {2, 2, 2, 3}, .padding = {3, 0, 1, 2}, .strides = {3, 2}, .dilations = {2, 2}},
    {.input = {1, 4, 4, 4}, .filter = {4, 2, 2, 2}, .groups = 2, .strides = {2, 1}},
    {.input = {1, 3, 4, 4}, .filter = {3, 1, 3, 3}, .groups = 3, .padding = {1, 0, 0, 1}},
    {.input = {1, 3, 1, 1}, .filter = {3, 3, 1, 1}},
};

template <typename Options>
Options optionsOf(const Case& s) {
  Options options;
  options.padding.emplace(s.padding.begin(), s.padding.end());
  options.strides.emplace(s.strides.begin(), s.strides.end());
  options.dilations.emplace(s.dilations.begin(), s.dilations.end());
  options.groups = s.groups;
  if constexpr (requires { options.outputPadding; }) {
    options.outputPadding.emplace(s.outputPadding.begin(), s.outputPadding.end());
  }
  return options;
}

// Computes a convolution by its textbook definition: pads the input with zeros, puts zeros between the filter's elements
// (dilation), then slides the filter over the padded input.
Array convolve(const Array& input, const Array& filter, const Case& s) {
  const auto& padding = s.padding;
  const auto &strides = s.strides, &dilations = s.dilations;
  Array padded(
      {input.shape[0], input.shape[1], input.shape[2] + padding[0] + padding[1], input.shape[3] + padding[2] + padding[3]});
  forEach(input.shape,
          [&](auto n, auto c, auto y, auto x) { padded.at(n, c, y + padding[0], x + padding[2]) = input.at(n, c, y, x); });
  Array spread(
      {filter.shape[0], filter.shape[1], (filter.shape[2] - 1) * dilations[0] + 1, (filter.shape[3] - 1) * dilations[1] + 1});
  forEach(filter.shape,
          [&](auto o, auto c, auto y, auto x) { spread.at(o, c, y * dilations[0], x * dilations[1]) = filter.at(o, c, y, x); });
  Array output({input.shape[0], filter.shape[0], (padded.shape[2] - spread.shape[2]) / strides[0] + 1,
                (padded.shape[3] - spread.shape[3]) / strides[1] + 1});
  forEach(output.shape, [&](auto n, auto o, auto y, auto x) {
    const std::size_t firstChannel = o / (output.shape[1] / s.groups) * spread.shape[1];
    forEach({1, spread.shape[1], spread.shape[2], spread.shape[3]}, [&](auto, auto c, auto v, auto u) {
      output.at(n, o, y, x) += spread.at(o, c, v, u) * padded.at(n, firstChannel + c, y * strides[0] + v, x * strides[1] + u);
    });
  });
  return output;
}

// Computes a transposed convolution, one output element after the other: output position y receives input i times filter element
// v if y + padding = i * stride + v * dilation.
Array convolveTransposed(const Array& input, const Array& filter, const Case& s) {
  const auto size = [&](std::size_t d) {
    return (input.shape[2 + d] - 1) * s.strides[d] + (filter.shape[2 + d] - 1) * s.dilations[d] + 1 - s.padding[2 * d] -
           s.padding[2 * d + 1] + s.outputPadding[d];
  };
  const std::size_t inputsInGroup = input.shape[1] / s.groups, outputsInGroup = filter.shape[1];
  Array output({input.shape[0], filter.shape[1] * s.groups, size(0), size(1)});
  forEach(output.shape, [&](auto n, auto o, auto y, auto x) {
    forEach({1, input.shape[1], input.shape[2], input.shape[3]}, [&](auto, auto c, auto i, auto j) {
      if (c / inputsInGroup != o / outputsInGroup) return;
      forEach({1, 1, filter.shape[2], filter.shape[3]}, [&](auto, auto, auto v, auto u) {
        const bool row = y + s.padding[0] == i * s.strides[0] + v * s.dilations[0];
        const bool column = x + s.padding[2] == j * s.strides[1] + u * s.dilations[1];
        if (row && column) output.at(n, o, y, x) += input.at(n, c, i, j) * filter.at(c, o % outputsInGroup, v, u);
      });
    });
  });
  return output;
}

void addBias(Array& output, const Values& bias) {
  forEach(output.shape, [&](auto n, auto o, auto y, auto x) { output.at(n, o, y, x) += bias[o]; });
}

Operand constantOf(Fixture& f, DataType type, const Array& array) { return f.constant(type, array.shape, numbers(array.values)); }

// Holds a filter layout, and for each of its dimensions the index of that dimension in oihw (or iohw).
template <typename Layout>
struct FilterLayout {
  Layout layout;
  std::array<std::size_t, 4> order;
};

const FilterLayout<Conv2dFilterOperandLayout> kConv2dLayouts[] = {{Conv2dFilterOperandLayout::oihw, {0, 1, 2, 3}},
                                                                  {Conv2dFilterOperandLayout::hwio, {2, 3, 1, 0}},
                                                                  {Conv2dFilterOperandLayout::ohwi, {0, 2, 3, 1}},
                                                                  {Conv2dFilterOperandLayout::ihwo, {1, 2, 3, 0}}};
const FilterLayout<ConvTranspose2dFilterOperandLayout> kTransposedLayouts[] = {
    {ConvTranspose2dFilterOperandLayout::iohw, {0, 1, 2, 3}},
    {ConvTranspose2dFilterOperandLayout::hwoi, {2, 3, 1, 0}},
    {ConvTranspose2dFilterOperandLayout::ohwi, {1, 2, 3, 0}}};

// Runs every case in every layout and both types, with and without bias, and compares with the results of `oracle`.
template <typename Options, typename Layouts, typename Method, typename Oracle>
void expectAll(const Layouts& layouts, Method method, Oracle oracle) {
  for (std::size_t i = 0; i < std::size(kCases); ++i) {
    const Case& s = kCases[i];
    const Array input(s.input, 1u), filter(s.filter, 2u);
    for (DataType type : {DataType::float32, DataType::float16}) {
      for (bool withBias : {false, true}) {
        Array expected = oracle(input, filter, s);
        const Values bias = smallIntegers(expected.shape[1], 3);
        if (withBias) addBias(expected, bias);
        for (InputOperandLayout inputLayout : {InputOperandLayout::nchw, InputOperandLayout::nhwc}) {
          for (const auto& [filterLayout, order] : layouts) {
            SCOPED_TRACE(testing::Message() << "case " << i << ", " << name(type) << ", bias " << withBias << ", input layout "
                                            << int(inputLayout) << ", filter layout " << int(filterLayout));
            const auto image = inputLayout == InputOperandLayout::nhwc ? kNhwc : kNchw;
            Fixture f;
            Options options = optionsOf<Options>(s);
            options.inputLayout = inputLayout;
            options.filterLayout = filterLayout;
            if (withBias) options.bias = f.constant(type, {expected.shape[1]}, numbers(bias));
            const Operand output = (f.builder.*method)(constantOf(f, type, input.permuted(image)),
                                                       constantOf(f, type, filter.permuted(order)), options);
            EXPECT_EQ(output.shape(), expected.permuted(image).shape);
            EXPECT_EQ(evaluate(f, output), expected.permuted(image).values);
          }
        }
      }
    }
  }
}

TEST(Conv2dReference, AgreesWithTheTextbookInEveryLayout) {
  expectAll<Conv2dOptions>(kConv2dLayouts, &GraphBuilder::conv2d, convolve);
}

TEST(ConvTranspose2dReference, AgreesWithTheTextbookInEveryLayout) {
  expectAll<ConvTranspose2dOptions>(kTransposedLayouts, &GraphBuilder::convTranspose2d, convolveTransposed);
}

Values conv2d(DataType type, Shape input, const Values& inputValues, Shape filter, const Values& filterValues,
              Conv2dOptions options = {}) {
  Fixture f;
  return evaluate(f, f.builder.conv2d(f.constant(type, std::move(input), numbers(inputValues)),
                                      f.constant(type, std::move(filter), numbers(filterValues)), std::move(options)));
}

Values convTranspose2d(DataType type, Shape input, const Values& inputValues, Shape filter, const Values& filterValues,
                       ConvTranspose2dOptions options = {}) {
  Fixture f;
  return evaluate(f, f.builder.convTranspose2d(f.constant(type, std::move(input), numbers(inputValues)),
                                               f.constant(type, std::move(filter), numbers(filterValues)), std::move(options)));
}

// Tests that conv2d reads its padding as [beginH, endH, beginW, endW]. Some tools write [beginH, beginW, endH, endW].
TEST(Conv2dReference, ReadsPaddingAsBeginAndEndOfTheHeightThenOfTheWidth) {
  const Values output = conv2d(DataType::float32, {1, 1, 1, 1}, {5}, {1, 1, 1, 1}, {1}, {.padding = {1, 0, 2, 3}});
  EXPECT_EQ(output, (Values{0, 0, 0, 0, 0, 0,  //
                            0, 0, 5, 0, 0, 0}));
}

TEST(Conv2dReference, IsACrossCorrelationThatDoesNotFlipTheFilter) {
  EXPECT_EQ(conv2d(DataType::float32, {1, 1, 2, 2}, {1, 10, 100, 1000}, {1, 1, 2, 2}, {1, 2, 3, 4}), (Values{4321}));
}

TEST(ConvTranspose2dReference, SpreadsTheFilterWithoutFlippingIt) {
  EXPECT_EQ(convTranspose2d(DataType::float32, {1, 1, 1, 1}, {10}, {1, 1, 2, 2}, {1, 2, 3, 4}), (Values{10, 20, 30, 40}));
}

// This convolution is depthwise with two outputs for each channel: output channels 0 and 1 read input channel 0 only.
TEST(Conv2dReference, GroupsDoNotMixTheirChannels) {
  EXPECT_EQ(conv2d(DataType::float32, {1, 2, 1, 1}, {3, 5}, {4, 1, 1, 1}, {1, 10, 100, 1000}, {.groups = 2}),
            (Values{3, 30, 500, 5000}));
}

TEST(ConvTranspose2dReference, GroupsDoNotMixTheirChannels) {
  // The filter is [input channels, output channels / groups, 1, 1].
  EXPECT_EQ(convTranspose2d(DataType::float32, {1, 2, 1, 1}, {3, 5}, {2, 2, 1, 1}, {1, 10, 100, 1000}, {.groups = 2}),
            (Values{3, 30, 500, 5000}));
}

// Tests sizes near 2^32. With a stride of 2^31, the windows start at -(2^32 - 1), -(2^31 - 1), 1 and 2^31 + 1, so no window
// contains the only element, which is at 0.
TEST(Conv2dReference, TakesStridesDilationsAndPaddingNear2To32) {
  EXPECT_EQ(conv2d(DataType::float32, {1, 1, 1, 1}, {7}, {1, 1, 1, 1}, {2},
                   {.padding = {0, 0, kMax, kMax}, .strides = {1, 2147483648}}),
            (Values{0, 0, 0, 0}));
  EXPECT_EQ(
      conv2d(DataType::float32, {1, 1, 1, 1}, {7}, {1, 1, 1, 1}, {2}, {.padding = {0, 0, kMax, kMax}, .strides = {1, kMax}}),
      (Values{0, 14, 0}));
  EXPECT_EQ(conv2d(DataType::float32, {1, 1, 1, 1}, {7}, {1, 1, 3, 1}, {2, 3, 4},
                   {.padding = {kMax, kMax, 0, 0}, .strides = {1, 1}, .dilations = {kMax, 1}}),
            (Values{21}));
  Values line(80001);
  line.front() = 2;
  line[40000] = 3;
  line.back() = 4;
  EXPECT_EQ(
      conv2d(DataType::float32, {1, 1, 1, 80001}, line, {1, 1, 1, 2}, {1, 10}, {.strides = {1, 40000}, .dilations = {1, 40000}}),
      (Values{32, 43}));
}

TEST(ConvTranspose2dReference, TakesStridesDilationsAndPaddingNear2To32) {
  // Input 1 contributes to position 2^32 - 1, which the padding moves to 0.
  EXPECT_EQ(convTranspose2d(DataType::float32, {1, 1, 2, 1}, {5, 7}, {1, 1, 1, 1}, {2},
                            {.padding = {kMax, 0, 0, 0}, .strides = {kMax, 1}}),
            (Values{14}));
  EXPECT_EQ(convTranspose2d(DataType::float32, {1, 1, 1, 1}, {5}, {1, 1, 1, 3}, {2, 3, 4},
                            {.padding = {0, 0, kMax, kMax}, .dilations = {1, kMax}}),
            (Values{15}));
  const Values output = convTranspose2d(DataType::float32, {1, 1, 1, 2}, {5, 7}, {1, 1, 1, 2}, {2, 3},
                                        {.strides = {1, 40000}, .dilations = {1, 50000}});
  ASSERT_EQ(output.size(), 90001u);
  EXPECT_EQ((Values{output[0], output[40000], output[50000], output[90000]}), (Values{10, 14, 15, 21}));
  EXPECT_EQ(std::accumulate(output.begin(), output.end(), 0.0), 60);
}

TEST(ConvTranspose2dReference, LeavesBiasWhereNothingIsSpread) {
  Fixture f;
  const Operand input = f.constant({1, 1, 1, 2}, {1, 2}), filter = f.constant({1, 1, 1, 1}, {10}), bias = f.constant({1}, {0.5});
  EXPECT_EQ(evaluate(f, f.builder.convTranspose2d(input, filter, {.strides = {3, 3}, .outputPadding = {1, 2}, .bias = bias})),
            (Values{10.5, 0.5, 0.5, 20.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}));
}

TEST(ConvTranspose2dReference, OutputSizesExtendTheEndAndOverrideTheOutputPadding) {
  const Values input{1, 2}, filter{10};
  for (std::uint32_t width : {4u, 5u, 6u}) {
    Values expected{10, 0, 0, 20};
    expected.resize(width);
    EXPECT_EQ(convTranspose2d(DataType::float32, {1, 1, 1, 2}, input, {1, 1, 1, 1}, filter,
                              {.strides = {1, 3}, .outputPadding = {9, 9}, .outputSizes = {1, width}}),
              expected);
  }
}

// Tests that padding of a transposed convolution crops the result: padding at the beginning removes elements at the beginning,
// and padding at the end removes elements at the end.
TEST(ConvTranspose2dReference, PaddingCropsTheResult) {
  const Values input{1, 2, 3}, filter{1, 10, 100};  // uncropped: 1, 12, 123, 230, 300
  EXPECT_EQ(convTranspose2d(DataType::float32, {1, 1, 1, 3}, input, {1, 1, 1, 3}, filter, {.padding = {0, 0, 1, 0}}),
            (Values{12, 123, 230, 300}));
  EXPECT_EQ(convTranspose2d(DataType::float32, {1, 1, 1, 3}, input, {1, 1, 1, 3}, filter, {.padding = {0, 0, 1, 2}}),
            (Values{12, 123}));
}

TEST(Conv2dReference, AccumulatesInDoubleAndRoundsOnce) {
  // In float16, 2048 + 1 is 2048; in float32, 2^24 + 1 is 2^24.
  EXPECT_EQ(conv2d(DataType::float16, {1, 3, 1, 1}, {2048, 1, 1}, {1, 3, 1, 1}, {1, 1, 1}), (Values{2050}));
  EXPECT_EQ(conv2d(DataType::float32, {1, 3, 1, 1}, {16777216, 1, 1}, {1, 3, 1, 1}, {1, 1, 1}), (Values{16777218}));
  EXPECT_EQ(conv2d(DataType::float32, {1, 3, 1, 1}, {3e38, 3e38, -3e38}, {1, 3, 1, 1}, {1, 1, 1}), (Values{3e38f}));
  EXPECT_EQ(conv2d(DataType::float16, {1, 2, 1, 1}, {60000, 60000}, {1, 2, 1, 1}, {1, 1}), (Values{kInfinity}));
}

TEST(ConvTranspose2dReference, AccumulatesInDoubleAndRoundsOnce) {
  EXPECT_EQ(convTranspose2d(DataType::float16, {1, 3, 1, 1}, {2048, 1, 1}, {3, 1, 1, 1}, {1, 1, 1}), (Values{2050}));
  EXPECT_EQ(convTranspose2d(DataType::float32, {1, 3, 1, 1}, {3e38, 3e38, -3e38}, {3, 1, 1, 1}, {1, 1, 1}), (Values{3e38f}));
}

TEST(Conv2dReference, NanAndInfinityReachOnlyTheWindowsThatHoldThem) {
  expectNear(conv2d(DataType::float32, {1, 1, 1, 5}, {kNan, 1, 1, kInfinity, 1}, {1, 1, 1, 2}, {1, 2}),
             {kNan, 3, kInfinity, kInfinity});
  expectNear(conv2d(DataType::float32, {1, 1, 1, 2}, {kInfinity, 1}, {1, 1, 1, 1}, {0}), {kNan, 0});
}

// Tests that padded positions are skipped, not multiplied by zero: an infinite weight over padding does not give NaN (infinity *
// 0).
TEST(Conv2dReference, PaddingAddsNothingEvenUnderAnInfiniteWeight) {
  expectNear(conv2d(DataType::float32, {1, 1, 1, 2}, {3, 4}, {1, 1, 1, 2}, {kInfinity, 1}, {.padding = {0, 0, 1, 0}}),
             {3, kInfinity});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
