// Tests ONNX operators that rearrange elements (Slice, Pad, Split, Trilu, ...) or compute shapes: old versions, empty tensors,
// and extreme arguments.
#include <array>
#include <numeric>

#include "onnx/shaped.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

constexpr double kLeast = -0x1p63, kGreatest = 0x1p63;  // kGreatest is cast to 2^63 - 1
using Ints = std::vector<std::int64_t>;

TEST(OnnxShape, OldVersionsHaveAttributesInPlaceOfInputs) {
  expectShaped({
      {"Squeeze", {"Squeeze", {}, {}, {{"axes", Ints{-1}}}}, {counted({1, 3, 1})}, {1, 3}, {1, 2, 3}, 11},
      {"Squeeze of all", {"Squeeze"}, {counted({1, 3, 1})}, {3}, {1, 2, 3}, 7},
      {"Unsqueeze", {"Unsqueeze", {}, {}, {{"axes", Ints{2, 0}}}}, {counted({3})}, {1, 3, 1}, {1, 2, 3}, 12},
      {"Slice",
       {"Slice", {}, {}, {{"starts", Ints{1, -2}}, {"ends", Ints{9, -1}}, {"axes", Ints{0, 1}}}},
       {counted({3, 3})},
       {2, 1},
       {5, 8},
       9},
      {"Slice without axes", {"Slice", {}, {}, {{"starts", Ints{1}}, {"ends", Ints{2}}}}, {counted({3, 2})}, {1, 2}, {3, 4}, 7},
      {"Pad", {"Pad", {}, {}, {{"pads", Ints{1, 0}}, {"value", -1.5f}}}, {counted({2})}, {3}, {-1.5, 1, 2}, 10},
      {"Pad with more than an int64",
       {"Pad"},
       {inputOf(kUint64, {1}, {1}), int64s({1, 0}), constantOf(kUint64, {}, {0x1p63})},
       {2},
       {0x1p63, 1},
       18},
      {"Split", {"Split", {}, {}, {{"split", Ints{2}}, {"axis", -1}}}, {counted({2})}, {2}, {1, 2}, 11},
      {"DepthToSpace", {"DepthToSpace", {}, {}, {{"blocksize", 2}}}, {counted({1, 4, 1, 1})}, {1, 1, 2, 2}, {1, 2, 3, 4}, 7},
  });
}

TEST(OnnxShape, SlicesEitherWay) {
  const auto slice = [](const char* name, double start, double end, double step, std::vector<double> expected) {
    const Shape shape{static_cast<std::uint32_t>(expected.size())};
    return ShapedCase{
        name, {"Slice"}, {counted({5}), int64s({start}), int64s({end}), int64s({0}), int64s({step})}, shape, std::move(expected)};
  };
  expectShaped({
      slice("all", kLeast, kGreatest, 1, {1, 2, 3, 4, 5}),
      slice("all, backwards", kGreatest, kLeast, -1, {5, 4, 3, 2, 1}),
      slice("to before the first", -2, -6, -2, {4, 2}),
      slice("from before the first, backwards", -99, kLeast, -1, {1}),
      slice("every third", 0, 5, 3, {1, 4}),
      slice("a great step", 1, kGreatest, kGreatest, {2}),
      slice("the least step", 3, kLeast, kLeast, {4}),
  });
}

// A constant slice that is contiguous shares the bytes of its input; other slices are computed. Both give the same result as a
// run.
TEST(OnnxShape, SlicesConstantsAsRunsDo) {
  const std::vector<std::vector<std::array<double, 3>>> ranges{
      {{0, 3, 1}, {0, 4, 1}, {0, 5, 1}}, {{1, 3, 1}, {0, 4, 1}, {0, 5, 1}}, {{2, 3, 1}, {1, 3, 1}, {0, 5, 1}},
      {{1, 2, 1}, {3, 4, 1}, {1, 4, 1}}, {{2, 3, 2}, {3, 4, 3}, {4, 5, 1}}, {{1, 3, 1}, {0, 4, 1}, {0, 4, 1}},
      {{0, 3, 1}, {1, 4, 1}, {0, 5, 1}}, {{0, 3, 2}, {0, 4, 1}, {0, 5, 1}}, {{1, 2, 1}, {0, 4, 1}, {0, 5, 2}},
      {{1, 2, 1}, {0, 4, 2}, {0, 5, 1}}, {{0, 1, 1}, {0, 1, 1}, {4, 5, 1}}};
  std::vector<double> numbers(60);
  std::iota(numbers.begin(), numbers.end(), 1);
  for (const Type type : {kFloat, kUint8, kInt64, kFloat16, kUint4}) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      SCOPED_TRACE(std::to_string(type) + " " + std::to_string(i));
      std::vector<double> starts, ends, steps, values = numbers;
      for (const auto& [start, end, step] : ranges[i]) starts.push_back(start), ends.push_back(end), steps.push_back(step);
      if (type == kUint4) {
        for (double& value : values) value = static_cast<int>(value) % 16;
      }
      const auto slice = [&](Given given) {
        return run(modelOf({"Slice"}, {std::move(given), int64s(starts), int64s(ends), int64s({0, 1, 2}), int64s(steps)}));
      };
      const std::vector<Imported> folded = slice(constantOf(type, {3, 4, 5}, values)),
                                  ran = slice(inputOf(type, {3, 4, 5}, values));
      EXPECT_EQ(folded[0].descriptor, ran[0].descriptor);
      EXPECT_EQ(folded[0].values, ran[0].values);
    }
  }
}

