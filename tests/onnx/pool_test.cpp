// Tests pooling of ONNX: cases that are missing in ONNX's own tests, and invalid attributes.
#include <cmath>
#include <limits>

#include "onnx/imported.h"
#include "onnx/malformed.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Ints = std::vector<std::int64_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Given line(std::vector<double> values, Type type = kFloat) {
  const auto size = static_cast<std::int64_t>(values.size());
  return inputOf(type, {1, 1, size}, std::move(values));
}

Node pool(const char* opType, Ints kernel, std::vector<Attribute> attributes = {}) {
  attributes.push_back({"kernel_shape", std::move(kernel)});
  return {opType, {}, {}, std::move(attributes)};
}

TEST(OnnxPool, PaddingCountsIfItIsSaidTo) {
  const Given x = line({1, 2, 3}), longer = line({1, 2, 3, 4, 5, 6});
  const std::vector<Attribute> ceil{{"ceil_mode", 1}, {"strides", Ints{2}}, {"pads", Ints{1, 1}}};
  std::vector<Attribute> included = ceil;
  included.push_back({"count_include_pad", 1});
  expectCases({
      {"upper", pool("AveragePool", {2}, {{"auto_pad", "SAME_UPPER"}}), {x}, {{1.5, 2.5, 3}}},
      {"upper, counted",
       pool("AveragePool", {2}, {{"auto_pad", "SAME_UPPER"}, {"count_include_pad", 1}}),
       {x},
       {{1.5, 2.5, 1.5}}},
      {"lower, counted",
       pool("AveragePool", {2}, {{"auto_pad", "SAME_LOWER"}, {"count_include_pad", 1}}),
       {x},
       {{0.5, 1.5, 2.5}}},
      // The last window contains 6, a padding zero, and a position beyond the padding, which is never counted.
      {"behind the padding", pool("AveragePool", {3}, included), {longer}, {{1, 3, 5, 3}}, 19},
      {"not counted", pool("AveragePool", {3}, ceil), {longer}, {{1.5, 3, 5, 6}}, 19},
      {"dilated",
       pool("AveragePool", {2}, {{"dilations", Ints{3}}, {"pads", Ints{0, 1}}, {"count_include_pad", 1}}),
       {longer},
       {{2.5, 3.5, 4.5, 2}},
       19},
  });
}

// ONNX's formula for auto_pad gives a negative padding if the windows leave out elements. ONNX Runtime then moves the first
// window.
TEST(OnnxPool, SkipsElementsIfAutomaticPaddingIsNegative) {
  const auto skipping = [](const char* opType, const char* mode, std::vector<Attribute> attributes = {}) {
    attributes.push_back({"auto_pad", mode});
    attributes.push_back({"strides", Ints{4}});
    return pool(opType, {1}, std::move(attributes));
  };
  const Given x = line({1, 2, 3, 4, 5, 6, 7}), longer = line({1, 2, 3, 4, 5, 6, 7, 8});  // paddings: -2 and -3
  expectCases({
      {"upper", skipping("AveragePool", "SAME_UPPER"), {x}, {{2, 6}}, 22},
      {"lower", skipping("AveragePool", "SAME_LOWER"), {x}, {{1, 5}}, 22},
      {"upper, odd", skipping("AveragePool", "SAME_UPPER"), {longer}, {{2, 6}}, 22},
      {"lower, odd", skipping("AveragePool", "SAME_LOWER"), {longer}, {{2, 6}}, 22},
      {"counted", skipping("AveragePool", "SAME_UPPER", {{"count_include_pad", 1}}), {longer}, {{2, 6}}, 22},
      {"rounded up", skipping("AveragePool", "SAME_UPPER", {{"ceil_mode", 1}}), {longer}, {{2, 6}}, 22},
      {"norm", skipping("LpPool", "SAME_UPPER"), {longer}, {{2, 6}}, 22},
      {"norm of order 3", skipping("LpPool", "SAME_LOWER", {{"p", 3}}), {longer}, {{2, 6}}, 22},
      {"greatest, with indices", skipping("MaxPool", "SAME_UPPER"), {longer}, {{2, 6}, {1, 5}}, 22},
      {"one dimension of two",
       pool("MaxPool", {2, 1}, {{"auto_pad", "SAME_UPPER"}, {"strides", Ints{1, 3}}}),
       {inputOf(kFloat, {1, 1, 2, 3}, {1, 2, 3, 4, 5, 6})},
       {{5, 5}, {4, 4}},
       22},
  });
}

