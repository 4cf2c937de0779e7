// Tests ONNX's gather and scatter operators: reductions, index tensors smaller than the data, and hostile indices.
#include "onnx/sessions.h"
#include "onnx/shaped.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

std::vector<Attribute> reduced(const char* reduction, std::int64_t axis = 0) {
  return {{"reduction", reduction}, {"axis", axis}};
}

TEST(OnnxGather, TakesPartsOfOtherAxes) {
  expectShaped({
      {"smaller indices",
       {"GatherElements", {}, {}, {{"axis", 1}}},
       {counted({3, 3}), inputOf(kInt64, {2, 1}, {-1, 0})},
       {2, 1},
       {3, 4}},
      {"batches",
       {"GatherND", {}, {}, {{"batch_dims", 2}}},
       {counted({2, 2, 2}), inputOf(kInt64, {2, 2, 1}, {0, 1, -1, 0})},
       {2, 2},
       {1, 4, 6, 7}},
      {"slices of batches",
       {"GatherND", {}, {}, {{"batch_dims", 1}}},
       {counted({2, 2, 2}), inputOf(kInt64, {2, 1}, {1, 0})},
       {2, 2},
       {3, 4, 5, 6}},
      {"a scalar index", {"Gather", {}, {}, {{"axis", -1}}}, {counted({2, 2}), inputOf(kInt32, {}, {-1})}, {2}, {2, 4}},
      {"a row of features", {"ArrayFeatureExtractor", {}, {}, {}, "ai.onnx.ml"}, {counted({3}), int64s({2, 0})}, {1, 2}, {3, 1}},
  });
}

// The bytes 0x21, 0x43, ... hold the 4-bit values 1, 2, 3, 4, ... Each result is (value - zero point) * scale, with the zero
// points 1 and 2.
TEST(OnnxGather, DequantizesBlocks) {
  std::vector<double> bytes, expected(32, 0.0);
  for (int i = 0; i < 32; ++i) bytes.push_back((2 * i + 2) % 16 * 16 + (2 * i + 1) % 16);
  for (int i = 0; i < 32; ++i) expected[static_cast<std::size_t>(i)] = ((i + 1) % 16 - (i < 16 ? 1 : 2)) * (i < 16 ? 0.5 : 2);
  const std::vector<Attribute> blocks{{"block_size", 16}, {"bits", 4}};
  const Given data = constantOf(kUint8, {2, 16}, bytes), scales = constantOf(kFloat, {2, 2}, {0.5, 2, 1, 1});
  expectShaped({
      {"packed",
       {"GatherBlockQuantized", {}, {}, blocks, "com.microsoft"},
       {data, int64s({0}), scales, constantOf(kUint8, {2, 1}, {0x21, 0})},
       {1, 32},
       expected},
      {"symmetric",
       {"GatherBlockQuantized", {}, {}, {{"block_size", 16}, {"bits", 8}}, "com.microsoft"},
       {constantOf(kUint8, {1, 16}, std::vector<double>(16, 130)), int64s({0, -1}), constantOf(kFloat, {1, 1}, {3})},
       {2, 16},
       std::vector<double>(32, 6)},
  });
}

TEST(OnnxScatter, CombinesUpdatesOfEqualTargets) {
  for (const bool isKnown : {false, true}) {
    const auto indices = [isKnown](Dims dims, std::vector<double> values) {
      return Given{kInt64, std::move(dims), std::move(values), isKnown};
    };
    // Element 1 gets the updates 10 and 30 (the latter by a negative index), and element 2 gets 20.
    const auto elements = [&](const char* reduction, std::vector<double> expected) {
      return ShapedCase{reduction,
                        {"ScatterElements", {}, {}, reduced(reduction)},
                        {floats({4}, {1, 2, 25, 4}), indices({3}, {1, 2, -3}), floats({3}, {10, 20, 30})},
                        {4},
                        std::move(expected),
                        18};
    };
    expectShaped({
        elements("add", {1, 42, 45, 4}),
        elements("mul", {1, 600, 500, 4}),
        elements("max", {1, 30, 25, 4}),
        elements("min", {1, 2, 20, 4}),
        {"short integers wrap",
         {"ScatterElements", {}, {}, reduced("add")},
         {inputOf(kInt8, {2}, {100, 1}), indices({3}, {0, 0, 0}), inputOf(kInt8, {3}, {100, 100, 100})},
         {2},
         {-112, 1},
         18},
        {"along a middle axis",
         {"ScatterElements", {}, {}, reduced("add", 1)},
         {floats({2, 2, 2}, std::vector<double>(8, 0)), indices({2, 3, 2}, {0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, -1}),
          counted({2, 3, 2})},
         {2, 2, 2},
         {4, 0, 5, 12, 7 + 11, 8 + 10, 9, 12},
         18},
        {"slices",
         {"ScatterND", {}, {}, reduced("add")},
         {floats({3, 2}, {0, 0, 1, 1, 2, 2}), indices({3, 1}, {2, 0, -1}), counted({3, 2})},
         {3, 2},
         {3, 4, 1, 1, 2 + 1 + 5, 2 + 2 + 6},
         18},
        {"pairs",
         {"ScatterND", {}, {}, reduced("min")},
         {floats({2, 2}, {9, 9, 9, 9}), indices({3, 2}, {0, 1, 1, 0, -2, -1}), floats({3}, {5, 6, 3})},
         {2, 2},
         {9, 3, 6, 9},
         18},
    });
  }
}