// The import computes with short lists of integers itself, because models compute shapes from them. Longer lists, other types and
// unknown inputs take the general path.
TEST(OnnxShape, ComputesWithListsOfSizesAsRunsDo) {
  const auto expectEqual = [](const Node& node, const Dims& dims, std::vector<double> values, const std::vector<Given>& others) {
    for (const Type type : {kInt64, kInt32}) {
      SCOPED_TRACE(node.opType + " " + std::to_string(type) + " " + std::to_string(values.size()));
      const auto runOn = [&](Given first) {
        std::vector<Given> inputs{std::move(first)};
        inputs.insert(inputs.end(), others.begin(), others.end());
        if (node.opType == "Concat") inputs.push_back(constantOf(type, dims, values));
        return run(modelOf(node, inputs));
      };
      const std::vector<Imported> known = runOn(constantOf(type, dims, values)), ran = runOn(inputOf(type, dims, values));
      EXPECT_EQ(known[0].descriptor, ran[0].descriptor);
      EXPECT_EQ(known[0].values, ran[0].values);
    }
  };
  for (const std::int64_t count : {1, 2, 5, 64, 65}) {
    std::vector<double> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), -3);
    const auto last = static_cast<double>(count - 1);
    for (const Given& indices : {constantOf(kInt64, {}, {0}), constantOf(kInt64, {}, {-1}), int64s({last, -last - 1, 0}),
                                 constantOf(kInt64, {1, 2}, {0, -1}), constantOf(kInt32, {1}, {last})})
      expectEqual({"Gather"}, {count}, values, {indices});
    expectEqual({"Gather", {}, {}, {{"axis", 1}}}, {1, count}, values, {constantOf(kInt64, {}, {last})});
    expectEqual({"Concat", {}, {}, {{"axis", -1}}}, {count}, values, {});
    expectEqual({"Concat", {}, {}, {{"axis", 0}}}, {1, count}, values, {});
    for (const auto& [start, end, step] : std::vector<std::array<double, 3>>{{0, last + 1, 1}, {-1, -99, -1}, {0, 99, 2}})
      expectEqual({"Slice"}, {count}, values, {int64s({start}), int64s({end}), int64s({0}), int64s({step})});
  }
}

TEST(OnnxShape, ReadsShapesAsTheyAreMeant) {
  expectShaped({
      {"0 and -1", {"Reshape"}, {counted({2, 3}), int64s({0, 1, -1})}, {2, 1, 3}, {1, 2, 3, 4, 5, 6}},
      {"a scalar", {"Reshape"}, {counted({1, 1}), int64s({})}, {}, {1}},
      {"both broadcast", {"Expand"}, {floats({3, 1}, {1, 2, 3}), int64s({2})}, {3, 2}, {1, 1, 2, 2, 3, 3}},
      {"less than there is", {"Expand"}, {counted({2, 2}), int64s({1})}, {2, 2}, {1, 2, 3, 4}},
      {"past the last", {"Flatten", {}, {}, {{"axis", 2}}}, {counted({1, 2})}, {2, 1}, {1, 2}},
      {"a smaller last part", {"Split", {}, {}, {{"num_outputs", 1}}}, {counted({3})}, {3}, {1, 2, 3}},
      {"CRD",
       {"SpaceToDepth", {}, {}, {{"blocksize", 2}, {"mode", "CRD"}}},
       {counted({1, 2, 2, 2})},
       {1, 8, 1, 1},
       {1, 2, 3, 4, 5, 6, 7, 8},
       28},
      {"DCR", {"SpaceToDepth", {}, {}, {{"blocksize", 2}}}, {counted({1, 2, 2, 2})}, {1, 8, 1, 1}, {1, 5, 2, 6, 3, 7, 4, 8}},
  });
}

