// Tests convolutions of ONNX: forms and attributes that are missing in ONNX's own tests, and invalid attributes.
#include <limits>

#include "onnx/imported.h"
#include "onnx/malformed.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Ints = std::vector<std::int64_t>;

Given ones(Dims dims) {
  std::int64_t count = 1;
  for (std::int64_t size : dims) count *= size;
  return inputOf(kFloat, std::move(dims), std::vector<double>(static_cast<std::size_t>(count), 1));
}

Given line(std::vector<double> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return inputOf(kFloat, {1, 1, size}, std::move(values));
}

TEST(OnnxConv, OneDimensionIsPaddedAsEachModeSays) {
  const Given x = line({1, 2, 3, 4, 5}), pair = ones({1, 1, 2}), triple = ones({1, 1, 3});
  const auto conv = [](std::vector<Attribute> attributes) { return Node{"Conv", {}, {}, std::move(attributes)}; };
  expectCases({
      {"upper", conv({{"auto_pad", "SAME_UPPER"}}), {x, pair}, {{3, 5, 7, 9, 5}}},
      {"lower", conv({{"auto_pad", "SAME_LOWER"}}), {x, pair}, {{1, 3, 5, 7, 9}}},
      {"upper with a stride", conv({{"auto_pad", "SAME_UPPER"}, {"strides", Ints{2}}}), {x, triple}, {{3, 9, 9}}},
      {"a stride longer than the kernel", conv({{"auto_pad", "SAME_UPPER"}, {"strides", Ints{3}}}), {x, pair}, {{3, 9}}},
      {"valid, dilated", conv({{"auto_pad", "VALID"}, {"dilations", Ints{2}}}), {x, pair}, {{4, 6, 8}}},
      {"explicit", conv({{"pads", Ints{2, 0}}}), {x, pair}, {{0, 1, 3, 5, 7, 9}}},
      {"pads do not count beside a mode", conv({{"auto_pad", "VALID"}, {"pads", Ints{2, 0}}}), {x, pair}, {{3, 5, 7, 9}}},
      {"negative", conv({{"pads", Ints{-1, 1}}}), {x, pair}, {{5, 7, 9, 5}}},
  });
}

TEST(OnnxConv, GroupsKeepTheirChannels) {
  const Given x = inputOf(kFloat, {1, 2, 2}, {1, 2, 10, 20}), w = inputOf(kFloat, {2, 1, 1}, {3, 5}),
              b = inputOf(kFloat, {2}, {0.5, -0.5});
  expectCases({
      {"conv", {"Conv", {}, {}, {{"group", 2}}}, {x, w, b}, {{3.5, 6.5, 49.5, 99.5}}},
      {"transposed", {"ConvTranspose", {}, {}, {{"group", 2}}}, {x, w, b}, {{3.5, 6.5, 49.5, 99.5}}},
      {"rectified",
       {"FusedConv",
        {},
        {},
        {{"group", 2}, {"activation", "Clip"}, {"activation_params", std::vector<float>{4, 50}}},
        "com.microsoft"},
       {x, w, b},
       {{4, 6.5, 49.5, 50}}},
  });
}