TEST(OnnxScatter, WritesIntoPartsOfOtherAxes) {
  const Given data = floats({3, 3}, std::vector<double>(9, 0));
  expectShaped({
      {"one corner",
       {"ScatterElements", {}, {}, {{"axis", 1}}},
       {data, inputOf(kInt64, {1, 2}, {2, 0}), floats({1, 2}, {1, 2})},
       {3, 3},
       {2, 0, 1, 0, 0, 0, 0, 0, 0}},
      {"the old name",
       {"Scatter"},
       {data, inputOf(kInt32, {2, 1}, {2, 0}), floats({2, 1}, {1, 2})},
       {3, 3},
       {2, 0, 0, 0, 0, 0, 1, 0, 0},
       9},
      {"more than the axis holds",
       {"ScatterElements", {}, {}, reduced("add")},
       {data, inputOf(kInt64, {4, 1}, {0, 1, 1, 1}), floats({4, 1}, {1, 2, 3, 4})},
       {3, 3},
       {1, 0, 0, 9, 0, 0, 0, 0, 0}},
  });
}

TEST(OnnxScatter, WritesAroundTheEndOfACache) {
  const Given cache = floats({2, 3, 1}, std::vector<double>(6, 0)), update = counted({2, 2, 1}),
              at = inputOf(kInt64, {2}, {2, 1});
  expectShaped({
      {"circular", {"TensorScatter", {}, {}, {{"mode", "circular"}}}, {cache, update, at}, {2, 3, 1}, {2, 0, 1, 0, 3, 4}, 24},
      {"from the first", {"TensorScatter"}, {cache, update}, {2, 3, 1}, {1, 2, 0, 3, 4, 0}, 24},
  });
}

// Returns the error of compute(), which checks indices, or an empty text. (run() dispatches, and the graph clamps indices.)
std::string errorOf(const Runnable& runnable) {
  Context context = makeContext();
  const webnn::Graph graph = import(context, runnable.model);
  std::vector<std::vector<std::byte>> inputs, outputs;
  for (const auto& [name, descriptor] : graph.inputs()) {
    const std::vector<double>& values = runnable.inputs.at(name);
    inputs.push_back(pack(descriptor, std::vector<Number>(values.begin(), values.end())));
  }
  for (const auto& [name, descriptor] : graph.outputs()) outputs.emplace_back(byteLength(descriptor));
  const std::vector<std::span<const std::byte>> from(inputs.begin(), inputs.end());
  const std::vector<std::span<std::byte>> to(outputs.begin(), outputs.end());
  try {
    graph.compute(from, to);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::typeError);
    return error.what();
  }
  return {};
}

TEST(OnnxGather, RefusesInputsWithIndicesOutOfRange) {
  struct Case {
    const char* name;
    Node node;
    std::vector<Given> inputs;
    std::string error;
  };
  const auto error = [](int place, int index, int size) {
    return "compute: input \"x" + std::to_string(place) + "\": the index " + std::to_string(index) +
           " is not in a dimension of " + std::to_string(size) + "; node \"reader\" (";
  };
  const Given data = counted({4, 2}), fixed = constantOf(kFloat, {4, 2}, std::vector<double>(8, 1));
  for (const Case& one : std::vector<Case>{
           {"first and last", {"Gather"}, {data, inputOf(kInt64, {2}, {-4, 3})}, ""},
           {"above", {"Gather"}, {fixed, inputOf(kInt64, {2}, {0, 4})}, error(1, 4, 4)},
           {"below", {"Gather", {}, {}, {{"axis", 1}}}, {data, inputOf(kInt32, {1, 2}, {1, -3})}, error(1, -3, 2)},
           {"elements", {"GatherElements"}, {data, inputOf(kInt64, {1, 2}, {3, 4})}, error(1, 4, 4)},
           {"coordinates", {"GatherND"}, {data, inputOf(kInt64, {2, 2}, {3, 1, -4, -2})}, ""},
           {"second coordinate", {"GatherND"}, {data, inputOf(kInt64, {2, 2}, {3, 1, 0, 2})}, error(1, 2, 2)},
           {"batches",
            {"GatherND", {}, {}, {{"batch_dims", 1}}},
            {counted({2, 3}), inputOf(kInt64, {2, 1}, {-3, 3})},
            error(1, 3, 3)},
           {"updates", {"ScatterElements"}, {data, inputOf(kInt64, {1, 2}, {0, -5}), counted({1, 2})}, error(1, -5, 4)},
           {"rows", {"ScatterND"}, {data, inputOf(kInt64, {1, 1}, {4}), counted({1, 2})}, error(1, 4, 4)},
       }) {
    SCOPED_TRACE(one.name);
    Runnable runnable = modelOf(one.node, one.inputs, 18);
    runnable.model.graph.nodes[0].name = "reader";
    EXPECT_EQ(errorOf(runnable), one.error.empty() ? "" : one.error + one.node.opType + ") reads it.");
  }
}

