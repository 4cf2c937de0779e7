// Tests resizing and sampling in ONNX: old versions, which modes become WebNN's resample2d, non-finite values, malformed nodes.
#include <limits>

#include "onnx/shaped.h"
#include "webnn/formats.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
using Ints = std::vector<std::int64_t>;

Given scalesOf(std::vector<double> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return constantOf(kFloat, {count}, std::move(values));
}

std::vector<Attribute> modes(const char* mode, const char* coordinates, std::vector<Attribute> more = {}) {
  more.insert(more.end(), {{"mode", mode}, {"coordinate_transformation_mode", coordinates}});
  return more;
}

TEST(OnnxResize, OldVersionsStartAtTheFirstElement) {
  const Given x = floats({1, 1, 1, 2}, {1, 3}), long4 = counted({1, 1, 1, 4});
  expectShaped({
      {"linear, by attribute",
       {"Upsample", {}, {}, {{"mode", "linear"}, {"scales", std::vector<float>{1, 1, 1, 2}}}},
       {x},
       {1, 1, 1, 4},
       {1, 2, 3, 3},
       7},
      {"linear, by input",
       {"Upsample", {}, {}, {{"mode", "linear"}}},
       {x, scalesOf({1, 1, 1, 2})},
       {1, 1, 1, 4},
       {1, 2, 3, 3},
       9},
      {"nearest", {"Upsample"}, {x, scalesOf({1, 1, 1, 2})}, {1, 1, 1, 4}, {1, 1, 3, 3}, 9},
      {"nearest, smaller", {"Resize"}, {long4, scalesOf({1, 1, 1, 0.75})}, {1, 1, 1, 3}, {1, 3, 4}, 10},
      {"nearest, greater", {"Resize"}, {x, scalesOf({1, 1, 1, 1.5})}, {1, 1, 1, 3}, {1, 1, 3}, 10},
      {"half pixels without their half",
       {"Resize", {}, {}, modes("nearest", "tf_half_pixel_for_nn", {{"nearest_mode", "floor"}})},
       {long4, scalesOf({}), scalesOf({1, 1, 1, 0.5})},
       {1, 1, 1, 2},
       {2, 4},
       11},
      {"empty scales", {"Resize"}, {x, scalesOf({}), scalesOf({}), int64s({1, 1, 1, 4})}, {1, 1, 1, 4}, {1, 1, 3, 3}, 11},
  });
}

// 5 * 1.5 is 7.5, which becomes 7 elements. The corners are aligned for 7 elements, not for 7.5.
TEST(OnnxResize, AlignsTheCornersOfTheSizeThatItHas) {
  const Given x = counted({1, 5}), scales = scalesOf({1, 1.5});
  expectShaped({
      {"linear",
       {"Resize", {}, {}, modes("linear", "align_corners")},
       {x, {}, scales},
       {1, 7},
       {1, 1 + 2.0 / 3, 1 + 4.0 / 3, 3, 3 + 2.0 / 3, 3 + 4.0 / 3, 5},
       18},
      {"a region",
       {"Resize", {}, {}, modes("linear", "tf_crop_and_resize")},
       {x, constantOf(kFloat, {4}, {0, 0.25, 1, 0.75}), scales},
       {1, 7},
       {2, 2 + 1.0 / 3, 2 + 2.0 / 3, 3, 3 + 1.0 / 3, 3 + 2.0 / 3, 4},
       18},
  });
}

