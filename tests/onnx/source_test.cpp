// Tests operators of ONNX that make tensors from attributes, shapes and known values.
#include <cmath>
#include <limits>
#include <numeric>

#include "onnx/imported.h"
#include "onnx/shaped.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Ints = std::vector<std::int64_t>;

TEST(OnnxSource, ConstantsHaveManyForms) {
  expectCases({
      {"tensor", {"Constant", {}, {}, {{"value", tensor("", {2}, std::vector<std::int32_t>{7, -8})}}}, {}, {{7, -8}}},
      {"float", {"Constant", {}, {}, {{"value_float", 0.5f}}}, {}, {{0.5}}, 12},
      {"floats", {"Constant", {}, {}, {{"value_floats", std::vector<float>{1, 2.5f}}}}, {}, {{1, 2.5}}, 12},
      {"int", {"Constant", {}, {}, {{"value_int", 9007199254740993}}}, {}, {{9007199254740993.0}}, 12},
      {"ints", {"Constant", {}, {}, {{"value_ints", Ints{3, -4}}}}, {}, {{3, -4}}, 12},
      {"of a shape",
       {"ConstantOfShape", {}, {}, {{"value", tensor("", {1}, std::vector<std::int8_t>{-3})}}},
       {constantOf(kInt64, {2}, {1, 3})},
       {{-3, -3, -3}}},
      {"zeros", {"ConstantOfShape"}, {constantOf(kInt64, {1}, {2})}, {{0, 0}}, 9},
      {"a scalar", {"ConstantOfShape"}, {constantOf(kInt64, {0}, {})}, {{0}}},
  });
}

TEST(OnnxSource, RangesCountExactly) {
  const auto ints = [](std::vector<double> bounds, Type type = kInt64) {
    std::vector<Given> inputs;
    for (double bound : bounds) inputs.push_back(constantOf(type, {}, {bound}));
    return inputs;
  };
  expectCases({
      {"up", {"Range"}, ints({1, 8, 3}), {{1, 4, 7}}},
      {"down", {"Range"}, ints({3, -4, -3}, kInt32), {{3, 0, -3}}},
      {"far apart", {"Range"}, ints({-std::ldexp(1, 62), std::ldexp(1, 62), std::ldexp(1, 62)}), {{-std::ldexp(1, 62), 0}}},
      {"floats", {"Range"}, ints({0.5, 2.25, 0.75}, kFloat), {{0.5, 1.25, 2}}},
      {"float16", {"Range"}, ints({2048, 2052, 1}, kFloat16), {{2048, 2048, 2050, 2052}}, 27},  // each is rounded once
  });
}

// Each tensor has 2^30 elements, whose bytes must not be allocated before the graph runs.
TEST(OnnxSource, GreatTensorsTakeNoBytesUntilTheyRun) {
  Runnable filled = modelOf({"ConstantOfShape"}, {constantOf(kInt64, {2}, {32768, 32768})});
  Runnable range = modelOf(
      {"Range"}, {constantOf(kInt32, {}, {5}), constantOf(kInt32, {}, {std::ldexp(1, 30) + 5}), constantOf(kInt32, {}, {1})});
  Context context = makeContext();
  EXPECT_EQ(import(context, filled.model).outputs()[0].second, (OperandDescriptor{DataType::float32, {32768, 32768}}));
  EXPECT_EQ(import(context, range.model).outputs()[0].second, (OperandDescriptor{DataType::int32, {std::uint32_t{1} << 30}}));
}

TEST(OnnxSource, LongRangesAreRunningSums) {
  constexpr std::int64_t kCount = (1 << 20) + 2;
  const std::vector<double> values =
      run(modelOf({"Range"}, {constantOf(kFloat, {}, {0.5}), constantOf(kFloat, {}, {0.5 + 0.25 * kCount}),
                              constantOf(kFloat, {}, {0.25})}))[0]
          .values;
  ASSERT_EQ(values.size(), std::size_t{kCount});
  EXPECT_EQ(values.front(), 0.5);
  EXPECT_EQ(values.back(), 0.5 + 0.25 * (kCount - 1));
}

