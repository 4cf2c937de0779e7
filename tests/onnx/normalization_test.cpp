// Tests normalizations of ONNX: versions, shapes and types that are missing in ONNX's own tests, and invalid ones.
#include <cmath>

#include "onnx/imported.h"
#include "onnx/malformed.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Ints = std::vector<std::int64_t>;

constexpr float kNone = 1e-30f;  // an epsilon that has no effect

TEST(OnnxNormalization, BatchesKeepTheFormsOfOldVersions) {
  const auto parameter = [](std::vector<double> values, Type type = kFloat) {
    const auto size = static_cast<std::int64_t>(values.size());
    return inputOf(type, {size}, std::move(values));
  };
  const Given scale = parameter({2, 3}), bias = parameter({1, 0}), mean = parameter({4, 5}), variance = parameter({4, 9});
  const auto node = [](std::vector<Attribute> attributes = {}) {
    attributes.push_back({"epsilon", kNone});
    return Node{"BatchNormalization", {}, {}, std::move(attributes)};
  };
  const Given x = inputOf(kFloat, {1, 2, 2}, {4, 8, 5, 8});
  expectCases({
      {"channels", node(), {x, scale, bias, mean, variance}, {{1, 5, 0, 3}}, 9},
      {"elements",
       node({{"spatial", 0}}),
       {x, parameter({1, 2, 3, 4}), parameter({0, 0, 0, 1}), parameter({4, 4, 4, 4}), parameter({4, 4, 4, 4})},
       {{0, 4, 1.5, 9}},
       7},
      {"one dimension",
       node(),
       {inputOf(kFloat, {2}, {4, 8}), parameter({2}), parameter({1}), parameter({4}), parameter({4})},
       {{1, 5}}},
      {"parameters of a wider type", node(), {inputOf(kFloat16, {1, 2}, {8, 8}), scale, bias, mean, variance}, {{5, 3}}, 15},
      // Means are 6 and 6.5, variances 4 and 2.25. The new running statistics are a quarter of the old ones plus three quarters
      // of these means and variances.
      {"training",
       node({{"training_mode", 1}, {"momentum", 0.25f}}),
       {x, scale, bias, mean, variance},
       {{-1, 3, -3, 3}, {0.25 * 4 + 0.75 * 6, 0.25 * 5 + 0.75 * 6.5}, {0.25 * 4 + 0.75 * 4, 0.25 * 9 + 0.75 * 2.25}},
       15},
  });
}

TEST(OnnxNormalization, GroupsAreScaledByGroupOrChannel) {
  // The first group is -1, 1, -1, 1; the second is 0, 0, 4, 4.
  const Given x = inputOf(kFloat, {1, 4, 2}, {-1, 1, -1, 1, 0, 0, 4, 4});
  const std::vector<Attribute> two{{"num_groups", 2}, {"epsilon", kNone}};
  expectCases({
      {"group",
       {"GroupNormalization", {}, {}, two},
       {x, inputOf(kFloat, {2}, {2, 3}), inputOf(kFloat, {2}, {0, 10})},
       {{-2, 2, -2, 2, 7, 7, 13, 13}},
       18},
      {"channel",
       {"GroupNormalization", {}, {}, two},
       {x, inputOf(kFloat, {4}, {1, 2, 3, 4}), inputOf(kFloat, {4}, {0, 0, 10, 20})},
       {{-1, 1, -2, 2, 7, 7, 24, 24}}},
      {"instances of five dimensions",
       {"InstanceNormalization", {}, {}, {{"epsilon", kNone}}},
       {inputOf(kFloat, {1, 2, 2, 1, 1}, {1, 3, 10, 30}), inputOf(kFloat, {2}, {1, 2}), inputOf(kFloat, {2}, {5, 0})},
       {{4, 6, -2, 2}}},
      {"instances without a spatial dimension",
       {"InstanceNormalization"},
       {inputOf(kFloat, {1, 2}, {1, 3}), inputOf(kFloat, {2}, {1, 2}), inputOf(kFloat, {2}, {5, 7})},
       {{5, 7}}},
  });
}

TEST(OnnxNormalization, LayersBroadcastTheirScale) {
  const Given x = inputOf(kFloat, {2, 2}, {1, 3, 10, 30});
  const std::vector<Attribute> exact{{"epsilon", kNone}};
  expectCases({
      {"one for all",
       {"LayerNormalization", {}, {}, exact},
       {x, inputOf(kFloat, {1}, {2}), inputOf(kFloat, {2}, {0, 1})},
       {{-2, 3, -2, 3}},
       17},
      {"one for each row", {"LayerNormalization", {}, {}, exact}, {x, inputOf(kFloat, {2, 1}, {2, 5})}, {{-2, 2, -5, 5}}, 17},
      {"moments",
       {"LayerNormalization", {}, {}, exact},
       {x, inputOf(kFloat, {2}, {1, 2})},
       {{-1, 2, -1, 2}, {2, 20}, {1, 0.1}},
       17},
      {"moments of halves are floats",
       {"LayerNormalization", {}, {}, {{"axis", 0}, {"epsilon", kNone}}},
       {inputOf(kFloat16, {2}, {-300, 300}), inputOf(kFloat16, {2}, {1, 1})},
       {{-1, 1}, {0}, {1 / 300.}},
       17},
      // Squares of float16 numbers from 256 on overflow.
      {"root mean squares of halves",
       {"RMSNormalization", {}, {}, exact},
       {inputOf(kFloat16, {2}, {300, -300}), inputOf(kFloat16, {2}, {2, 3})},
       {{2, -3}},
       23},
      {"their inverse",
       {"SimplifiedLayerNormalization", {}, {}, exact},
       {inputOf(kFloat, {1, 2}, {6, 8}), inputOf(kFloat, {2}, {5, 10})},
       {{6 / std::sqrt(2.), 16 / std::sqrt(2.)}, {std::sqrt(2.) / 10}}},
      {"after a sum",
       {"SkipLayerNormalization", {}, {}, exact, "com.microsoft"},
       {inputOf(kFloat, {1, 1, 2}, {1, 2}), inputOf(kFloat, {1, 2}, {1, 5}), inputOf(kFloat, {2}, {1, 2}),
        inputOf(kFloat, {2}, {0, 10}), inputOf(kFloat, {2}, {5, 6})},
       {{-1, 12}, {10}, {1 / 3.}, {7, 13}}},
  });
}