TEST(OnnxResize, InterpolatesAnyNumberOfAxes) {
  expectShaped({
      {"one",
       {"Resize", {}, {}, modes("linear", "align_corners")},
       {floats({2}, {1, 3}), {}, {}, int64s({5})},
       {5},
       {1, 1.5, 2, 2.5, 3}},
      {"three of five",
       {"Resize", {}, {}, modes("linear", "half_pixel", {{"axes", Ints{2, 3, 4}}})},
       {counted({1, 1, 2, 2, 2}), {}, {}, int64s({1, 1, 1})},
       {1, 1, 1, 1, 1},
       {4.5}},
      {"the first of two",
       {"Resize", {}, {}, modes("linear", "asymmetric", {{"axes", Ints{-2}}})},
       {counted({2, 2}), {}, scalesOf({2})},
       {4, 2},
       {1, 2, 2, 3, 3, 4, 3, 4}},
      {"one element, which half a pixel would leave",
       {"Resize", {}, {}, modes("cubic", "pytorch_half_pixel")},
       {counted({4}), {}, scalesOf({0.25})},
       {1},
       {1}},
      {"outside",
       {"Resize", {}, {}, modes("linear", "tf_crop_and_resize", {{"extrapolation_value", -7.0f}})},
       {counted({3}), scalesOf({0, 2}), {}, int64s({3})},
       {3},
       {1, 3, -7}},
      {"bytes are rounded",
       {"Resize", {}, {}, modes("linear", "align_corners")},
       {inputOf(kUint8, {2}, {0, 255}), {}, {}, int64s({4})},
       {4},
       {0, 85, 170, 255}},
      {"a scale whose size was rounded, which resample2d does not keep",
       {"Resize", {}, {}, modes("nearest", "half_pixel")},
       {counted({1, 1, 1, 3}), {}, scalesOf({1, 1, 1, 1.5})},
       {1, 1, 1, 4},
       {1, 1, 2, 3}},
      {"booleans", {"Resize"}, {inputOf(kBool, {2}, {0, 1}), {}, scalesOf({2})}, {4}, {0, 0, 1, 1}},
      {"nothing to do",
       {"Resize", {}, {}, modes("linear", "half_pixel")},
       {counted({2, 2}, kInt32), {}, scalesOf({1, 1})},
       {2, 2},
       {1, 2, 3, 4}},
  });
}

TEST(OnnxResize, KeepsAspectRatios) {
  const auto fitted = [](const char* policy, Shape shape) {
    return ShapedCase{policy,
                      {"Resize", {}, {}, {{"keep_aspect_ratio_policy", policy}, {"axes", Ints{1, 0}}}},
                      {floats({2, 4}, {1, 1, 2, 2, 3, 3, 4, 4}), {}, {}, int64s({6, 6})},
                      std::move(shape),
                      {},
                      18};
  };
  for (const ShapedCase& one : {fitted("not_larger", {3, 6}), fitted("not_smaller", {6, 12})}) {
    const std::vector<Imported> results = run(modelOf(one.node, one.inputs, one.operatorSet));
    EXPECT_EQ(results[0].descriptor.shape, one.shape) << one.name;
    EXPECT_EQ(results[0].values.front(), 1);
    EXPECT_EQ(results[0].values.back(), 4);
  }
}

// An element with weight 0 must not turn results into NaN.
TEST(OnnxResize, DoesNotSpreadInfinity) {
  expectShaped({
      {"linear",
       {"Resize", {}, {}, modes("linear", "align_corners")},
       {floats({3}, {1, kInfinity, 3}), {}, {}, int64s({3})},
       {3},
       {1, kInfinity, 3}},
      {"every second",
       {"Resize", {}, {}, modes("cubic", "align_corners")},
       {floats({5}, {1, kInfinity, 3, kInfinity, 5}), {}, {}, int64s({3})},
       {3},
       {1, 3, 5}},
  });
}

TEST(OnnxResize, BecomesWebNNsOwnOperationWhereItDoesTheSame) {
  struct Case {
    std::vector<Attribute> attributes;
    Dims dims;
    std::vector<double> scales;
    bool isOwn;
  };
  const Attribute down{"nearest_mode", "floor"};
  const std::vector<Case> cases{
      {modes("linear", "half_pixel"), {1, 2, 3, 3}, {1, 1, 2, 2}, true},
      {modes("linear", "half_pixel"), {1, 2, 2, 3}, {1, 1, 1.5, 1}, true},
      {modes("linear", "half_pixel"), {1, 2, 3, 3}, {1, 1, 1.5, 1}, false},
      {modes("linear", "half_pixel"), {3, 3}, {2, 2}, true},
      {modes("linear", "pytorch_half_pixel"), {1, 3, 3, 1}, {1, 2, 2, 1}, true},
      {modes("nearest", "asymmetric", {down}), {1, 2, 3, 3}, {1, 1, 2, 2}, true},
      {modes("nearest", "asymmetric", {down}), {1, 2, 6, 6}, {1, 1, 1.0 / 3, 1.0 / 3}, false},
      {modes("linear", "align_corners"), {1, 2, 3, 3}, {1, 1, 2, 2}, false},
      {modes("linear", "half_pixel"), {1, 2, 3, 3}, {1, 2, 2, 2}, false},
      {modes("linear", "half_pixel", {{"antialias", 1}}), {1, 1, 4, 4}, {1, 1, 0.5, 0.5}, false},
      {modes("cubic", "half_pixel"), {1, 1, 4, 4}, {1, 1, 2, 2}, false},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Context context = makeContext();
    const webnn::Graph graph = import(
        context, modelOf({"Resize", {}, {}, cases[i].attributes}, {counted(cases[i].dims), {}, scalesOf(cases[i].scales)}).model);
    EXPECT_EQ(toDot(graph).find("resample2d") != std::string::npos, cases[i].isOwn) << "case " << i;
  }
}