// The import can compute with empty tensors, although WebNN does not have them.
TEST(OnnxSource, EmptyValuesHaveShapes) {
  Runnable runnable;
  Graph& graph = runnable.model.graph;
  graph.nodes = {{"ConstantOfShape", {"dims"}, {"empty"}},
                 {"Cast", {"empty"}, {"still"}, {{"to", std::int64_t{kInt32}}}},
                 {"Shape", {"still"}, {"shape"}},
                 {"Size", {"still"}, {"size"}},
                 {"Range", {"one", "one", "one"}, {"none"}},
                 {"Shape", {"none"}, {"length"}},
                 {"Abs", {"still"}, {"absolute"}},
                 {"Less", {"absolute", "row"}, {"less"}},
                 {"Shape", {"less"}, {"both"}},
                 {"ConstantOfShape", {"far"}, {"nothing"}},
                 {"Size", {"nothing"}, {"none of many"}}};
  graph.initializers = {tensor("dims", {3}, Ints{2, 0, 5}), tensor("far", {3}, Ints{1L << 40, 1L << 40, 0}),
                        tensor("one", {}, Ints{1}), tensor("row", {3, 1, 1, 1}, std::vector<std::int32_t>{1, 2, 3})};
  graph.outputs = {{"shape"}, {"size"}, {"length"}, {"both"}, {"none of many"}};
  const std::vector<Imported> results = run(runnable);
  EXPECT_EQ(results[0].values, (std::vector<double>{2, 0, 5}));
  EXPECT_EQ(results[1].values, std::vector<double>{0});
  EXPECT_EQ(results[2].values, std::vector<double>{0});
  EXPECT_EQ(results[3].values, (std::vector<double>{3, 2, 0, 5}));
  EXPECT_EQ(results[4].values, std::vector<double>{0});
}

TEST(OnnxSource, ShapesAndSizesNeedNoValues) {
  const Given x = inputOf(kFloat, {2, 3, 4}, std::vector<double>(24));
  expectCases({
      {"middle", {"Shape", {}, {}, {{"start", 1}, {"end", -1}}}, {x}, {{3}}, 15},
      {"beyond", {"Shape", {}, {}, {{"start", -9}, {"end", 9}}}, {x}, {{2, 3, 4}}, 15},
      {"size", {"Size"}, {x}, {{24}}},
      {"eye",
       {"EyeLike", {}, {}, {{"k", -1}, {"dtype", std::int64_t{kBool}}}},
       {inputOf(kFloat, {2, 3}, std::vector<double>(6))},
       {{0, 0, 0, 1, 0, 0}}},
      {"far diagonal",
       {"EyeLike", {}, {}, {{"k", std::numeric_limits<std::int64_t>::max()}}},
       {inputOf(kInt32, {1, 2}, {5, 5})},
       {{0, 0}}},
  });
}

TEST(OnnxSource, OneHotCountsFromTheEndSinceVersion11) {
  const Given depth = constantOf(kInt64, {1}, {3}), values = inputOf(kFloat16, {2}, {-1, 8});
  expectCases({
      {"old", {"OneHot"}, {inputOf(kInt64, {2}, {-1, 2}), depth, values}, {{-1, -1, -1, -1, -1, 8}}, 9},
      {"new", {"OneHot"}, {inputOf(kInt64, {3}, {-1, 3, -4}), depth, values}, {{-1, -1, 8, -1, -1, -1, -1, -1, -1}}, 11},
      {"far",
       {"OneHot"},
       {inputOf(kInt64, {3}, {4294967296, 1, -4294967298}), depth, values},
       {{-1, -1, -1, -1, 8, -1, -1, -1, -1}},
       11},
      {"first axis",
       {"OneHot", {}, {}, {{"axis", 0}}},
       {inputOf(kUint8, {2}, {0, 2}), depth, values},
       {{8, -1, -1, -1, -1, 8}},
       11},
  });
}

