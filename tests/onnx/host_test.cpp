// Tests single nodes that the host computes: strings, patterns, scatters, recurrent networks, trees and limits.
#include <array>
#include <cmath>

#include "onnx/program/host/regular_expression.h"
#include "onnx/sessions.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Words = std::vector<std::string>;

// Returns a model of one node with the inputs x0, x1, ... of these types and ranks, and the output y.
Graph nodeGraph(Node node, const std::vector<std::pair<Type, std::size_t>>& inputs) {
  Graph graph;
  for (const auto& [type, rank] : inputs) {
    const std::string name = "x" + std::to_string(graph.inputs.size());
    graph.inputs.push_back({name, type, std::vector<Dimension>(rank)});
    node.inputs.push_back(name);
  }
  node.outputs = {"y"};
  graph.nodes = {std::move(node)};
  graph.outputs = {{"y"}};
  return graph;
}

// Each of these models would make about 2^18 strings of 1 MiB: 256 GiB.
TEST(OnnxHost, CountsStringsBeforeItCopiesThem) {
  const std::size_t count = std::size_t{1} << 18;
  const std::string text(1 << 20, 'x');
  const auto expectLimited = [&](const Node& node, const std::vector<std::pair<Type, std::size_t>>& types,
                                 const std::map<std::string, ArrayView>& inputs) {
    SCOPED_TRACE(node.opType);
    SessionOptions options;
    options.load.limits.maxMemory = 256 << 20;
    const Session session = sessionOf(nodeGraph(node, types), options, 20);
    std::string message;
    EXPECT_EQ(kindOf([&] { session.run(inputs); }, &message), ErrorKind::operationError);
    EXPECT_NE(message.find("maxMemory"), std::string::npos) << message;
  };
  const Words one{text}, none(count), two{std::string(count, 'a'), "a"};
  const Ints size{static_cast<std::int64_t>(count)}, ints(count, 1);
  const Floats floats(count, 1);
  expectLimited({"ConstantOfShape", {}, {}, {{"value", textTensor("", {1}, one)}}}, {{kInt64, 1}}, {{"x0", size}});
  expectLimited({"Expand", {}, {}}, {{kString, 1}, {kInt64, 1}}, {{"x0", one}, {"x1", size}});
  expectLimited({"StringConcat", {}, {}}, {{kString, 1}, {kString, 1}}, {{"x0", one}, {"x1", none}});
  expectLimited({"LabelEncoder", {}, {}, {{"keys_int64s", Ints{1}}, {"values_strings", one}}, "ai.onnx.ml"}, {{kInt64, 1}},
                {{"x0", ints}});
  expectLimited({"LinearClassifier",
                 {},
                 {},
                 {{"classlabels_strings", Words{text, text}}, {"coefficients", Floats{1, -1}}, {"intercepts", Floats{0, 0}}},
                 "ai.onnx.ml"},
                {{kFloat, 2}}, {{"x0", ArrayView(floats, {static_cast<std::uint32_t>(count), 1})}});
  expectLimited({"Tokenizer",
                 {},
                 {},
                 {{"separators", Words{""}}, {"pad_value", text}, {"mark", std::int64_t{0}}, {"mincharnum", std::int64_t{1}}},
                 "com.microsoft"},
                {{kString, 1}}, {{"x0", two}});
}

// The attribute default_tensor must have one element of the values' type, here a string.
TEST(OnnxHost, RefusesADefaultLabelOfAnotherType) {
  const Graph graph =
      nodeGraph({"LabelEncoder",
                 {},
                 {},
                 {{"keys_int64s", Ints{1}}, {"values_strings", Words{"a"}}, {"default_tensor", tensor("", {1}, Ints{7})}},
                 "ai.onnx.ml"},
                {{kInt64, 1}});
  test::expectError(ErrorKind::dataError, {"its default_tensor has 1 elements of int64, not 1 of string."}, [&] {
    sessionOf(graph).run({{"x0", Ints{2}}});
  });
}