TEST(OnnxShape, SplitsWithTheLastPartSmallerOrEmptyOnesBetween) {
  expectCases({
      {"the last", {"Split", {}, {}, {{"num_outputs", 3}}}, {counted({5})}, {{1, 2}, {3, 4}, {5}}, 18},
      {"equal", {"Split"}, {counted({4})}, {{1, 2}, {3, 4}}, 13},
  });
  Runnable runnable = modelOf({"Split"}, {counted({3}), int64s({0, 2, 0, 1})}, 13, 4);
  std::erase_if(runnable.model.graph.outputs, [](const ValueInfo& output) { return output.name == "y0" || output.name == "y2"; });
  const std::vector<Imported> results = run(runnable);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].values, (std::vector<double>{1, 2}));
  EXPECT_EQ(results[1].values, (std::vector<double>{3}));
}

TEST(OnnxShape, PadsBeyondWebNNsModes) {
  const std::vector<Attribute> wrap{{"mode", "wrap"}}, reflect{{"mode", "reflect"}}, edge{{"mode", "edge"}};
  expectShaped({
      {"around, twice", {"Pad", {}, {}, wrap}, {counted({2}), int64s({3, 4})}, {9}, {2, 1, 2, 1, 2, 1, 2, 1, 2}},
      {"reflected twice", {"Pad", {}, {}, reflect}, {counted({3}), int64s({5, 3})}, {11}, {2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2}},
      {"reflected without a neighbor", {"Pad", {}, {}, reflect}, {counted({1}), int64s({1, 2})}, {4}, {1, 1, 1, 1}},
      {"dropped, then repeated", {"Pad", {}, {}, edge}, {counted({4}), int64s({-1, 2})}, {5}, {2, 3, 4, 4, 4}},
      {"nothing left", {"Pad"}, {counted({2}, kInt32), int64s({-2, 3}), constantOf(kInt32, {}, {7})}, {3}, {7, 7, 7}},
      {"by a number that is not known", {"Pad"}, {counted({2}), int64s({1, 0}), floats({}, {9})}, {3}, {9, 1, 2}},
      {"one of the axes", {"Pad"}, {counted({2, 1}), int64s({1, 0}), {}, int64s({-1})}, {2, 2}, {0, 1, 0, 2}, 18},
      {"a great integer",
       {"Pad"},
       {inputOf(kInt64, {1}, {1}), int64s({0, 1}), constantOf(kInt64, {}, {-0x1p62})},
       {2},
       {1, -0x1p62}},
      {"around a center", {"CenterCropPad"}, {counted({3, 2}), int64s({2, 5})}, {2, 5}, {0, 1, 2, 0, 0, 0, 3, 4, 0, 0}},
  });
}

TEST(OnnxShape, TakesDiagonalsFarOutside) {
  const auto trilu = [](double k, std::int64_t upper, std::vector<double> expected) {
    return ShapedCase{
        "", {"Trilu", {}, {}, {{"upper", upper}}}, {counted({2, 3}), constantOf(kInt64, {}, {k})}, {2, 3}, std::move(expected)};
  };
  expectShaped({
      trilu(kLeast, 1, {1, 2, 3, 4, 5, 6}),
      trilu(kGreatest, 1, {0, 0, 0, 0, 0, 0}),
      trilu(kLeast, 0, {0, 0, 0, 0, 0, 0}),
      trilu(kGreatest, 0, {1, 2, 3, 4, 5, 6}),
      trilu(-1, 0, {0, 0, 0, 4, 0, 0}),
      trilu(2, 1, {0, 0, 3, 0, 0, 0}),
  });
}

TEST(OnnxShape, ReversesSequencesOfLengthsThatAreNotKnown) {
  expectShaped({
      {"batch first",
       {"ReverseSequence", {}, {}, {{"batch_axis", 0}, {"time_axis", 1}}},
       {counted({2, 3}), inputOf(kInt64, {2}, {2, 3})},
       {2, 3},
       {2, 1, 3, 6, 5, 4},
       10},
      {"time first, with elements",
       {"ReverseSequence"},
       {counted({2, 2, 2}), inputOf(kInt64, {2}, {1, 2})},
       {2, 2, 2},
       {1, 2, 7, 8, 5, 6, 3, 4},
       10},
  });
}