TEST(OnnxSource, WindowsHaveTheirTextbookValues) {
  const auto window = [](std::string opType, std::int64_t periodic) {
    return Node{std::move(opType), {}, {}, {{"periodic", periodic}}};
  };
  const Given five = constantOf(kInt64, {}, {5}), four = constantOf(kInt32, {}, {4});
  expectCases({
      {"hann", window("HannWindow", 0), {five}, {{0, 0.5, 1, 0.5, 0}}},
      {"periodic hann", window("HannWindow", 1), {four}, {{0, 0.5, 1, 0.5}}},
      {"hamming", window("HammingWindow", 1), {four}, {{4. / 46, 25. / 46, 1, 25. / 46}}},
      {"blackman", window("BlackmanWindow", 1), {four}, {{0, 0.34, 1, 0.34}}},
      {"one element", window("HannWindow", 0), {constantOf(kInt64, {}, {1})}, {{0}}},
  });
}

TEST(OnnxSelection, TopKBreaksTiesByTheLowerIndex) {
  const double least = -kInfinity, nan = std::numeric_limits<double>::quiet_NaN();
  const Given k2 = constantOf(kInt64, {1}, {2}), k3 = constantOf(kInt64, {1}, {3});
  const std::vector<Attribute> smallest{{"largest", 0}};
  expectCases({
      {"ties", {"TopK"}, {inputOf(kFloat, {4}, {1, 3, 3, 1}), k3}, {{3, 3, 1}, {1, 2, 0}}, 11},
      {"smallest", {"TopK", {}, {}, smallest}, {inputOf(kInt32, {4}, {2, 3, 2, 5}), k3}, {{2, 2, 3}, {0, 2, 1}}, 11},
      {"NaN", {"TopK"}, {inputOf(kFloat, {4}, {1, nan, 3, 2}), k3}, {{nan, 3, 2}, {1, 2, 3}}, 11},
      {"infinite", {"TopK"}, {inputOf(kFloat, {3}, {least, 4, least}), k3}, {{4, least, least}, {1, 0, 2}}, 10},
      {"the least integers", {"TopK"}, {inputOf(kInt8, {3}, {-128, -128, -128}), k2}, {{-128, -128}, {0, 1}}, 11},
      {"unsigned", {"TopK", {}, {}, smallest}, {inputOf(kUint8, {3}, {255, 255, 7}), k2}, {{7, 255}, {2, 0}}, 11},
      {"another axis",
       {"TopK", {}, {}, {{"axis", 0}}},
       {inputOf(kFloat, {3, 2}, {1, 6, 3, 4, 5, 2}), k2},
       {{5, 6, 3, 4}, {2, 0, 1, 1}},
       11},
      {"attribute", {"TopK", {}, {}, {{"k", 1}}}, {inputOf(kFloat, {1, 2}, {1, 6})}, {{6}, {1}}, 7},
  });
}

// If k is above 64, TopK computes the rank of each element instead of finding one element per round. The numbers 0 to 49 occur
// twice each.
TEST(OnnxSelection, TopKFindsManyAtOnce) {
  std::vector<double> numbers, best, indices;
  for (int i = 0; i < 100; ++i) numbers.push_back(i % 50);
  for (int i = 0; i < 80; ++i) {
    best.push_back(49 - i / 2);
    indices.push_back(49 - i / 2 + i % 2 * 50);
  }
  expectCases({{"80 of 100",
                {"TopK", {}, {}, {{"axis", 0}}},
                {inputOf(kFloat, {100, 1}, numbers), constantOf(kInt64, {1}, {80})},
                {best, indices},
                11}});
}

TEST(OnnxSelection, KnownElementsAreChosenWhenTheGraphIsBuilt) {
  expectCases({
      {"non-zero", {"NonZero"}, {constantOf(kFloat, {2, 2}, {0, 3, -1, 0})}, {{0, 1, 1, 0}}},
      {"unique", {"Unique"}, {constantOf(kInt64, {5}, {7, 3, 7, 1, 3})}, {{1, 3, 7}, {3, 1, 0}, {2, 1, 2, 0, 1}, {1, 2, 2}}},
      {"in order",
       {"Unique", {}, {}, {{"sorted", 0}}},
       {constantOf(kFloat, {4}, {7, 3, 7, -1})},
       {{7, 3, -1}, {0, 1, 3}, {0, 1, 0, 2}, {2, 1, 1}}},
      {"NaN once", {"Unique"}, {constantOf(kFloat, {3}, {NAN, 1, NAN})}, {{1, NAN}, {1, 0}, {1, 0, 1}, {1, 2}}},
      {"rows",
       {"Unique", {}, {}, {{"axis", 0}}},
       {constantOf(kInt32, {3, 2}, {2, 1, 1, 5, 2, 1})},
       {{1, 5, 2, 1}, {1, 0}, {1, 0, 1}, {1, 2}}},
      {"columns",
       {"Unique", {}, {}, {{"axis", -1}}},
       {constantOf(kInt32, {2, 3}, {2, 1, 2, 0, 0, 0})},
       {{1, 2, 0, 0}, {1, 0}, {1, 0, 1}, {1, 2}}},
  });
}