TEST(OnnxNormalization, NormsOfZerosAreLeftOut) {
  const Given x = inputOf(kFloat, {2, 2}, {3, -4, 0, 0});
  expectCases({
      {"2", {"LpNormalization"}, {x}, {{0.6, -0.8, 0, 0}}},
      {"1", {"LpNormalization", {}, {}, {{"p", 1}, {"axis", 1}}}, {x}, {{3 / 7., -4 / 7., 0, 0}}},
      {"of the least halves, whose norm is none",
       {"LpNormalization"},
       {inputOf(kFloat16, {1, 2}, {0x1p-24, 0x1p-23})},
       {{1 / std::sqrt(5.), 2 / std::sqrt(5.)}},
       21,
       1e-3},
      {"a constant has no variance",
       {"MeanVarianceNormalization", {}, {}, {{"axes", Ints{-1}}}},
       {inputOf(kFloat, {2, 2}, {7, 7, 2, 4})},
       {{0, 0, -1, 1}}},
  });
}

TEST(OnnxNormalization, NeighboursOfAnEvenSizeLieMoreBehind) {
  // alpha / size is 1: sums the squares of the channel itself and of the next channel.
  const std::vector<Attribute> even{{"size", 2}, {"alpha", 2.f}, {"beta", 1.f}, {"bias", 1.f}};
  expectCases({
      {"even", {"LRN", {}, {}, even}, {inputOf(kFloat, {1, 3, 1}, {1, 2, 3})}, {{1 / 6., 2 / 14., 3 / 10.}}},
      {"without a spatial dimension", {"LRN", {}, {}, even}, {inputOf(kFloat, {1, 3}, {1, 2, 3})}, {{1 / 6., 2 / 14., 3 / 10.}}},
      {"larger than the channels",
       {"LRN", {}, {}, {{"size", 9}, {"alpha", 9.f}, {"beta", 0.5f}}},
       {inputOf(kFloat, {1, 2, 1}, {2, 2})},
       {{2 / 3., 2 / 3.}}},
  });
}

TEST(OnnxNormalization, AttributesThatMakeNoSenseAreErrors) {
  const Given x = inputOf(kFloat, {1, 3}, {1, 2, 3}), three = inputOf(kFloat, {3}, {1, 1, 1}),
              flat = inputOf(kFloat, {3}, {1, 2, 3});
  expectMalformed({
      {modelOf({"GroupNormalization", {}, {}, {{"num_groups", 2}}}, {x, three, three}),
       {"the channels (3) are not a multiple of num_groups (2)"}},
      {modelOf({"GroupNormalization", {}, {}, {{"num_groups", 0}}}, {x, three, three}), {"num_groups (0)"}},
      {modelOf({"GroupNormalization"}, {flat, three, three}), {"rank 1 has no channels"}},
      {modelOf({"LRN", {}, {}, {{"size", 0}}}, {x}), {"(0) is not from 1 to"}},
      {modelOf({"LpNormalization", {}, {}, {{"p", 3}}}, {x}), {"p (3) is neither 1 nor 2"}},
      {modelOf({"InstanceNormalization"}, {flat, three, three}), {"rank 1 has no channels"}},
  });
}

TEST(OnnxNormalization, NamesUnsupportedFeatures) {
  const Given x = inputOf(kFloat, {1, 3}, {1, 2, 3}), three = inputOf(kFloat, {3}, {1, 1, 1});
  expectUnsupported({
      {{"LayerNormalization", {}, {}, {{"axis", 2}}}, {x, three}, {"the axis (2) is not one of a tensor of rank 2"}, 17},
      {{"RMSNormalization", {}, {}, {{"stash_type", 11}}}, {x, three}, {"stash_type double"}, 23},
      {{"LayerNormalization"},
       {inputOf(kInt32, {1, 3}, {1, 2, 3}), inputOf(kInt32, {3}, {1, 1, 1})},
       {"layerNormalization", "int32"},
       17},
      {{"InstanceNormalization"}, {inputOf(kFloat, {1, 2, 3}, {1, 2, 3, 4, 5, 6}), three, three}, {"instanceNormalization"}},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