TEST(OnnxHost, RefusesLabelsOfAnotherTypeThanItsKeys) {
  const Graph graph = nodeGraph(
      {"LabelEncoder", {}, {}, {{"keys_strings", Words{"a"}}, {"values_int64s", Ints{7}}}, "ai.onnx.ml"}, {{kInt64, 1}});
  test::expectError(ErrorKind::dataError, {"its input is of int64, and its keys of string."}, [&] {
    sessionOf(graph).run({{"x0", Ints{2}}});
  });
}

// Returns whether the pattern matches the whole text.
bool matches(const std::string& pattern, const std::string& text) {
  const Graph graph = nodeGraph({"RegexFullMatch", {}, {}, {{"pattern", pattern}}}, {{kString, 1}});
  return sessionOf(graph, {}, 20).run({{"x0", Words{text}}}).at("y").bytes[0] != std::byte{0};
}

TEST(OnnxHost, ReadsTheNamesOfGroups) {
  EXPECT_TRUE(matches("(?P<first>a)(?<s_2>b)", "ab"));
  for (const char* around : {"(?<!x>)ab", "(?<=x>)ab", "a(?=b)b", "a(?!c)b"})
    test::expectError(ErrorKind::notSupportedError, {around, "look-around"}, [&] { matches(around, "ab"); });
  for (const char* wrong : {"(?P<>a)b", "(?<a b>a)b", "(?P<!x>a)b"})
    test::expectError(ErrorKind::dataError, {wrong, "a group"}, [&] { matches(wrong, "ab"); });
}

// The search takes time in proportion to the text, although a match could begin at each `a` and none does.
TEST(OnnxHost, SearchesPatternsInLinearTime) {
  const formats::onnx::RegularExpression expression("a*b|c");
  const auto workFor = [&](std::size_t count) {
    std::size_t work = 0;
    const auto tick = [&](std::size_t turns) { work += turns; };
    const std::u32string text = std::u32string(count, U'a') + U"c";
    formats::onnx::PatternSearch search(expression, text, tick);
    const auto match = search.next(0);
    EXPECT_TRUE(match && match->begin == count && match->length == 1);
    return work;
  };
  EXPECT_LT(workFor(20'000), 3 * workFor(10'000));
}

// The leftmost match counts; of several matches that begin there, the longest.
TEST(OnnxHost, FindsTheLeftmostAndLongestMatch) {
  const auto found = [](std::string_view pattern, std::u32string_view text, std::size_t from = 0) {
    const formats::onnx::RegularExpression expression(pattern);
    const auto tick = [](std::size_t) {};
    const auto match = formats::onnx::PatternSearch(expression, text, tick).next(from);
    return match ? std::pair(match->begin, match->length) : std::pair(text.size() + 1, std::size_t{0});
  };
  using Place = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(found("a|ab|abcd", U"xabcd"), (Place{1, 4}));
  EXPECT_EQ(found("abcde|bc", U"abcd bc"), (Place{1, 2}));
  EXPECT_EQ(found("b+|abbx", U"abbb"), (Place{1, 3}));
  EXPECT_EQ(found("^a", U"aa", 1), (Place{3, 0}));
  EXPECT_EQ(found("x*", U"aax"), (Place{0, 0}));
  EXPECT_EQ(found("\\bb", U"ab b", 1), (Place{3, 1}));
  EXPECT_EQ(found("$", U"ab"), (Place{3, 0}));  // not found: no match begins at the end
}