TEST(OnnxSelection, DeterminantsOfSmallMatrices) {
  expectCases({
      {"1x1", {"Det"}, {inputOf(kFloat, {2, 1, 1}, {3, -4})}, {{3, -4}}},
      {"3x3", {"Det"}, {inputOf(kFloat, {3, 3}, {2, 0, 1, 1, 3, 2, 1, 1, 1})}, {{0}}},
      {"3x3, regular", {"Det"}, {inputOf(kFloat, {3, 3}, {2, 5, 1, 1, 3, 2, 4, 1, 1})}, {{26}}},
      {"4x4", {"Det"}, {inputOf(kFloat, {4, 4}, {2, 0, 1, 3, 1, 4, -2, 0, 5, 1, 1, 2, 0, 3, 2, -1})}, {{158}}},
  });
}

TEST(OnnxSource, RefusesNumbersThatMakeNoSense) {
  const Given zero = constantOf(kFloat, {}, {0}), nan = constantOf(kFloat, {}, {std::nan("")});
  expectMalformedNodes({
      {{"Range"}, {zero, nan, constantOf(kFloat, {}, {1})}, {"(Range, opset 21)", "is NaN"}},
      {{"BlackmanWindow"}, {constantOf(kInt64, {}, {-3})}, {"its size (-3) is negative"}},
  });
}

TEST(OnnxSource, NamesUnsupportedFeatures) {
  const Given x = inputOf(kFloat, {2}, {1, -2});
  expectUnsupported({
      {{"RandomNormal", {}, {}, {{"shape", Ints{2}}}}, {}, {"(RandomNormal, opset 21)", "WebNN has no random numbers"}},
      {{"Constant", {}, {}, {{"value_string", "text"}}}, {}, {"neither strings nor sparse tensors"}},
      {{"Constant", {}, {}, {{"value", rawTensor("", kDouble, {1}, raw(std::vector<double>{1}))}}},
       {},
       {"WebNN has no type double"}},
      {{"ConstantOfShape"}, {constantOf(kInt64, {1}, {std::ldexp(1, 40)})}, {"WebNN's dimensions are 1 to"}},
      {{"ConstantOfShape"}, {constantOf(kInt64, {2}, {2, 0})}, {"WebNN has no empty tensors"}},
      {{"Range"},
       {constantOf(kInt64, {}, {0}), constantOf(kInt64, {}, {std::ldexp(1, 40)}), constantOf(kInt64, {}, {1})},
       {"the length of the range (1099511627776)"}},
      {{"Range"}, {constantOf(kInt64, {}, {0}), constantOf(kInt64, {}, {5}), constantOf(kInt64, {}, {0})}, {"steps of 0"}},
      {{"EyeLike", {}, {}, {{"dtype", std::int64_t{kDouble}}}}, {inputOf(kFloat, {1, 1}, {1})}, {"WebNN has no type double"}},
      {{"NonZero"}, {x}, {"its input 0 (\"x0\") must be known"}},
      {{"TopK"},
       {inputOf(kFloat, {5000, 70}, std::vector<double>(350000)), constantOf(kInt64, {1}, {65})},
       {"WebNN cannot sort"}},
      {{"TopK"}, {x, constantOf(kInt64, {1}, {3})}, {"k (3) is above the size of its dimension (2)"}},
      {{"Det"}, {inputOf(kFloat, {5, 5}, std::vector<double>(25))}, {"WebNN has no determinants"}},
      {{"HannWindow"}, {constantOf(kInt64, {}, {std::ldexp(1, 40)})}, {"too large"}},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