TEST(OnnxPool, CeilAddsWindowsThatStartInTheInput) {
  const auto ceil = [](Ints kernel, Ints strides, Ints pads) {
    return pool("MaxPool", std::move(kernel), {{"ceil_mode", 1}, {"strides", std::move(strides)}, {"pads", std::move(pads)}});
  };
  expectCases({
      {"one more", ceil({2}, {2}, {0, 0}), {line({1, 2, 3, 4, 5})}, {{2, 4, 5}}},
      {"one in the padding is dropped", ceil({3}, {4}, {1, 1}), {line({1, 2, 3})}, {{2}}},
      {"valid",
       pool("MaxPool", {2}, {{"ceil_mode", 1}, {"strides", Ints{2}}, {"auto_pad", "VALID"}}),
       {line({1, 2, 3})},
       {{2, 3}}},
      {"rows and columns differ",
       ceil({2, 3}, {2, 4}, {0, 1, 0, 1}),
       {inputOf(kFloat, {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})},
       {{5, 8}}},
  });
}

TEST(OnnxPool, ThreeDimensionsArePooledOneAfterTheOther) {
  const Given cube = inputOf(kFloat, {1, 1, 2, 2, 3}, {1, 9, 3, 4, 5, 6, 7, 8, 2, 10, 11, 12});
  const std::vector<Attribute> padded{{"pads", Ints{1, 0, 0, 0, 0, 1}}, {"strides", Ints{1, 1, 2}}};
  expectCases({
      {"max", pool("MaxPool", {2, 1, 2}), {cube}, {{9, 9, 11, 12}}},
      {"max, padded", pool("MaxPool", {2, 1, 2}, padded), {cube}, {{9, 3, 5, 6, 9, 3, 11, 12}}},
      {"average",
       pool("AveragePool", {2, 2, 2}),
       {cube},
       {{(1 + 9 + 4 + 5 + 7 + 8 + 10 + 11) / 8., (9 + 3 + 5 + 6 + 8 + 2 + 11 + 12) / 8.}}},
      {"average, padded", pool("AveragePool", {2, 1, 2}, padded), {cube}, {{5, 3, 4.5, 6, 6.25, 2.5, 7.5, 9}}},
      {"norm", pool("LpPool", {2, 1, 1}, {{"strides", Ints{1, 2, 3}}}), {cube}, {{std::sqrt(50.)}}},
  });
}

TEST(OnnxPool, IndicesAreThoseOfTheFirstGreatest) {
  const Given plane = inputOf(kFloat, {1, 1, 2, 3}, {1, 5, 2, 5, 0, 9});
  const std::vector<Attribute> wider{{"pads", Ints{0, 0, 0, 1}}};
  std::vector<Attribute> byColumn = wider;
  byColumn.push_back({"storage_order", 1});
  expectCases({
      {"rows", pool("MaxPool", {2, 2}, wider), {plane}, {{5, 9, 9}, {1, 5, 5}}},
      {"columns", pool("MaxPool", {2, 2}, byColumn), {plane}, {{5, 9, 9}, {2, 5, 5}}},
      {"channels and images",
       pool("MaxPool", {2}),
       {inputOf(kInt8, {2, 2, 2}, {1, 2, -3, -4, 5, 5, 7, 8})},
       {{2, -3, 5, 8}, {1, 2, 4, 7}}},
      {"padding is never chosen",
       pool("MaxPool", {2}, {{"pads", Ints{1, 0}}}),
       {line({-kInfinity, -kInfinity})},
       {{-kInfinity, -kInfinity}, {0, 0}}},
      {"least of all integers", pool("MaxPool", {2}, {{"pads", Ints{1, 1}}}), {line({0, 0}, kUint8)}, {{0, 0, 0}, {0, 0, 1}}},
  });
}