TEST(OnnxGather, FollowsIndicesThroughReshapes) {
  // Unsqueeze and Cast keep every element; Abs computes others.
  for (const char* opType : {"Unsqueeze", "Abs"}) {
    Runnable runnable = modelOf({"Gather"}, {counted({4, 2}), inputOf(kInt64, {1}, {-5})}, 18);
    Graph& graph = runnable.model.graph;
    graph.initializers.push_back(tensor("axes", {1}, std::vector<std::int64_t>{0}));
    graph.nodes[0].inputs[1] = "narrow";
    std::vector<std::string> inputs{"x1"};
    if (opType == std::string("Unsqueeze")) inputs.push_back("axes");
    graph.nodes.insert(graph.nodes.begin(), Node{"Cast", {"moved"}, {"narrow"}, {{"to", std::int64_t{kInt32}}}});
    graph.nodes.insert(graph.nodes.begin(), Node{opType, inputs, {"moved"}});
    EXPECT_EQ(errorOf(runnable),
              opType == std::string("Abs")
                  ? ""
                  : "compute: input \"x1\": the index -5 is not in a dimension of 4; node \"\" (Gather) reads it.");
  }
}

TEST(OnnxGather, NamesTheNodeThatReadsComputedIndicesOutOfRange) {
  struct Case {
    Node node;
    Dims mask, data;
    std::string error;
  };
  // NonZero finds the last element of the mask, so that the indices are one less than the sizes of the mask.
  for (const Case& one : std::vector<Case>{
           {{"Gather"}, {12}, {4, 2}, "the index 11 is not in a dimension of 4."},
           {{"GatherElements"}, {12}, {4, 2}, "the index 11 is not in a dimension of 4."},
           {{"GatherND"}, {12}, {4, 2}, "the index 11 is not in a dimension of 4."},
           {{"ScatterElements"}, {12}, {4, 2}, "the index 11 is not in a dimension of 4."},
           {{"ScatterND"}, {12}, {4, 2}, "the index 11 is not in a dimension of 4."},
           {{"Gather", {}, {}, {{"axis", 1}}}, {3}, {4, 2}, "the index 2 is not in a dimension of 2."},
       }) {
    SCOPED_TRACE(one.node.opType);
    Graph graph;
    graph.nodes = {{"NonZero", {"mask"}, {"places"}}, one.node};
    Node& reader = graph.nodes[1];
    reader.inputs = {"data", "places"};
    reader.outputs = {"y"};
    reader.name = "reader";
    if (reader.opType.starts_with("Scatter")) reader.inputs.push_back("updates");
    const std::size_t updates = reader.opType == "ScatterND" ? 2 : 1;
    graph.initializers = {tensor("updates", {1, static_cast<std::int64_t>(updates)}, std::vector<float>(updates))};
    graph.inputs = {{"mask", kFloat, {{one.mask[0]}}}, {"data", kFloat, {{one.data[0], one.data[1]}}}};
    graph.outputs = {{"y", kFloat}};
    std::vector<float> mask(static_cast<std::size_t>(one.mask[0])), data(8);
    mask.back() = 1;
    const Session session = sessionOf(graph, {}, 18);
    const std::map<std::string, ArrayView> inputs{
        {"mask", ArrayView(std::span<const float>(mask), {static_cast<std::uint32_t>(mask.size())})},
        {"data", ArrayView(std::span<const float>(data), {4, 2})}};
    std::string message;
    EXPECT_EQ(kindOf([&] { session.run(inputs); }, &message), ErrorKind::dataError);
    EXPECT_EQ(message, "node \"reader\" (" + reader.opType + "): " + one.error);
  }
}