TEST(OnnxShape, CompressIgnoresConditionsBeyondTheAxis) {
  expectShaped({
      {"axis", {"Compress", {}, {}, {{"axis", 0}}}, {counted({2, 3}), constantOf(kBool, {3}, {0, 1, 1})}, {1, 3}, {4, 5, 6}, 11},
      {"flat", {"Compress"}, {counted({2, 2}), constantOf(kBool, {6}, {1, 0, 0, 1, 1, 1})}, {2}, {1, 4}, 11},
  });
}

// The nodes compute the shape [2, 3], which the last node uses. Some intermediate tensors are empty.
TEST(OnnxShape, CalculatesWithEmptyTensors) {
  const std::vector<std::vector<Node>> ways{
      {{"Slice", {"dims", "one", "one"}, {"none"}}, {"Concat", {"none", "dims", "none"}, {"shape"}, {{"axis", 0}}}},
      {{"Gather", {"dims", "empty"}, {"none"}}, {"Concat", {"dims", "none"}, {"shape"}, {{"axis", 0}}}},
      {{"Unsqueeze", {"empty", "one"}, {"column"}},
       {"Transpose", {"column"}, {"row"}},
       {"Squeeze", {"row", "zero"}, {"none"}},
       {"Concat", {"none", "dims"}, {"shape"}, {{"axis", 0}}}},
      {{"Expand", {"one", "zero"}, {"a"}},
       {"Tile", {"dims", "zero"}, {"b"}},
       {"Reshape", {"b", "minus"}, {"c"}, {{"allowzero", 1}}},
       {"Concat", {"a", "c"}, {"none"}, {{"axis", 0}}},
       {"Concat", {"none", "dims"}, {"shape"}, {{"axis", -1}}}},
      {{"Split", {"dims", "parts"}, {"none", "all"}},
       {"Compress", {"all", "no"}, {"more"}},
       {"Pad", {"more", "pads"}, {"zeros"}},
       {"Slice", {"zeros", "two", "two"}, {"rest"}},
       {"Concat", {"none", "all", "rest"}, {"shape"}, {{"axis", 0}}}},
      {{"ScatterElements", {"dims", "empty", "empty"}, {"same"}},
       {"CumSum", {"empty", "zero"}, {"none"}},
       {"Concat", {"same", "none"}, {"shape"}, {{"axis", 0}}}},
      {{"Flatten", {"empty"}, {"flat"}},
       {"ReduceSum", {"flat", "one"}, {"none"}, {{"keepdims", 0}}},
       {"Trilu", {"flat"}, {"kept"}},
       {"Reshape", {"kept", "zero"}, {"still"}, {{"allowzero", 1}}},
       {"Concat", {"none", "still", "dims"}, {"shape"}, {{"axis", 0}}}},
  };
  for (const std::vector<Node>& way : ways) {
    SCOPED_TRACE(way[0].opType);
    Runnable runnable = modelOf({"Reshape"}, {counted({6})});
    Graph& graph = runnable.model.graph;
    graph.nodes.insert(graph.nodes.begin(), way.begin(), way.end());
    graph.nodes.back().inputs = {"x0", "shape"};
    const auto constant = [&graph](const char* name, std::vector<std::int64_t> values) {
      graph.initializers.push_back(tensor(name, {static_cast<std::int64_t>(values.size())}, values));
    };
    constant("dims", {2, 3});
    constant("zero", {0});
    constant("one", {1});
    constant("two", {2});
    constant("minus", {0});
    constant("parts", {0, 2});
    constant("pads", {1, 1});
    constant("empty", {});
    graph.initializers.push_back(rawTensor("no", kBool, {2}, std::string(2, '\0')));
    std::vector<Imported> results;
    ASSERT_NO_THROW(results = run(runnable));
    EXPECT_EQ(results[0].descriptor.shape, (Shape{2, 3}));
  }
}