TEST(OnnxConv, MoreThanTwoDimensionsBecomeTwo) {
  const Given cube = inputOf(kFloat, {1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expectCases({
      {"three", {"Conv"}, {cube, ones({1, 1, 2, 2, 2})}, {{36}}},
      {"three, padded in front", {"Conv", {}, {}, {{"pads", Ints{1, 0, 0, 0, 0, 0}}}}, {cube, ones({1, 1, 2, 2, 2})}, {{10, 36}}},
      {"three in groups",
       {"Conv", {}, {}, {{"group", 2}}},
       {inputOf(kFloat, {1, 2, 2, 1, 1}, {1, 2, 30, 40}), inputOf(kFloat, {2, 1, 2, 1, 1}, {1, 10, 2, 3})},
       {{21, 180}}},
      {"four",
       {"Conv", {}, {}, {{"strides", Ints{1, 1, 1, 2}}}},
       {inputOf(kFloat, {1, 1, 2, 1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), ones({1, 1, 2, 1, 1, 1})},
       {{8, 12, 14, 18}}},
      {"transposed",
       {"ConvTranspose", {}, {}, {{"strides", Ints{1, 1, 2}}}},
       {inputOf(kFloat, {1, 1, 1, 1, 2}, {1, 2}), ones({1, 1, 2, 1, 2})},
       {{1, 1, 2, 2, 1, 1, 2, 2}}},
  });
}

// An infinite weight must change only the outputs for which it is multiplied by an input element. If padding were multiplied as
// zeros, 0 times infinity would give NaN in other outputs.
TEST(OnnxConv, TransposedVolumesMultiplyNoPadding) {
  const float inf = std::numeric_limits<float>::infinity();
  const Given line = inputOf(kFloat, {1, 1, 3, 1, 1}, {1, 2, 3}), bias = inputOf(kFloat, {1}, {0.5});
  expectCases({
      {"two taps", {"ConvTranspose"}, {line, inputOf(kFloat, {1, 1, 2, 1, 1}, {inf, 1}), bias}, {{inf, inf, inf, 3.5}}},
      {"two taps of a phase",
       {"ConvTranspose", {}, {}, {{"strides", Ints{2, 1, 1}}}},
       {line, inputOf(kFloat, {1, 1, 3, 1, 1}, {1, 1, inf}), bias},
       {{1.5, 1.5, inf, 2.5, inf, 3.5, inf}}},
      {"a phase without taps",
       {"ConvTranspose", {}, {}, {{"strides", Ints{2, 1, 1}}}},
       {line, inputOf(kFloat, {1, 1, 1, 1, 1}, {inf}), bias},
       {{inf, 0.5, inf, 0.5, inf}}},
  });
}

// Padding crops a whole dimension, so only its output padding remains.
TEST(OnnxConv, TransposedOnesMayConsistOfOutputPadding) {
  expectCases({{"a dimension of padding",
                {"ConvTranspose",
                 {},
                 {},
                 {{"strides", Ints{2, 3, 1}}, {"pads", Ints{0, 2, 0, 0, 0, 0}}, {"output_padding", Ints{1, 2, 0}}}},
                {ones({1, 1, 2, 1, 1}), ones({1, 1, 1, 1, 1}), inputOf(kFloat, {1}, {0.25})},
                {{0.25, 0.25, 0.25, 0.25}}},
               {"a line of padding",
                {"ConvTranspose", {}, {}, {{"strides", Ints{3}}, {"pads", Ints{2, 0}}, {"output_padding", Ints{2}}}},
                {ones({1, 1, 1}), ones({1, 1, 1})},
                {{0}}}});
}

TEST(OnnxConv, TransposedOnesHaveTheSizeThatIsAskedFor) {
  const Given x = line({1, 2, 3}), pair = ones({1, 1, 2}), slope = inputOf(kFloat, {1, 1, 3}, {1, 2, 3});
  const auto transposed = [](std::vector<Attribute> attributes) {
    attributes.push_back({"strides", Ints{2}});
    return Node{"ConvTranspose", {}, {}, std::move(attributes)};
  };
  const Given bias = inputOf(kFloat, {1}, {10});
  expectCases({
      {"plain", transposed({}), {x, pair}, {{1, 1, 2, 2, 3, 3}}},
      {"output padding", transposed({{"output_padding", Ints{1}}}), {x, pair, bias}, {{11, 11, 12, 12, 13, 13, 10}}},
      {"padding and output padding",
       transposed({{"pads", Ints{1, 1}}, {"output_padding", Ints{1}}}),
       {x, pair},
       {{1, 2, 2, 3, 3}}},
      {"padding on one side", transposed({{"pads", Ints{1, 0}}}), {x, pair}, {{1, 2, 2, 3, 3}}},
      {"negative padding", transposed({{"pads", Ints{-1, -3}}}), {x, pair, bias}, {{10, 11, 11, 12, 12, 13, 13, 10, 10, 10}}},
      {"upper", transposed({{"auto_pad", "SAME_UPPER"}}), {x, slope}, {{1, 2, 5, 4, 9, 6}}},
      {"lower", transposed({{"auto_pad", "SAME_LOWER"}}), {x, slope}, {{2, 5, 4, 9, 6, 9}}},
      {"upper with a kernel shorter than the stride",
       transposed({{"auto_pad", "SAME_UPPER"}}),
       {x, ones({1, 1, 1})},
       {{1, 0, 2, 0, 3, 0}}},
      {"an output shape", transposed({{"output_shape", Ints{5}}}), {x, slope}, {{2, 5, 4, 9, 6}}},
      {"an output shape, upper", transposed({{"output_shape", Ints{4}}, {"auto_pad", "SAME_UPPER"}}), {x, slope}, {{2, 5, 4, 9}}},
      {"an output shape with batch and channels",
       transposed({{"output_shape", Ints{1, 1, 6}}}),
       {x, slope},
       {{2, 5, 4, 9, 6, 9}}},
      {"a larger output shape", transposed({{"output_shape", Ints{8}}}), {x, pair}, {{1, 1, 2, 2, 3, 3, 0, 0}}},
  });
}

TEST(OnnxConv, IntegerSumsAreExact) {
  // 60 * 6 * 255 * 255 - 255 is odd and above 2^24, so it is not exact in float32.
  std::vector<double> filter(60 * 6, 255);
  filter.back() = 254;
  const Given x = inputOf(kUint8, {1, 60, 6}, std::vector<double>(60 * 6, 255));
  expectCases({
      {"deep", {"ConvInteger"}, {x, inputOf(kUint8, {1, 60, 6}, filter)}, {{23408745}}, 10, 0},
      {"zero points",
       {"ConvInteger", {}, {}, {{"pads", Ints{1, 0}}}},
       {inputOf(kUint8, {1, 1, 2}, {10, 13}), inputOf(kInt8, {2, 1, 2}, {1, 2, 3, 4}), inputOf(kUint8, {1}, {11}),
        inputOf(kInt8, {2}, {1, 5})},
       {{-1, 2, 1, 0}},
       10,
       0},
  });
}

TEST(OnnxConv, QuantizedOnesHaveAScaleForEachFilter) {
  const Given scale = constantOf(kFloat, {}, {0.5}), zero = constantOf(kUint8, {}, {10});
  // (12 - 10) * 0.5 * 3 * 0.25 + 4 * 0.5 * 0.25 = 1.25 and (12 - 10) * 0.5 * -2 * 2 - 3 * 0.5 * 2 = -7
  expectCases({
      {"per filter",
       {"QLinearConv"},
       {inputOf(kUint8, {1, 1, 1}, {12}), scale, zero, constantOf(kInt8, {2, 1, 1}, {3, -2}), constantOf(kFloat, {2}, {0.25, 2}),
        constantOf(kInt8, {2}, {0, 0}), constantOf(kFloat, {1}, {0.25}), constantOf(kUint8, {1}, {30}),
        constantOf(kInt32, {2}, {4, -3})},
       {{35, 2}},
       10,
       0},
  });
}

TEST(OnnxConv, CausalOnesGoOnFromTheirState) {
  const Given x = inputOf(kFloat, {1, 2, 2}, {1, 2, 10, 20}), w = inputOf(kFloat, {2, 1, 3}, {1, 2, 3, 1, 0, 0});
  expectCases({
      {"state",
       {"CausalConvWithState"},
       {x, w, {}, inputOf(kFloat, {1, 2, 2}, {4, 5, 6, 7})},
       {{17, 13, 6, 7}, {1, 2, 10, 20}},
       27},
      {"short input",
       {"CausalConvWithState"},
       {inputOf(kFloat, {1, 1, 1}, {7}), inputOf(kFloat, {1, 1, 3}, {1, 2, 3})},
       {{21}, {0, 7}},
       27},
      {"one tap", {"CausalConvWithState"}, {x, inputOf(kFloat, {2, 1, 1}, {2, 3})}, {{2, 4, 30, 60}}, 27},
  });
}

TEST(OnnxConv, AttributesThatMakeNoSenseAreErrors) {
  const Given x = line({1, 2, 3}), w = ones({1, 1, 2});
  const auto conv = [&](std::vector<Attribute> attributes, Given filter) {
    return modelOf({"Conv", {}, {}, std::move(attributes)}, {x, std::move(filter)});
  };
  expectMalformed({
      {conv({{"strides", Ints{0}}}, w), {"strides has a number (0) that is not from 1 to"}},
      {conv({{"strides", Ints{std::int64_t{1} << 40}}}, w), {"strides has a number (1099511627776)"}},
      {conv({{"dilations", Ints{-1}}}, w), {"dilations has a number (-1)"}},
      {conv({{"strides", Ints{1, 1}}}, w), {"strides has 2 numbers where 1 are expected"}},
      {conv({{"pads", Ints{1}}}, w), {"pads has 1 numbers where 2 are expected"}},
      {conv({{"pads", Ints{-2, -2}}}, w), {"a dimension of its output (-1)"}},
      {conv({{"kernel_shape", Ints{3}}}, w), {"kernel_shape[0] (3) is not that of the weights (2)"}},
      {conv({{"auto_pad", "SAME"}}, w), {"auto_pad (\"SAME\")"}},
      {conv({{"group", 0}}, w), {"group (0) is not from 1 to"}},
      {conv({}, ones({1, 1, 2, 2})), {"the weights have 2 spatial dimensions, the input has 1"}},
      {modelOf({"Conv"}, {inputOf(kFloat, {1, 1}, {1}), inputOf(kFloat, {1, 1}, {1})}), {"no spatial dimensions"}},
      {modelOf({"Conv"}, {inputOf(kFloat, {1, 1, 1, 1, 1}, {1}), ones({1, 1, 2, 1, 1})}), {"a dimension of its output (0)"}},
      {modelOf({"ConvTranspose", {}, {}, {{"output_shape", Ints{0}}}}, {x, w}), {"(0) is not from 1 to"}},
      {modelOf({"ConvTranspose", {}, {}, {{"output_shape", Ints{1, 2}}}}, {x, w}),
       {"output_shape has 2 numbers where 1 are expected"}},
      {modelOf({"ConvTranspose", {}, {}, {{"pads", Ints{9, 9}}}}, {x, w}), {"a dimension of its output (-14)"}},
      {modelOf({"Col2Im"}, {ones({1, 3, 4}), constantOf(kInt64, {2}, {2, 2}), constantOf(kInt64, {2}, {2, 1})}, 18),
       {"the channels (3) are not a multiple"}},
      {modelOf({"Col2Im"}, {ones({1, 3, 4}), constantOf(kInt64, {2}, {2, 2}), constantOf(kInt64, {2}, {4, 1})}, 18),
       {"more elements than the input has channels"}},
  });
}

// The expected values are from ONNX Runtime and ONNX's reference evaluator, or computed by hand.
TEST(OnnxConv, BlocksThatOverlapAddUp) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto sizes = [](std::vector<double> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return constantOf(kInt64, {count}, std::move(values));
  };
  std::vector<double> columns{1, 2, 3, 4, infinity, 6, 7, 8, 9, 10, 11, 12};
  expectCases({
      {"an infinity stays alone",
       {"Col2Im"},
       {inputOf(kFloat, {1, 4, 3}, columns), sizes({2, 4}), sizes({2, 2})},
       {{1, 6, infinity, 6, 7, 18, 20, 12}},
       18},
      {"integers", {"Col2Im"}, {inputOf(kInt32, {1, 2, 2}, {1, 2, 3, 4}), sizes({3}), sizes({2})}, {{1, 5, 4}}, 18},
      {"strides, dilations and pads",  // blocks begin at positions -1, 1 and 3; their two elements are two positions apart
       {"Col2Im", {}, {}, {{"strides", Ints{2}}, {"dilations", Ints{2}}, {"pads", Ints{1, 1}}}},
       {inputOf(kFloat, {1, 2, 3}, {1, 2, 3, 10, 20, 30}), sizes({5}), sizes({2})},
       {{0, 12, 0, 23, 0}},
       18},
  });
}

TEST(OnnxConv, NamesUnsupportedFeatures) {
  const Given x = line({1, 2, 3}), w = ones({1, 1, 2});
  expectUnsupported({
      {{"Conv"}, {inputOf(kInt32, {1, 1, 3}, {1, 2, 3}), inputOf(kInt32, {1, 1, 1}, {1})}, {"conv2d", "int32"}},
      {{"Conv", {}, {}, {{"group", 2}}}, {x, w}, {"not a multiple of groups (2)"}},
      {{"FusedConv", {}, {}, {{"activation", "Mish"}}, "com.microsoft"}, {x, w}, {"WebNN has no activation \"Mish\""}},
      {{"Conv", {}, {}, {{"pads", Ints{1 << 22, 0, 0, 0, 0, 0}}}},
       {ones({1, 1, 1, 2, 2}), ones({1, 1, 17, 2, 2})},
       {"third dimension", "71302913 elements"}},
      {{"DeformConv"}, {line({1, 2}), w, x}, {"an input of rank 3"}, 22},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