TEST(OnnxResize, RefusesMalformedNodes) {
  const Given x = counted({2, 3});
  const auto refused = [&x](std::vector<Attribute> attributes, Given scales, Given sizes, const char* part) {
    return MalformedNode{{"Resize", {}, {}, std::move(attributes)}, {x, {}, std::move(scales), std::move(sizes)}, {part}};
  };
  expectMalformedNodes({
      refused({}, scalesOf({0, 1}), {}, "the scale 0 is not positive"),
      refused({}, scalesOf({-1, 1}), {}, "the scale -1"),
      refused({}, scalesOf({1, kNaN}), {}, "the scale nan"),
      refused({}, scalesOf({kInfinity, 1}), {}, "the scale inf"),
      refused({}, scalesOf({2}), {}, "1 scales, not 2"),
      refused({}, {}, int64s({1, 2, 3}), "3 sizes, not 2"),
      refused({}, {}, int64s({-1, 2}), "the size -1"),
      refused({{"axes", Ints{0, -2}}}, scalesOf({1, 1}), {}, "an axis is repeated"),
      refused({{"mode", "area"}}, scalesOf({1, 1}), {}, "\"area\""),
      refused({{"nearest_mode", "up"}}, scalesOf({2, 1}), {}, "\"up\""),
      refused({{"coordinate_transformation_mode", "corner"}}, scalesOf({2, 1}), {}, "\"corner\""),
      refused({{"keep_aspect_ratio_policy", "fit"}}, {}, int64s({2, 2}), "\"fit\""),
  });
  expectUnsupported({
      {{"Resize"}, {x, {}, scalesOf({0x1p100, 1})}, {"a dimension of 4611686018427387904"}},
      {{"Resize"}, {x, {}, {}, int64s({0x1p30, 1})}, {"1073741824 elements"}},
      {{"Resize", {}, {}, {{"mode", "linear"}}}, {counted({2}, kInt32), {}, scalesOf({2})}, {"interpolates no int32"}},
      {{"Resize"}, {x, {}, inputOf(kFloat, {2}, {1, 1})}, {"\"x2\"", "must be known"}},
      {{"Resize"}, {x}, {"input 2 is absent"}},
      {{"Resize"}, {x, {}, scalesOf({0.25, 1})}, {"empty"}},
  });
}

// Samples the elements 1, 2, 3, 4 at positions along one axis. -1 is the left edge of the first element or, with aligned
// corners, its center.
TEST(OnnxGridSample, SamplesOneDimension) {
  const auto sampled = [](const char* mode, const char* padding, std::int64_t aligned, std::vector<double> at,
                          std::vector<double> expected) {
    const auto count = static_cast<std::int64_t>(at.size());
    return ShapedCase{mode,
                      {"GridSample", {}, {}, {{"mode", mode}, {"padding_mode", padding}, {"align_corners", aligned}}},
                      {counted({1, 1, 4}), floats({1, count, 1}, std::move(at))},
                      {1, 1, static_cast<std::uint32_t>(count)},
                      std::move(expected),
                      20};
  };
  expectShaped({
      sampled("linear", "zeros", 1, {-1, 0, 1, 5.0 / 3}, {1, 2.5, 4, 0}),
      sampled("linear", "zeros", 0, {-1, 0, 1}, {0.5, 2.5, 2}),
      sampled("linear", "border", 0, {-1, -kInfinity, 9}, {1, 1, 4}),
      sampled("linear", "reflection", 1, {-5.0 / 3, 7.0 / 3, 5}, {2, 2, 4}),
      sampled("nearest", "zeros", 0, {-0.5, 0.2, 2}, {1, 3, 0}),
      sampled("nearest", "reflection", 0, {-1.5, 1.5, 1000.25}, {2, 4, 3}),
      sampled("cubic", "border", 0, {-3, 3, 0.25}, {1, 4, 3}),
  });
}