// The expected values are from np.add.at, np.multiply.at, np.maximum.at and np.minimum.at of NumPy 2.4 with np.bool_.
TEST(OnnxHost, ScattersBooleansAsNumPyDoes) {
  // Each position has a different pair of data and update; the last position has two updates.
  const std::vector<std::uint8_t> data{0, 0, 1, 1, 1}, updates{0, 1, 0, 1, 0, 1};
  const Ints places{0, 1, 2, 3, 4, 4};
  const std::map<std::string, std::vector<std::uint8_t>> expected{
      {"add", {0, 1, 1, 1, 1}}, {"mul", {0, 0, 0, 1, 0}}, {"max", {0, 1, 1, 1, 1}}, {"min", {0, 0, 0, 1, 0}}};
  for (const auto& [reduction, values] : expected) {
    for (const bool isElements : {true, false}) {
      for (const bool isGraph : {true, false}) {
        SCOPED_TRACE(reduction + (isElements ? " of elements" : " of slices") + (isGraph ? " in a graph" : " on the host"));
        Node node{isElements ? "ScatterElements" : "ScatterND", {}, {}, {{"reduction", reduction}}};
        // Unless `isGraph`, there are so many updates that the host combines them.
        const std::size_t copies = isGraph ? 1 : 50;
        std::vector<std::uint8_t> allData, allUpdates, allValues;
        Ints allPlaces;
        for (std::size_t i = 0; i < copies; ++i) {
          allData.insert(allData.end(), data.begin(), data.end());
          allUpdates.insert(allUpdates.end(), updates.begin(), updates.end());
          allValues.insert(allValues.end(), values.begin(), values.end());
          for (const std::int64_t place : places) allPlaces.push_back(place + static_cast<std::int64_t>(5 * i));
        }
        Graph graph = nodeGraph(node, {{kBool, 1}, {kInt64, isElements ? 1U : 2U}, {kBool, 1}});
        const Shape shape = isElements ? Shape{static_cast<std::uint32_t>(allPlaces.size())}
                                       : Shape{static_cast<std::uint32_t>(allPlaces.size()), 1};
        const Array y =
            sessionOf(graph, {}, 18).run({{"x0", allData}, {"x1", ArrayView(allPlaces, shape)}, {"x2", allUpdates}}).at("y");
        EXPECT_EQ(elementsOf<std::uint8_t>(y), allValues);
      }
    }
  }
}

TEST(OnnxHost, WrapsProductsOfScatteredIntegers) {
  const std::vector<std::uint16_t> data{65535, 3}, updates{65535, 7};
  const Ints places{0, 1};
  const auto view = [](const std::vector<std::uint16_t>& values) {
    return ArrayView(webnn::onnx::ElementType::uint16, {2}, std::as_bytes(std::span(values)));
  };
  const Graph graph = nodeGraph({"ScatterElements", {}, {}, {{"reduction", "mul"}}}, {{kUint16, 1}, {kInt64, 1}, {kUint16, 1}});
  const Array y = sessionOf(graph, {}, 18).run({{"x0", view(data)}, {"x1", places}, {"x2", view(updates)}}).at("y");
  EXPECT_EQ(elementsOf<std::uint16_t>(y), (std::vector<std::uint16_t>{1, 21}));
}

// A recurrent network whose inputs have no features has results, but the host does not compute them. The session must refuse it
// instead of trying again and again.
TEST(OnnxHost, RefusesRecurrentNetworksWithoutElements) {
  for (const char* op : {"LSTM", "GRU", "RNN"}) {
    const std::uint32_t gates = op[0] == 'L' ? 4 : op[0] == 'G' ? 3 : 1;
    const Graph graph = nodeGraph({op, {}, {}, {{"hidden_size", std::int64_t{2}}}}, {{kFloat, 3}, {kFloat, 3}, {kFloat, 3}});
    const Floats none, weights(gates * 2 * 2);
    const auto shapeOf = [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return Shape{a, b, c}; };
    test::expectError(ErrorKind::notSupportedError, {op, "the host does not compute it without elements."}, [&] {
      sessionOf(graph).run({{"x0", ArrayView(none, shapeOf(3, 2, 0))},
                            {"x1", ArrayView(none, shapeOf(1, gates * 2, 0))},
                            {"x2", ArrayView(weights, shapeOf(1, gates * 2, 2))}});
    });
  }
}