TEST(OnnxShape, RefusesMalformedNodes) {
  const Given x = counted({2, 3});
  const std::vector<Attribute> block0{{"blocksize", 0}}, block2{{"blocksize", 2}};
  expectMalformedNodes({
      {{"Reshape"}, {x, int64s({4, -1})}, {"shape [4, 1]", "6 elements"}},
      {{"Reshape"}, {x, int64s({-1, -1})}, {"more than one -1"}},
      {{"Reshape"}, {x, int64s({2, 3, 0})}, {"dimension 2", "rank 2"}},
      {{"Reshape"}, {x, int64s({-2, -3})}, {"shape [-2, -3]"}},
      {{"Reshape"}, {x, int64s({0x1p62, 0x1p62})}, {"6 elements"}},
      {{"Squeeze"}, {x, int64s({0})}, {"dimension 0 (2) is not 1"}},
      {{"Unsqueeze"}, {x, int64s({3, -1})}, {"an axis is repeated"}},
      {{"Unsqueeze"}, {x}, {"the axes are absent"}},
      {{"Expand"}, {x, int64s({2})}, {"[2, 3] does not broadcast to [1, 2]"}},
      {{"Tile"}, {x, int64s({1})}, {"1 repeats", "rank 2"}},
      {{"Tile"}, {x, int64s({1, -1})}, {"repeats[1] (-1)"}},
      {{"Concat"}, {x, x}, {"attribute axis is absent"}},
      {{"Concat", {}, {}, {{"axis", 0}}}, {x, counted({3})}, {"input 1 has rank 1"}},
      {{"Split"}, {x, int64s({3})}, {"[3] do not add up to 2"}},
      {{"Split"}, {x, int64s({1})}, {"[1] do not add up to 2"}},
      {{"Split"}, {x, int64s({kGreatest})}, {"do not add up to 2"}},
      {{"Split"}, {x, int64s({1, 1})}, {"2 sizes of parts and 1 outputs"}},
      {{"Split", {}, {}, {{"num_outputs", 2}}}, {x}, {"num_outputs (2)"}},
      {{"Slice"}, {x, int64s({0}), int64s({1}), int64s({0}), int64s({0})}, {"a step is 0"}},
      {{"Slice"}, {x, int64s({0}), int64s({1, 2})}, {"1 starts, 2 ends"}},
      {{"Slice"}, {x, int64s({0, 0}), int64s({1, 1}), int64s({1, 1})}, {"an axis is repeated"}},
      {{"Pad"}, {x, int64s({0, 0})}, {"2 pads for 2 axes"}},
      {{"Pad"}, {x, int64s({kLeast, 0, 0, 0})}, {"drops more elements than there are (2)"}},
      {{"Pad", {}, {}, {{"mode", "mirror"}}}, {x, int64s({1, 0, 0, 0})}, {"\"mirror\""}},
      {{"Pad", {}, {}, {{"mode", "edge"}}}, {x, int64s({-2, 0, 1, 0})}, {"nothing to repeat"}},
      {{"DepthToSpace", {}, {}, block0}, {counted({1, 4, 1, 1})}, {"blocksize (0)"}},
      {{"DepthToSpace", {}, {}, block2}, {counted({1, 2, 1, 1})}, {"2 channels", "2x2"}},
      {{"SpaceToDepth", {}, {}, block2}, {counted({1, 2, 3, 2})}, {"3x2"}},
      {{"Trilu"}, {counted({3})}, {"rank 1"}},
      {{"CenterCropPad"}, {x, int64s({2, -1})}, {"shape[1] (-1)"}},
      {{"ReverseSequence", {}, {}, {{"time_axis", 1}}}, {x, int64s({1, 1})}, {"time axis (1)"}},
  });
}

TEST(OnnxShape, RefusesSizesThatWebNNCannotHave) {
  const Given x = counted({2, 3});
  expectUnsupported({
      {{"Tile"}, {x, int64s({0x1p62, 1})}, {"above 2^63 - 1"}},
      {{"Tile"}, {x, int64s({0x1p31, 1})}, {"a dimension of 4294967296"}},
      {{"Expand"}, {x, int64s({0x1p40, 1, 1})}, {"a dimension of 1099511627776"}},
      {{"Expand"}, {x, int64s({1, 1, 1, 1, 1, 1, 1, 1, 1})}, {"rank 9", "at most 8"}},
      {{"Pad"}, {x, int64s({kGreatest, 0, 0, 0})}, {"above 2147483647"}},
      {{"Pad", {}, {}, {{"mode", "wrap"}}}, {x, int64s({0x1p30, 0, 0, 0})}, {"constants of 1073741826 elements"}},
      {{"DepthToSpace", {}, {}, {{"blocksize", std::int64_t{1} << 40}}}, {counted({1, 4, 1, 1})}, {"dimensions above"}},
      {{"Reshape"}, {x, inputOf(kInt64, {1}, {-1})}, {"\"x1\"", "must be known"}},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