TEST(OnnxGridSample, TakesOldNamesAndOtherTypes) {
  const Given grid = floats({1, 1, 2, 2}, {-1, -1, 1, 1});
  expectShaped({
      {"bilinear", {"GridSample", {}, {}, {{"align_corners", 1}}}, {counted({1, 1, 2, 2}), grid}, {1, 1, 1, 2}, {1, 4}, 16},
      {"integers",
       {"GridSample", {}, {}, {{"mode", "nearest"}, {"align_corners", 1}}},
       {counted({1, 1, 2, 2}, kInt64), grid},
       {1, 1, 1, 2},
       {1, 4},
       20},
      {"infinity outside",
       {"GridSample"},
       {floats({1, 1, 1, 1}, {kInfinity}), floats({1, 1, 1, 2}, {9, 9})},
       {1, 1, 1, 1},
       {0},
       20},
  });
  expectMalformedNodes({
      {{"GridSample"}, {counted({1, 1, 2, 2}), floats({1, 1, 2, 1}, {0, 0})}, {"does not fit"}, 20},
      {{"GridSample", {}, {}, {{"padding_mode", "wrap"}}}, {counted({1, 1, 2, 2}), grid}, {"\"wrap\""}, 20},
  });
}

TEST(OnnxAffineGrid, MakesCoordinates) {
  // x is mirrored, and y is shifted by 1.
  const Given theta = floats({1, 2, 3}, {-1, 0, 0, 0, 1, 1});
  expectShaped({
      {"borders", {"AffineGrid"}, {theta, int64s({1, 1, 1, 2})}, {1, 1, 2, 2}, {0.5, 1, -0.5, 1}, 20},
      {"corners",
       {"AffineGrid", {}, {}, {{"align_corners", 1}}},
       {theta, int64s({1, 1, 2, 2})},
       {1, 2, 2, 2},
       {1, 0, -1, 0, 1, 2, -1, 2},
       20},
  });
  expectMalformedNodes({{{"AffineGrid"}, {theta, int64s({1, 1, 2, 2, 2})}, {"does not fit"}, 20},
                        {{"AffineGrid"}, {theta, int64s({})}, {"does not fit"}, 20}});
  expectUnsupported({{{"AffineGrid"}, {theta, int64s({1, 1, 0x1p20, 0x1p20})}, {"1099511627776 elements"}, 20}});
}

TEST(OnnxRoiAlign, PoolsRegions) {
  const std::vector<Attribute> one{{"sampling_ratio", 1}, {"coordinate_transformation_mode", "output_half_pixel"}};
  const Given x = counted({1, 1, 3, 3}), batch = inputOf(kInt64, {1}, {0});
  expectShaped({
      // The center of the region is at (1, 1.5), between rows 1 and 2 of column 1.
      {"one sample", {"RoiAlign", {}, {}, one}, {x, floats({1, 4}, {0, 1, 2, 2}), batch}, {1, 1, 1, 1}, {6.5}, 16},
      {"outside", {"RoiAlign", {}, {}, one}, {x, floats({1, 4}, {8, 8, 9, 9}), batch}, {1, 1, 1, 1}, {0}, 16},
      {"shifted by default",
       {"RoiAlign", {}, {}, {{"sampling_ratio", 1}}},
       {x, floats({1, 4}, {0, 1, 2, 2}), batch},
       {1, 1, 1, 1},
       {4.5},
       16},
  });
}