TEST(OnnxGather, RefusesConstantIndicesOutOfRange) {
  const Given data = counted({2, 3}), row = counted({1, 3});
  expectMalformedNodes({
      {{"Gather"}, {data, constantOf(kInt64, {2}, {1, 2})}, {"Gather", "the index 2 is not in a dimension of 2"}},
      {{"Gather", {}, {}, {{"axis", 1}}}, {data, constantOf(kInt32, {1}, {-4})}, {"the index -4 is not in a dimension of 3"}},
      {{"Gather", {}, {}, {{"axis", 1}}},
       {constantOf(kFloat, {0, 3}, {}), constantOf(kInt64, {1}, {7})},
       {"the index 7 is not in a dimension of 3"}},
      {{"GatherElements"}, {data, constantOf(kInt64, {1, 2}, {-2, -3})}, {"the index -3 is not in a dimension of 2"}},
      {{"GatherND"}, {data, constantOf(kInt64, {1, 2}, {1, 3})}, {"the index 3 is not in a dimension of 3"}},
      {{"ScatterElements"}, {data, constantOf(kInt64, {1, 3}, {0, 2, 0}), row}, {"the index 2 is not in a dimension of 2"}},
      {{"ScatterND"}, {data, constantOf(kInt64, {1, 1}, {7}), row}, {"the index 7 is not in a dimension of 2"}},
  });
}

// Indices out of range are not an error in a branch that is not taken (the graph computes both branches), nor if they are the
// ignored targets of a loss.
TEST(OnnxGather, IsNotCheckedWhereTheModelMayNotTakeIt) {
  Runnable runnable = modelOf({"If"}, {inputOf(kBool, {}, {1}), counted({4, 2}), inputOf(kInt64, {1}, {7})}, 18);
  Graph& graph = runnable.model.graph;
  const auto branch = [](Node node) {
    Graph body;
    body.nodes = {std::move(node)};
    body.outputs = {{"z", kFloat, {{1, 2}}}};
    return subgraph(body);
  };
  graph.nodes[0].inputs = {"x0"};
  graph.nodes[0].attributes = {{"then_branch", branch({"Slice", {"x1", "zero", "one"}, {"z"}})},
                               {"else_branch", branch({"Gather", {"x1", "x2"}, {"z"}})}};
  graph.initializers = {tensor("zero", {1}, std::vector<std::int64_t>{0}), tensor("one", {1}, std::vector<std::int64_t>{1})};
  EXPECT_EQ(errorOf(runnable), "");
  EXPECT_EQ(errorOf(modelOf({"NegativeLogLikelihoodLoss", {}, {}, {{"ignore_index", std::int64_t{-100}}}},
                            {floats({2, 3}, {-1, -2, -3, -4, -5, -6}), inputOf(kInt64, {2}, {1, -100})}, 18)),
            "");
}

TEST(OnnxScatter, RefusesMalformedNodes) {
  const Given data = counted({2, 3}), row = counted({1, 3}), far = constantOf(kInt64, {1, 3}, {0, 2, 0});
  expectMalformedNodes({
      {{"ScatterElements"}, {data, int64s({0}), counted({1})}, {"updates [1] at indices [1] do not fit data [2, 3]"}},
      {{"ScatterElements"}, {data, constantOf(kInt64, {1, 4}, {0, 0, 0, 0}), counted({1, 4})}, {"do not fit"}},
      {{"ScatterElements", {}, {}, reduced("add")}, {data, far, row}, {"the index 2 is not in a dimension of 2"}, 18},
      {{"ScatterElements", {}, {}, reduced("mean")}, {data, far, row}, {"\"mean\""}, 18},
      {{"ScatterND", {}, {}, reduced("add")},
       {data, constantOf(kInt64, {1, 1}, {-0x1p63}), row},
       {"is not in a dimension of 2"},
       18},
      {{"ScatterND"}, {data, constantOf(kInt64, {1, 3}, {0, 0, 0}), counted({1})}, {"do not fit"}},
      {{"GatherND", {}, {}, {{"batch_dims", -1}}}, {data, constantOf(kInt64, {1, 1}, {0})}, {"-1 batch dimensions"}},
      {{"GatherND", {}, {}, {{"batch_dims", 1}}}, {data, constantOf(kInt64, {1, 1}, {0})}, {"do not fit data [2, 3]"}},
      {{"GatherElements"},
       {data, constantOf(kInt64, {1, 4}, {0, 0, 0, 0})},
       {"dimension 1 of the indices (4) is above that of the data (3)"}},
      {{"GatherElements"}, {data, int64s({0})}, {"rank 1"}},
      {{"TensorScatter", {}, {}, {{"axis", 0}}}, {data, data}, {"axis 0"}, 24},
  });
}

TEST(OnnxScatter, RefusesTooManyUpdatesToCompare) {
  Given indices{kInt64, {9000, 1}, std::vector<double>(9000, 0), false};
  const Given data = floats({2}, {0, 0}), updates = floats({9000}, std::vector<double>(9000, 1));
  expectUnsupported({{{"ScatterND", {}, {}, reduced("add")},
                      {data, indices, updates},
                      {"WebNN's scatter has no reduction", "9000 updates"},
                      18}});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