TEST(OnnxPool, NormsOfAnyOrderAreComposed) {
  const Given x = line({3, -4, 1});
  expectCases({
      {"1", pool("LpPool", {2}, {{"p", 1}, {"pads", Ints{1, 0}}}), {x}, {{3, 7, 5}}, 18},
      {"3", pool("LpPool", {2}, {{"p", 3}}), {x}, {{std::cbrt(91.), std::cbrt(65.)}}, 18},
      {"3 with ceil", pool("LpPool", {2}, {{"p", 3}, {"ceil_mode", 1}, {"strides", Ints{2}}}), {x}, {{std::cbrt(91.), 1}}, 18},
      {"all, 1", {"GlobalLpPool", {}, {}, {{"p", 1}}}, {x}, {{8}}},
      {"all, 3", {"GlobalLpPool", {}, {}, {{"p", 3}}}, {x}, {{std::cbrt(92.)}}},
      {"all, 3, float16", {"GlobalLpPool", {}, {}, {{"p", 3}}}, {inputOf(kFloat16, {1, 1, 1}, {69})}, {{69}}, 22, 1e-3},
      {"no spatial dimensions", {"GlobalAveragePool"}, {inputOf(kFloat, {1, 2}, {3, 4})}, {{3, 4}}},
      {"three", {"GlobalMaxPool"}, {inputOf(kFloat, {1, 1, 2, 1, 2}, {3, 4, 9, 1})}, {{9}}},
  });
}

TEST(OnnxPool, AttributesThatMakeNoSenseAreErrors) {
  const Given x = line({1, 2, 3});
  expectMalformed({
      {modelOf({"MaxPool"}, {x}), {"it has no kernel_shape"}},
      {modelOf(pool("MaxPool", {0}), {x}), {"kernel_shape has a number (0)"}},
      {modelOf(pool("MaxPool", {1, 1}), {x}), {"kernel_shape has 2 numbers where 1 are expected"}},
      {modelOf(pool("MaxPool", {4}), {x}), {"a dimension of its output (0)"}},
      {modelOf(pool("MaxPool", {4}, {{"ceil_mode", 1}}), {x}), {"a dimension of its output (0)"}},
      {modelOf(pool("AveragePool", {2}, {{"pads", Ints{-1, 0}}}), {x}), {"pads has a negative number (-1)"}},
      {modelOf(pool("AveragePool", {2}), {inputOf(kFloat, {1, 2}, {1, 2})}), {"rank 2 has no spatial dimensions"}},
      {modelOf(pool("LpPool", {2}, {{"p", 0}}), {x}), {"p (0) is less than 1"}},
      {modelOf({"GlobalMaxPool"}, {inputOf(kFloat, {1}, {1})}), {"rank 1 has no channels"}},
      {modelOf(pool("MaxUnpool", {2}), {x, inputOf(kInt64, {1, 1, 2}, {0, 1})}), {"not of the input's shape"}},
      {modelOf(pool("MaxUnpool", {1}), {x, inputOf(kInt64, {1, 1, 3}, {0, 1, 2}), constantOf(kInt64, {3}, {1, 1, 2})}),
       {"output_shape[2] (2) is less"}},
  });
}

TEST(OnnxPool, NamesUnsupportedFeatures) {
  expectUnsupported({
      {pool("AveragePool", {2}), {line({1, 2}, kInt32)}, {"averagePool2d", "int32"}},
      {pool("MaxUnpool", {2}),
       {line({1}), inputOf(kInt64, {1, 1, 1}, {0}), inputOf(kInt64, {3}, {1, 1, 3})},
       {"must be known when the graph is built"}},
  });
  Runnable huge = modelOf(pool("MaxPool", {1, 1}), {inputOf(kFloat, {1, 1, 1 << 13, 1 << 13}, {})}, 21, 2);
  expectRefused(huge, {"more than 16777216 elements", "gather"});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