// The expected values are from ONNX's reference evaluator. ONNX Runtime gives the same values if it accepts regions with negative
// width.
TEST(OnnxRoiAlign, TakesAsManySamplesAsRegionsHaveElements) {
  std::vector<double> elements;
  for (int i = 1; i <= 25; ++i) elements.push_back(i % 7);
  const Given x = floats({1, 1, 5, 5}, elements), batch = inputOf(kInt64, {4}, {0, 0, 0, 0});
  const Given regions = floats({4, 4}, {0, 0, 4, 4, 1, 0.5, 9, 3, 2, 2, 2, 2, 3, 1, 1, 4});
  const std::vector<Attribute> size{{"output_height", 2}, {"output_width", 2}};
  std::vector<Attribute> old = size;
  old.push_back({"coordinate_transformation_mode", "output_half_pixel"});
  expectShaped({
      {"half pixels",
       {"RoiAlign", {}, {}, size},
       {x, regions, batch},
       {4, 1, 2, 2},
       {2.25, 2.5, 3.5, 3.75, 2.25, 0.9375, 2.8125, 0.4765625, 0, 0, 0, 0, 0, 0, 0, 0},
       16},
      {"whole pixels",
       {"RoiAlign", {}, {}, old},
       {x, regions, batch},
       {4, 1, 2, 2},
       {2.625, 2.4375, 3, 3.6875, 2.19921875, 0, 3.390625, 0, 4.4375, 2.3125, 4.3125, 3.9375, 1.1875, 1.6875, 4.3125, 4.8125},
       16},
  });
}

// The expected values are from ONNX's reference evaluator and from ONNX Runtime.
TEST(OnnxRoiAlign, TakesTheGreatestWeightedElementOfAsManySamples) {
  std::vector<double> elements;
  for (int i = 1; i <= 25; ++i) elements.push_back(i % 7 - 2);
  const Given x = floats({1, 1, 5, 5}, elements), batch = inputOf(kInt64, {4}, {0, 0, 0, 0});
  const Given regions = floats({4, 4}, {0, 0, 4, 4, 1, 0.5, 9, 3, 2, 2, 2, 2, -4, 1, 1, 4});
  const std::vector<Attribute> size{{"mode", "max"}, {"output_height", 2}, {"output_width", 2}};
  std::vector<Attribute> old = size;
  old.push_back({"coordinate_transformation_mode", "output_half_pixel"});
  const std::vector<double> halves{4, 2, 3, 4, 2.0625, 2.0625, 3.25, 0.75, 0, 0, 0, 0, 0, 3.5, 0, 1.25};
  const std::vector<double> wholes{1, 1, 1, 1, 0.875, 0, 2.75, 0, 2.25, 0.75, 1.125, 1.6875, 0, 2.5, 0, 0.51041663};
  expectShaped({{"half pixels", {"RoiAlign", {}, {}, size}, {x, regions, batch}, {4, 1, 2, 2}, halves, 16},
                {"whole pixels", {"RoiAlign", {}, {}, old}, {x, regions, batch}, {4, 1, 2, 2}, wholes, 16}});
}

// The only sample of each bin lies at most 1 before column 0. It uses columns 0 and 1, the latter with weight 0.
TEST(OnnxRoiAlign, SamplesBeforeTheInputUseTheSecondElementWithWeightZero) {
  const Given x = floats({1, 1, 2, 2}, {-1, -2, -0.6, -0.3}), batch = inputOf(kInt64, {1}, {0});
  const Given region = floats({1, 4}, {-1.1, 0.05, -0.1, 1.05});
  for (const std::int64_t samples : {0, 1}) {
    const std::vector<Attribute> settings{{"mode", "max"},
                                          {"output_width", 2},
                                          {"sampling_ratio", samples},
                                          {"coordinate_transformation_mode", "output_half_pixel"}};
    expectShaped({{"max", {"RoiAlign", {}, {}, settings}, {x, region, batch}, {1, 1, 1, 2}, {0, 0}, 16}});
  }
}

// The expected values are from ONNX Runtime.
TEST(OnnxMaxRoiPool, PoolsConstantRegions) {
  std::vector<double> elements;
  for (int i = 1; i <= 25; ++i) elements.push_back(i % 7);
  const Given x = floats({1, 1, 5, 5}, elements);
  const Node pool{"MaxRoiPool", {}, {}, {{"pooled_shape", Ints{2, 3}}}};
  const std::vector<double> regions{0, 0, 0, 4, 4, 0, 1.2, 2.6, 3.4, 9};
  expectShaped({{"two", pool, {x, constantOf(kFloat, {2, 5}, regions)}, {2, 1, 2, 3}, {6, 6, 5, 5, 6, 6, 3, 4, 5, 0, 0, 0}, 12}});
  expectUnsupported({{pool, {x, inputOf(kFloat, {2, 5}, regions)}, {"must be known"}, 12}});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