TEST(OnnxHost, RefusesAnUnknownPostTransform) {
  const Floats x{1};
  const std::vector<Node> nodes{
      {"SVMClassifier",
       {},
       {},
       {{"classlabels_ints", Ints{0, 1}},
        {"coefficients", Floats{1, -1}},
        {"rho", Floats{0}},
        {"vectors_per_class", Ints{1, 1}},
        {"support_vectors", Floats{1, 2}},
        {"post_transform", "SOFTMAXX"}},
       "ai.onnx.ml"},
      {"SVMRegressor", {}, {}, {{"coefficients", Floats{1}}, {"rho", Floats{0}}, {"post_transform", "SOFTMAXX"}}, "ai.onnx.ml"},
      {"LinearRegressor", {}, {}, {{"coefficients", Floats{1}}, {"post_transform", "SOFTMAXX"}}, "ai.onnx.ml"}};
  for (const Node& node : nodes) {
    test::expectError(ErrorKind::dataError, {node.opType, "its post_transform is \"SOFTMAXX\""}, [&] {
      sessionOf(nodeGraph(node, {{kFloat, 2}})).run({{"x0", ArrayView(x, {1, 1})}});
    });
  }
}

// Between runs, the caller changes the memory of the weights w, of their scale and of their zero point.
TEST(OnnxHost, ReadsTheWeightsOfQuantizedLstmsInEachRun) {
  Graph graph;
  graph.nodes = {{"DynamicQuantizeLSTM",
                  {"x", "w", "r", "", "", "", "", "", "ws", "wz", "rs", "rz"},
                  {"y"},
                  {{"hidden_size", std::int64_t{1}}},
                  "com.microsoft"}};
  graph.inputs = {{"x", kFloat, {{1, 1, 2}}}, {"w", kInt8, {{1, 2, 4}}}, {"ws", kFloat, {{1}}}, {"wz", kInt8, {{1}}}};
  graph.initializers = {tensor("r", {1, 1, 4}, std::vector<std::int8_t>{1, 2, 3, 4}), tensor("rs", {1}, Floats{1}),
                        tensor("rz", {1}, std::vector<std::int8_t>{0})};
  graph.outputs = {{"y", kFloat, {{1, 1, 1, 1}}}};
  const Session session = sessionOf(graph);
  const Floats x{127, -128};  // quantized with scale 1 and zero point 128
  std::vector<std::int8_t> w{3, -7, 120, 9, -5, 4, -128, 11}, zero{0};
  Floats scale{1e-4F};
  const auto expectRun = [&] {
    std::array<double, 4> gates{};  // input, output, forget, cell
    for (std::size_t g = 0; g < 4; ++g) gates[g] = (127.0 * (w[g] - zero[0]) - 128.0 * (w[4 + g] - zero[0])) * scale[0];
    const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
    const double expected = sigmoid(gates[1]) * std::tanh(sigmoid(gates[0]) * std::tanh(gates[3]));
    const Array y = session.run({{"x", {x, {1, 1, 2}}}, {"w", {w, {1, 2, 4}}}, {"ws", scale}, {"wz", zero}}).at("y");
    EXPECT_NEAR(elementsOf<float>(y)[0], expected, 1e-6);
  };
  expectRun();
  w = {-3, 70, 12, 90, 50, 40, -12, 1};
  expectRun();
  scale[0] = 3e-5F;
  expectRun();
  zero[0] = 17;
  expectRun();
}

// Attributes, and weights without elements, may declare any sizes. Without limits, vectors of these sizes would take all memory.
TEST(OnnxHost, TakesTheSizesOfQuantizedLstmsFromTheirWeights) {
  const Floats x(2);
  const auto run = [&](std::int64_t hidden, std::uint32_t width, const TensorMessage& w, const TensorMessage& r) {
    Graph graph = nodeGraph({"DynamicQuantizeLSTM", {}, {}, {{"hidden_size", hidden}}, "com.microsoft"}, {{kFloat, 3}});
    graph.nodes[0].inputs = {"x0", "w", "r", "", "", "", "", "", "scale", "zero", "scale", "zero"};
    graph.initializers = {w, r, tensor("scale", {1}, Floats{1}), tensor("zero", {1}, std::vector<std::int8_t>{0})};
    return sessionOf(graph).run({{"x0", ArrayView(std::span(x).first(width), {1, 1, width})}});
  };
  const std::vector<std::int8_t> none, eight(8), four(4);
  const std::int64_t many = std::int64_t{1} << 34;
  const TensorMessage w = tensor("w", {1, 2, 4}, eight), r = tensor("r", {1, 1, 4}, four);
  EXPECT_EQ(elementsOf<float>(run(1, 2, w, r).at("y")), Floats{0});
  for (const std::int64_t hidden : {many, std::int64_t{-1}, std::int64_t{1} << 61, std::int64_t{0}, std::int64_t{2}})
    test::expectError(ErrorKind::dataError, {"weights [1, 2, 4] do not fit"}, [&] { run(hidden, 2, w, r); });
  test::expectError(ErrorKind::dataError, {"do not fit"}, [&] { run(many, 0, tensor("w", {1, 0, 4 * many}, none), r); });
  test::expectError(ErrorKind::dataError, {"do not fit"}, [&] { run(1, 2, w, tensor("r", {1, 0, 4}, none)); });
}

TEST(OnnxHost, TakesNoTimeForRowsWithoutElements) {
  const std::int64_t many = std::int64_t{1} << 50;
  const std::vector<double> none;
  const std::vector<Node> nodes{{"Normalizer", {"rows"}, {}, {}, "ai.onnx.ml"},
                                {"FeatureVectorizer", {"rows"}, {}, {}, "ai.onnx.ml"},
                                {"EyeLike", {"rows"}, {}},
                                {"Gemm", {"rows", "none"}, {}}};
  for (const Node& node : nodes) {
    SCOPED_TRACE(node.opType);
    Graph graph;
    graph.nodes = {node, {"Shape", {"y"}, {"shape"}}};
    graph.nodes[0].outputs = {"y"};
    graph.initializers = {tensor("rows", {many, 0}, none), tensor("none", {0, 0}, none)};
    graph.outputs = {{"shape", kInt64}};
    EXPECT_EQ(elementsOf<std::int64_t>(sessionOf(graph, {}, 17).run({}).at("shape")), (Ints{many, 0}));
  }
}

TEST(OnnxHost, RefusesDamagedTrees) {
  const Floats x{1, 2};
  const auto run = [&](const Attribute& values, const std::string& mode) {
    const Node node{"TreeEnsembleRegressor",
                    {},
                    {},
                    {{"nodes_treeids", Ints{0, 0, 0}},
                     {"nodes_nodeids", Ints{0, 1, 2}},
                     {"nodes_featureids", Ints{0, 0, 0}},
                     {"nodes_modes", Words{mode, "LEAF", "LEAF"}},
                     {"nodes_truenodeids", Ints{1, 0, 0}},
                     {"nodes_falsenodeids", Ints{2, 0, 0}},
                     {"target_treeids", Ints{0}},
                     {"target_nodeids", Ints{1}},
                     {"target_ids", Ints{0}},
                     {"target_weights", Floats{1}},
                     values},
                    "ai.onnx.ml"};
    return elementsOf<float>(sessionOf(nodeGraph(node, {{kFloat, 2}}), {}, 17).run({{"x0", ArrayView(x, {2, 1})}}).at("y"));
  };
  const Attribute floats{"nodes_values", Floats{1, 0, 0}};
  EXPECT_EQ(run(floats, "BRANCH_LEQ"), (Floats{1, 0}));
  test::expectError(ErrorKind::dataError, {"mode \"BRANCH_MEMBER\""}, [&] { run(floats, "BRANCH_MEMBER"); });
  Node classifier{"TreeEnsembleClassifier", {}, {}, {{"post_transform", "SOFTMAX"}}, "ai.onnx.ml"};
  test::expectError(ErrorKind::dataError, {"0 classes"}, [&] {
    sessionOf(nodeGraph(classifier, {{kFloat, 2}}), {}, 17).run({{"x0", ArrayView(x, {2, 1})}});
  });
  const Attribute strings{"nodes_values_as_tensor", textTensor("", {3}, Words{"1", "0", "0"})};
  test::expectError(ErrorKind::dataError, {"string"}, [&] { run(strings, "BRANCH_LEQ"); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
