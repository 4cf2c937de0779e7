// Tests models that cannot be a single graph and that sessions run as programs: branches, loops, results whose shapes depend on
// values, sizes of 0. Also tests how sessions name and check the dimensions of inputs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "onnx/sessions.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

// Returns a graph of y = the mean of x if `go`, else `opOfOther` of x. The branches have different shapes.
Graph choosing(const std::string& opOfOther = "Identity") {
  Graph mean, all;
  mean.nodes = {{"ReduceMean", {"x"}, {"m"}, {{"keepdims", std::int64_t{0}}}}};
  mean.outputs = {{"m"}};
  all.nodes = {{opOfOther, {"x"}, {"a"}}};
  all.outputs = {{"a"}};
  Graph graph;
  graph.nodes = {{"If", {"go"}, {"y"}, {{"then_branch", subgraph(mean)}, {"else_branch", subgraph(all)}}}};
  graph.inputs = {{"x", kFloat, {{"n"}}}, {"go", kBool, {std::vector<Dimension>{}}}};
  graph.outputs = {{"y"}};
  return graph;
}

TEST(OnnxProgram, TakesTheBranchOfEachRun) {
  const Session session = sessionOf(choosing());
  const Floats x{1, 2, 6};
  const std::uint8_t yes = 1, no = 0;
  for (int round = 0; round < 2; ++round) {
    const Array mean = session.run({{"x", x}, {"go", ArrayView(std::span(&yes, 1), {})}}).at("y");
    EXPECT_EQ(mean.descriptor.shape, Shape{});
    EXPECT_EQ(elementsOf<float>(mean), Floats{3});
    const Array all = session.run({{"x", x}, {"go", ArrayView(std::span(&no, 1), {})}}).at("y");
    EXPECT_EQ(elementsOf<float>(all), x);
  }
}

// The branch that is not taken must not be built, because it applies an operator to a shape that the operator does not support.
TEST(OnnxProgram, DoesNotBuildTheOtherBranch) {
  const Session session = sessionOf(choosing("GlobalAveragePool"));
  const std::uint8_t yes = 1, no = 0;
  EXPECT_EQ(elementsOf<float>(session.run({{"x", Floats{1, 3}}, {"go", ArrayView(std::span(&yes, 1), {})}}).at("y")), Floats{2});
  EXPECT_NE(kindOf([&] {
              session.run({{"x", Floats{1, 3}}, {"go", ArrayView(std::span(&no, 1), {})}});
            }),
            ErrorKind::unknownError);
  // After the error, the session works as before.
  EXPECT_EQ(elementsOf<float>(session.run({{"x", Floats{5, 7}}, {"go", ArrayView(std::span(&yes, 1), {})}}).at("y")), Floats{6});
}

// Returns a graph whose output y has the running sums of x, up to the first sum that is not below `limit`. `last` is the last
// sum.
Graph running() {
  Graph body;
  body.nodes = {{"Gather", {"x", "i"}, {"one"}}, {"Add", {"sum", "one"}, {"next"}}, {"Less", {"next", "limit"}, {"below"}}};
  body.inputs = {{"i", kInt64, {std::vector<Dimension>{}}},
                 {"go", kBool, {std::vector<Dimension>{}}},
                 {"sum", kFloat, {std::vector<Dimension>{}}}};
  body.outputs = {{"below", kBool}, {"next"}, {"next"}};
  Graph graph;
  graph.nodes = {{"Loop", {"count", "", "zero"}, {"last", "y"}, {{"body", subgraph(body)}}}};
  graph.initializers = {tensor("zero", {}, Floats{0})};
  graph.inputs = {
      {"x", kFloat, {{"n"}}}, {"limit", kFloat, {std::vector<Dimension>{}}}, {"count", kInt64, {std::vector<Dimension>{}}}};
  graph.outputs = {{"last"}, {"y"}};
  return graph;
}

TEST(OnnxProgram, LoopsAsLongAsTheConditionHolds) {
  const Session session = sessionOf(running());
  const auto run = [&](float limit, std::int64_t count) {
    return session.run({{"x", Floats{1, 2, 3, 4}},
                        {"limit", ArrayView(std::span(&limit, 1), {})},
                        {"count", ArrayView(std::span(&count, 1), {})}});
  };
  EXPECT_EQ(elementsOf<float>(run(100, 4).at("y")), (Floats{1, 3, 6, 10}));
  EXPECT_EQ(elementsOf<float>(run(5, 4).at("y")), (Floats{1, 3, 6}));
  EXPECT_EQ(elementsOf<float>(run(100, 2).at("last")), Floats{3});
  const auto none = run(100, 0);
  EXPECT_EQ(none.at("y").descriptor.shape, Shape{0});
  EXPECT_EQ(elementsOf<float>(none.at("last")), Floats{0});
}

// A loop that never ends must stop at the timeout.
TEST(OnnxProgram, EndsWhenItsTimeIsOver) {
  Graph body;
  body.nodes = {{"Add", {"sum", "x"}, {"next"}}, {"GreaterOrEqual", {"next", "next"}, {"same"}}};
  body.inputs = {{"i", kInt64, {std::vector<Dimension>{}}},
                 {"go", kBool, {std::vector<Dimension>{}}},
                 {"sum", kFloat, {std::vector<Dimension>{}}}};
  body.outputs = {{"same", kBool}, {"next"}};
  Graph graph;
  graph.nodes = {{"Loop", {"", "", "x"}, {"y"}, {{"body", subgraph(body)}}}};
  graph.inputs = {{"x", kFloat, {std::vector<Dimension>{}}}};
  graph.outputs = {{"y"}};
  const Session session = sessionOf(graph);
  const float one = 1;
  const CallOptions options{.timeout = std::chrono::milliseconds(50)};
  std::string message;
  const auto run = [&] { session.run({{"x", ArrayView(std::span(&one, 1), {})}}, options); };
  EXPECT_EQ(kindOf(run, &message), ErrorKind::timeoutError);
  EXPECT_TRUE(message.starts_with("run:")) << message;
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(kindOf(
                [&] {
                  session.run({{"x", ArrayView(std::span(&one, 1), {})}}, {.stop = source.get_token()});
                },
                &message),
            ErrorKind::abortError);
  EXPECT_TRUE(message.starts_with("run:")) << message;
}

// The error names run(), no matter which part of the run detects the timeout or interruption.
TEST(OnnxProgram, NamesTheCallThatWasEnded) {
  Graph plain;
  plain.nodes = {{"Sin", {"x"}, {"y"}}};
  plain.inputs = {{"x", kFloat, {{"n"}}}};
  plain.outputs = {{"y"}};
  Graph selecting = plain;
  selecting.nodes = {{"NonZero", {"x"}, {"y"}}};
  for (const Graph& graph : {plain, selecting}) {
    for (unsigned looks = 0; looks < 6; ++looks) {
      const Session session = sessionOf(graph);
      std::size_t looked = 0;
      CallOptions options{.isInterrupted = [&] { return looked++ >= looks; }};
      options.timeout = std::chrono::microseconds(looks * 20);
      std::string message;
      try {
        session.run({{"x", Floats(1 << 16, 1)}}, options);
      } catch (const Error& error) {
        EXPECT_TRUE(std::string_view(error.what()).starts_with("run:")) << error.what();
      }
    }
  }
}

// The memory limit applies to all values of a run together: results that a loop collects, and all values that are alive at the
// same time.
TEST(OnnxProgram, CountsTheMemoryOfARun) {
  Graph body;
  body.nodes = {{"Identity", {"go"}, {"more"}}, {"Mul", {"x", "x"}, {"square"}}};
  body.inputs = {{"i", kInt64, {std::vector<Dimension>{}}}, {"go", kBool, {std::vector<Dimension>{}}}};
  body.outputs = {{"more", kBool}, {"square"}};
  Graph graph;
  graph.nodes = {{"Loop", {"count", ""}, {"y"}, {{"body", subgraph(body)}}}};
  graph.inputs = {{"x", kFloat, {{"n"}}}, {"count", kInt64, {std::vector<Dimension>{}}}};
  graph.outputs = {{"y"}};
  SessionOptions options;
  options.load.limits.maxMemory = 1 << 20;
  const Session session = sessionOf(graph, options);
  const auto run = [&](std::int64_t count) {
    return session.run({{"x", Floats(1000, 2)}, {"count", ArrayView(std::span(&count, 1), {})}}).at("y").descriptor.shape;
  };
  for (int round = 0; round < 3; ++round) EXPECT_EQ(run(100), (Shape{100, 1000}));  // each run releases its memory
  std::string message;
  EXPECT_EQ(kindOf([&] { run(1000); }, &message), ErrorKind::operationError);
  EXPECT_NE(message.find("maxMemory"), std::string::npos) << message;
  EXPECT_EQ(run(100), (Shape{100, 1000}));
}

// Indices out of range are an error, as in ONNX Runtime. A graph would clamp them.
TEST(OnnxProgram, RefusesIndicesOutOfRange) {
  const std::vector<double> x{1, 2, 3};
  const auto run = [&](const std::string& op, const std::string& domain, Ints indices, Shape indexShape, Shape shape) {
    Graph graph;
    graph.nodes = {{op, {"x", "i"}, {"y"}, {}, domain, "chosen"}};
    std::vector<Dimension> dims(shape.size()), indexDims(indexShape.size());
    for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = ("n" + std::to_string(d)).c_str();
    for (std::size_t d = 0; d < indexDims.size(); ++d) indexDims[d] = ("i" + std::to_string(d)).c_str();
    graph.inputs = {{"x", kDouble, dims}, {"i", kInt64, indexDims}};
    graph.outputs = {{"y"}};
    std::string message;
    EXPECT_EQ(kindOf(
                  [&] {
                    sessionOf(graph).run({{"x", ArrayView(x, shape)}, {"i", ArrayView(indices, indexShape)}});
                  },
                  &message),
              ErrorKind::dataError);
    EXPECT_NE(message.find("\"chosen\" (" + op), std::string::npos) << message;
    return message;
  };
  for (const auto& op : {"Gather", "GatherElements"}) {
    EXPECT_NE(run(op, "", {0, 3}, {2}, {3}).find("the index 3"), std::string::npos);
    EXPECT_NE(run(op, "", {-4}, {1}, {3}).find("the index -4"), std::string::npos);
  }
  EXPECT_NE(run("GatherND", "", {0, 2, 0, 3}, {2, 2}, {1, 3}).find("the index 3"), std::string::npos);
  EXPECT_NE(run("ArrayFeatureExtractor", "ai.onnx.ml", {3}, {1}, {1, 3}).find("the index 3"), std::string::npos);
  EXPECT_NE(run("ReverseSequence", "", {4}, {1}, {3, 1}).find("the length 4"), std::string::npos);
}

// The output y has the positive elements of x, times 2.
TEST(OnnxProgram, SelectsPositiveElements) {
  Graph graph;
  graph.nodes = {{"Greater", {"x", "zero"}, {"is"}},
                 {"NonZero", {"is"}, {"places"}},
                 {"Squeeze", {"places", "axis"}, {"indices"}},
                 {"Gather", {"x", "indices"}, {"chosen"}},
                 {"Mul", {"chosen", "two"}, {"y"}}};
  graph.initializers = {tensor("zero", {}, Floats{0}), tensor("two", {}, Floats{2}), tensor("axis", {1}, Ints{0})};
  graph.inputs = {{"x", kFloat, {{"n"}}}};
  graph.outputs = {{"y"}, {"indices", kInt64}};
  const Session session = sessionOf(graph);
  const auto some = session.run({{"x", Floats{-1, 2, 0, 3}}});
  EXPECT_EQ(elementsOf<float>(some.at("y")), (Floats{4, 6}));
  EXPECT_EQ(elementsOf<std::int64_t>(some.at("indices")), (Ints{1, 3}));
  const auto none = session.run({{"x", Floats{-1, -2, 0}}});
  EXPECT_EQ(none.at("y").descriptor.shape, Shape{0});
  EXPECT_TRUE(none.at("y").bytes.empty());
}

// A cache grows from run to run, beginning with size 0.
TEST(OnnxProgram, TakesSizesOfZero) {
  Graph graph;
  graph.nodes = {{"Concat", {"past", "x"}, {"present"}, {{"axis", std::int64_t{1}}}}, {"MatMul", {"q", "present"}, {"y"}}};
  graph.inputs = {{"past", kFloat, {{2, "p"}}}, {"x", kFloat, {{2, "s"}}}, {"q", kFloat, {{1, 2}}}};
  graph.outputs = {{"y"}, {"present"}};
  const Session session = sessionOf(graph);
  const Floats q{1, 10};
  Array past{{DataType::float32, {2, 0}}, {}};
  for (std::uint32_t step = 0; step < 3; ++step) {
    const auto k = static_cast<float>(step);
    auto outputs = session.run({{"past", past}, {"x", ArrayView(Floats{k, k + 1}, {2, 1})}, {"q", ArrayView(q, {1, 2})}});
    Floats expected;
    for (std::uint32_t i = 0; i <= step; ++i) expected.push_back(static_cast<float>(11 * i + 10));
    EXPECT_EQ(elementsOf<float>(outputs.at("y")), expected);
    past = std::move(outputs.at("present"));
    EXPECT_EQ(past.descriptor.shape, (Shape{2, step + 1}));
  }
  const auto empty = session.run({{"past", Array{{DataType::float32, {2, 0}}, {}}},
                                  {"x", Array{{DataType::float32, {2, 0}}, {}}},
                                  {"q", ArrayView(q, {1, 2})}});
  EXPECT_EQ(empty.at("y").descriptor.shape, (Shape{1, 0}));
  std::string message;
  EXPECT_EQ(kindOf(
                [&] {
                  session.run({{"past", past}, {"x", Array{{DataType::float32, {3, 0}}, {}}}, {"q", ArrayView(q, {1, 2})}});
                },
                &message),
            ErrorKind::typeError);
  EXPECT_NE(message.find("\"x\""), std::string::npos) << message;
}

// A size of the output is the largest element of `ids`.
TEST(OnnxProgram, ReshapesByComputedSizes) {
  Graph graph;
  graph.nodes = {{"ReduceMax", {"ids"}, {"most"}, {{"keepdims", std::int64_t{1}}}},
                 {"Concat", {"most", "rest"}, {"shape"}, {{"axis", std::int64_t{0}}}},
                 {"Expand", {"x", "shape"}, {"y"}}};
  graph.initializers = {tensor("rest", {1}, Ints{2})};
  graph.inputs = {{"ids", kInt64, {{"n"}}}, {"x", kFloat, {{1, 2}}}};
  graph.outputs = {{"y"}};
  const Session session = sessionOf(graph);
  for (const std::int64_t most : {3, 1, 3, 4}) {
    const Array y = session.run({{"ids", Ints{0, most, 1}}, {"x", ArrayView(Floats{5, 6}, {1, 2})}}).at("y");
    EXPECT_EQ(y.descriptor.shape, (Shape{static_cast<std::uint32_t>(most), 2}));
  }
}

// Expected values are computed by a loop over all updates, in float32.
TEST(OnnxProgram, CombinesManyUpdates) {
  constexpr std::int64_t kNodes = 50, kEdges = 4000, kWidth = 5;
  Ints targets;
  Floats updates, expected(kNodes * kWidth, 1);
  for (std::int64_t i = 0; i < kEdges; ++i) {
    for (std::int64_t j = 0; j < kWidth; ++j) {
      targets.push_back(i * 7 % kNodes);
      updates.push_back(static_cast<float>((i + j) % 11) * 0.25F);
      expected[static_cast<std::size_t>(targets.back() * kWidth + j)] += updates.back();
    }
  }
  Graph graph;
  graph.nodes = {
      {"ScatterElements", {"x", "targets", "updates"}, {"y"}, {{"axis", std::int64_t{0}}, {"reduction", std::string("add")}}}};
  graph.inputs = {
      {"x", kFloat, {{kNodes, kWidth}}}, {"targets", kInt64, {{kEdges, kWidth}}}, {"updates", kFloat, {{kEdges, kWidth}}}};
  graph.outputs = {{"y"}};
  const Session session = sessionOf(graph, {}, 18);
  const Shape edges{kEdges, kWidth};
  const auto run = [&](const Ints& indices) {
    return session.run({{"x", ArrayView(Floats(kNodes * kWidth, 1), {kNodes, kWidth})},
                        {"targets", ArrayView(indices, edges)},
                        {"updates", ArrayView(updates, edges)}});
  };
  EXPECT_EQ(elementsOf<float>(run(targets).at("y")), expected);
  for (const std::int64_t wrong : {kNodes, -kNodes - 1}) {
    Ints others = targets;
    others[17] = wrong;
    EXPECT_EQ(kindOf([&] { run(others); }), ErrorKind::dataError);
  }
}

// The expected values are computed by hand: boxes 0 and 1 overlap by 0.9 of their union, and box 2 is separate.
TEST(OnnxProgram, SuppressesOverlappingBoxes) {
  Graph graph;
  graph.nodes = {{"NonMaxSuppression", {"boxes", "scores", "most", "overlap", "least"}, {"y"}}};
  graph.initializers = {tensor("most", {1}, Ints{2}), tensor("overlap", {1}, Floats{0.5F}), tensor("least", {1}, Floats{0.1F})};
  graph.inputs = {{"boxes", kFloat, {{1, "n", 4}}}, {"scores", kFloat, {{1, 2, "n"}}}};
  graph.outputs = {{"y", kInt64}};
  const Floats boxes{0, 0, 1, 10, 0, 1, 1, 10, 5, 5, 6, 6};
  const Array y = sessionOf(graph)
                      .run({{"boxes", ArrayView(boxes, {1, 3, 4})},
                            {"scores", ArrayView(Floats{0.3F, 0.9F, 0.5F, 0.05F, 0.1F, 0.2F}, {1, 2, 3})}})
                      .at("y");
  EXPECT_EQ(elementsOf<std::int64_t>(y), (Ints{0, 0, 1, 0, 0, 2, 0, 1, 2}));
}

TEST(OnnxProgram, SortsLongRows) {
  constexpr std::uint32_t kCount = 5000, kBest = 300;
  Graph graph;
  graph.nodes = {{"TopK", {"x", "k"}, {"y", "places"}}};
  graph.initializers = {tensor("k", {1}, Ints{kBest})};
  graph.inputs = {{"x", kFloat, {{2, std::int64_t{kCount}}}}};
  graph.outputs = {{"y"}, {"places", kInt64}};
  Floats x(std::size_t{2} * kCount);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7919 % 2000);  // many are equal
  const auto outputs = sessionOf(graph).run({{"x", ArrayView(x, {2, kCount})}});
  for (std::size_t row = 0; row < 2; ++row) {
    std::vector<std::int64_t> order(kCount);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
      return x[row * kCount + static_cast<std::size_t>(a)] > x[row * kCount + static_cast<std::size_t>(b)];
    });
    for (std::size_t i = 0; i < kBest; ++i)
      ASSERT_EQ(outputs.at("places").as<std::int64_t>()[row * kBest + i], order[i]) << row << " " << i;
  }
}

Graph noise(std::vector<Attribute> attributes) {
  Graph graph;
  graph.nodes = {{"RandomNormalLike", {"x"}, {"r"}, std::move(attributes)}, {"Add", {"x", "r"}, {"y"}}};
  graph.inputs = {{"x", kFloat, {{"n"}}}};
  graph.outputs = {{"y"}};
  return graph;
}

TEST(OnnxProgram, DrawsRandomNumbersBySeed) {
  const Floats zeros(20'000);
  const auto run = [&](const Session& session) { return elementsOf<float>(session.run({{"x", zeros}}).at("y")); };
  const Session first = sessionOf(noise({}), {.seed = 1}), same = sessionOf(noise({}), {.seed = 1}),
                other = sessionOf(noise({}), {.seed = 2});
  const Floats numbers = run(first);
  EXPECT_EQ(run(same), numbers);
  EXPECT_NE(run(other), numbers);
  EXPECT_NE(run(first), numbers);  // the second run continues the sequence of numbers
  double sum = 0, squares = 0;
  for (const float number : numbers) sum += double{number}, squares += double{number} * double{number};
  EXPECT_NEAR(sum / 20'000, 0, 0.03);  // the tolerance is 4 standard deviations of the mean
  EXPECT_NEAR(squares / 20'000, 1, 0.04);
  const Session own = sessionOf(noise({{"seed", 3.0F}}), {.seed = 1});
  EXPECT_EQ(run(own), run(own));
}

// Two trees: x[0] <= 1 ? 0.25 : 0.5 for class 1, and x[1] < 0 ? 0.125 for class 0 : 0.75 for class 2.
Node forest(const std::string& opType, const std::string& prefix, const std::string& post) {
  Node node{opType, {"x"}, {}, {}, "ai.onnx.ml"};
  node.attributes = {{"nodes_treeids", Ints{0, 0, 0, 1, 1, 1}},
                     {"nodes_nodeids", Ints{0, 1, 2, 0, 1, 2}},
                     {"nodes_featureids", Ints{0, 0, 0, 1, 0, 0}},
                     {"nodes_modes", std::vector<std::string>{"BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_LT", "LEAF", "LEAF"}},
                     {"nodes_values", Floats{1, 0, 0, 0, 0, 0}},
                     {"nodes_truenodeids", Ints{1, 0, 0, 1, 0, 0}},
                     {"nodes_falsenodeids", Ints{2, 0, 0, 2, 0, 0}},
                     {"nodes_missing_value_tracks_true", Ints{1, 0, 0, 0, 0, 0}},
                     {"post_transform", post},
                     {prefix + "_treeids", Ints{0, 0, 1, 1}},
                     {prefix + "_nodeids", Ints{1, 2, 1, 2}},
                     {prefix + "_ids", Ints{1, 1, 0, 2}},
                     {prefix + "_weights", Floats{0.25F, 0.5F, 0.125F, 0.75F}}};
  return node;
}

TEST(OnnxProgram, ComputesTrees) {
  const Floats x{1, -1, 2, -1, 1, 0, std::nanf(""), 0};
  Graph graph;
  graph.nodes = {forest("TreeEnsembleClassifier", "class", "NONE"), forest("TreeEnsembleRegressor", "target", "NONE")};
  graph.nodes[0].outputs = {"label", "scores"};
  graph.nodes[0].attributes.push_back({"classlabels_int64s", Ints{10, 20, 30}});
  graph.nodes[1].outputs = {"y"};
  graph.nodes[1].attributes.push_back({"n_targets", std::int64_t{3}});
  graph.nodes[1].attributes.push_back({"base_values", Floats{1, 2, 3}});
  graph.inputs = {{"x", kFloat, {{"n", 2}}}};
  graph.outputs = {{"label", kInt64}, {"scores"}, {"y"}};
  const Session session = sessionOf(graph, {}, 17);
  const auto outputs = session.run({{"x", ArrayView(x, {4, 2})}});
  EXPECT_EQ(elementsOf<std::int64_t>(outputs.at("label")), (Ints{20, 20, 30, 30}));
  EXPECT_EQ(elementsOf<float>(outputs.at("scores")),
            (Floats{0.125F, 0.25F, 0, 0.125F, 0.5F, 0, 0, 0.25F, 0.75F, 0, 0.25F, 0.75F}));
  EXPECT_EQ(elementsOf<float>(outputs.at("y")), (Floats{1.125F, 2.25F, 0, 1.125F, 2.5F, 0, 0, 2.25F, 3.75F, 0, 2.25F, 3.75F}));
  EXPECT_EQ(kindOf([&] { sessionOf(graph).run({{"x", ArrayView(x, {4, 1})}}); }), ErrorKind::typeError);
  graph.nodes[1].attributes[5].value = Ints{1, 0, 0, 0, 0, 0};  // a node that is its own child
  EXPECT_EQ(kindOf([&] { sessionOf(graph).run({{"x", ArrayView(x, {4, 2})}}); }), ErrorKind::dataError);
}

TEST(OnnxProgram, ComputesInDouble) {
  Graph graph;
  graph.nodes = {{"Mul", {"x", "x"}, {"square"}},
                 {"ReduceSum", {"square"}, {"sum"}, {{"keepdims", std::int64_t{0}}}},
                 {"Reshape", {"square", "shape"}, {"column"}}};
  graph.inputs = {{"x", kDouble, {{"n"}}}};
  graph.initializers = {tensor("shape", {2}, Ints{-1, 1})};
  graph.outputs = {{"sum"}, {"column"}};
  const Session session = sessionOf(graph);
  EXPECT_EQ(session.inputs()[0].elementType, webnn::onnx::ElementType::float64);
  const std::vector<double> x{1, 0x1p-40};  // float32 would lose the square of 2^-40 beside 1
  const std::map<std::string, Array> outputs = session.run({{"x", x}});
  EXPECT_EQ(outputs.at("sum").as<double>()[0], 1 + 0x1p-80);
  EXPECT_EQ(elementsOf<double>(outputs.at("column")), (std::vector<double>{1, 0x1p-80}));
  EXPECT_EQ(outputs.at("column").descriptor.shape, (Shape{2, 1}));
  test::expectError(ErrorKind::typeError, {"x", "float32", "double"}, [&] { session.run({{"x", Floats{1, 2}}}); });
  test::expectError(ErrorKind::typeError, {"double"}, [&] { (void)outputs.at("sum").as<float>(); });
}

// 2^61 doubles have 2^64 bytes, which exceeds 64 bits.
TEST(OnnxProgram, RefusesShapesWhoseBytesCannotBeCounted) {
  Graph graph;
  graph.nodes = {{"Compress", {"x", "chosen"}, {"y"}}};
  graph.inputs = {{"x", kDouble, {{"n", "m"}}}};
  graph.initializers = {rawTensor("chosen", kBool, {1}, "\1")};
  graph.outputs = {{"y"}};
  const Session session = sessionOf(graph);
  const std::vector<double> x{3, 4};
  EXPECT_EQ(elementsOf<double>(session.run({{"x", ArrayView(x, {1, 2})}}).at("y")), std::vector<double>{3});
  const ArrayView huge(webnn::onnx::ElementType::float64, {1U << 31, 1U << 30}, {});
  test::expectError(ErrorKind::typeError, {"\"x\"", "2305843009213693952 elements"}, [&] { session.run({{"x", huge}}); });
}

// Strings stay on the host, while a graph computes with the numbers that a LabelEncoder makes of them.
TEST(OnnxProgram, PassesStringsOn) {
  Graph graph;
  graph.nodes = {{"Concat", {"words", "words"}, {"twice"}, {{"axis", std::int64_t{0}}}},
                 {"LabelEncoder",
                  {"twice"},
                  {"numbers"},
                  {{"keys_strings", std::vector<std::string>{"a", "b"}}, {"values_int64s", Ints{5, 6}}},
                  "ai.onnx.ml"},
                 {"Add", {"numbers", "numbers"}, {"sum"}}};
  graph.inputs = {{"words", kString, {{"n"}}}};
  graph.outputs = {{"twice"}, {"sum"}};
  const std::vector<std::string> words{"b", "other", "a"};
  const std::map<std::string, Array> outputs = sessionOf(graph).run({{"words", words}});
  EXPECT_EQ(outputs.at("twice").strings, (std::vector<std::string>{"b", "other", "a", "b", "other", "a"}));
  EXPECT_EQ(elementsOf<std::int64_t>(outputs.at("sum")), (Ints{12, -2, 10, 12, -2, 10}));
}

TEST(OnnxProgram, WrapsShortIntegers) {
  Graph graph;
  graph.nodes = {{"Mul", {"x", "x"}, {"y"}}};
  graph.inputs = {{"x", kInt16, {{"n"}}}};
  graph.outputs = {{"y"}};
  const std::vector<std::int16_t> x{-300, 3, 0x4000};
  EXPECT_EQ(elementsOf<std::int16_t>(sessionOf(graph).run({{"x", x}}).at("y")), (std::vector<std::int16_t>{24464, 9, 0}));
}

// The model defines a function that calls another one, has subgraphs, and needs operators that only the host computes.
TEST(OnnxProgram, RunsTheBodiesOfFunctions) {
  Graph yes, no;
  yes.nodes = {{"Compress", {"a", "mask"}, {"picked"}}};
  yes.outputs = {{"picked"}};
  no.nodes = {{"Identity", {"a"}, {"picked"}}};
  no.outputs = {{"picked"}};
  Function positive{.domain = "test", .name = "Positive", .inputs = {"a", "go", "bias"}, .outputs = {"picked", "a"}};
  positive.nodes = {{"Constant", {}, {"zero"}, {{"value_float", 0.0F}}},
                    {"Greater", {"a", "zero"}, {"mask"}},
                    {"If", {"go"}, {"picked"}, {{"then_branch", subgraph(yes)}, {"else_branch", subgraph(no)}}}};
  positive.operatorSets = {{"", 17}};
  Function twice{.domain = "test", .name = "Twice", .inputs = {"x", "go"}, .outputs = {"y"}};
  twice.nodes = {{"Positive", {"x", "go"}, {"p", "same"}, {}, "test"},
                 {"Positive", {"same", "go", ""}, {"q"}, {}, "test"},
                 {"Add", {"p", "q"}, {"y"}}};
  twice.operatorSets = {{"", 17}, {"test", 1}};
  Graph graph;
  graph.nodes = {{"Twice", {"x", "go"}, {"t"}, {}, "test"}, {"Twice", {"t", "go"}, {"y"}, {}, "test"}};
  graph.inputs = {{"x", kFloat, {{"n"}}}, {"go", kBool, {std::vector<Dimension>{}}}};
  graph.outputs = {{"y"}};
  Model model{graph, {{"", 17}, {"test", 1}}};
  model.functions = {positive, twice};
  const auto content = std::make_shared<const std::string>(modelBytes(model));
  const Session session =
      Session::load(test::makeContext("reference"), ExternalBytes{std::as_bytes(std::span(*content)), content});
  for (const std::uint8_t go : {std::uint8_t{0}, std::uint8_t{1}}) {
    const Array y = session.run({{"x", Floats{-1, 2, -3, 4}}, {"go", ArrayView(std::span(&go, 1), {})}}).at("y");
    EXPECT_EQ(elementsOf<float>(y), go ? (Floats{8, 16}) : (Floats{-4, 8, -12, 16}));
  }
}

TEST(OnnxProgram, SaysWhichOperatorsNobodyComputes) {
  Graph graph;
  graph.nodes = {{"NonZero", {"x"}, {"a"}}, {"ImageDecoder", {"x"}, {"y"}, {}, {}, "picture"}};
  graph.inputs = {{"x", kUint8, {{"n"}}}};
  graph.outputs = {{"y"}};
  std::string message;
  EXPECT_EQ(kindOf([&] { sessionOf(graph, {}, 20); }, &message), ErrorKind::notSupportedError);
  EXPECT_NE(message.find("picture"), std::string::npos) << message;
  EXPECT_EQ(message.find("NonZero"), std::string::npos) << message;
}

// A model with open dimensions is built by its first run, but the load must report errors that do not depend on sizes.
TEST(OnnxProgram, ChecksAnOpenModelWhenItIsLoaded) {
  struct Broken {
    std::vector<Node> nodes;
    const char* part;
  };
  Graph reads, same;
  reads.nodes = {{"Neg", {"nobody"}, {"a"}}};
  same.nodes = {{"Neg", {"x"}, {"a"}}};
  reads.outputs = same.outputs = {{"a"}};
  const Node branches{"If", {"go"}, {"y"}, {{"then_branch", subgraph(same)}, {"else_branch", subgraph(reads)}}};
  for (const Broken& broken :
       {Broken{{{"Neg", {"nobody"}, {"y"}}}, "its input \"nobody\" is not defined before"},
        Broken{{{"Add", {"x", "b"}, {"a"}}, {"Neg", {"a"}, {"b"}}, {"Abs", {"b"}, {"y"}}}, "\"b\" is not defined"},
        Broken{{{"Neg", {"x"}, {"y"}}, {"Abs", {"x"}, {"y"}}}, "the value \"y\" is defined twice"},
        Broken{{{"Neg", {"x"}, {"z"}}}, "the output \"y\" is not defined"},
        Broken{{branches}, "its input \"nobody\" is not defined before"}}) {
    Graph graph;
    graph.nodes = broken.nodes;
    graph.inputs = {{"x", kFloat, {{"n"}}}, {"go", kBool, {std::vector<Dimension>{}}}};
    graph.outputs = {{"y"}};
    std::string message;
    EXPECT_EQ(kindOf([&] { sessionOf(graph); }, &message), ErrorKind::dataError);
    EXPECT_NE(message.find(broken.part), std::string::npos) << message;
  }
}

// A function is checked if a node calls it, also from another function.
TEST(OnnxProgram, ChecksTheFunctionsOfAnOpenModelWhenItIsLoaded) {
  struct Broken {
    std::vector<Node> nodes;
    const char* part;
  };
  for (const Broken& broken : {Broken{{{"Neg", {"nobody"}, {"b"}}}, "its input \"nobody\" is not defined before"},
                               Broken{{{"Neg", {"a"}, {"c"}}}, "the output \"b\" of a subgraph or function is not defined"},
                               Broken{{{"Neg", {"a"}, {"b"}}, {"Abs", {"a"}, {"b"}}}, "the value \"b\" is defined twice"}}) {
    Function inner{.domain = "test", .name = "Inner", .inputs = {"a"}, .outputs = {"b"}};
    inner.nodes = broken.nodes;
    Function outer{.domain = "test", .name = "Outer", .inputs = {"a"}, .outputs = {"b"}};
    outer.nodes = {{"Inner", {"a"}, {"b"}, {}, "test"}};
    for (const bool calls : {true, false}) {
      Graph graph;
      graph.nodes = {calls ? Node{"Outer", {"x"}, {"y"}, {}, "test"} : Node{"Neg", {"x"}, {"y"}}};
      graph.inputs = {{"x", kFloat, {{"n"}}}};
      graph.outputs = {{"y"}};
      Model model{graph, {{"", 17}, {"test", 1}}};
      model.functions = {outer, inner};
      if (!calls) {
        EXPECT_NO_THROW(sessionOf(model));
        continue;
      }
      std::string message;
      EXPECT_EQ(kindOf([&] { sessionOf(model); }, &message), ErrorKind::dataError);
      EXPECT_NE(message.find(broken.part), std::string::npos) << message;
    }
  }
}

// ONNX Runtime sorts nodes, so there are models with unsorted nodes.
TEST(OnnxProgram, TakesNodesInAnyOrder) {
  Graph late, early;
  late.nodes = {{"Mul", {"c", "double"}, {"a"}}, {"Add", {"x", "x"}, {"c"}}};
  late.outputs = {{"a"}};
  early.nodes = {{"Identity", {"x"}, {"a"}}};
  early.outputs = {{"a"}};
  Function negate{.domain = "test", .name = "NegativeHalf", .inputs = {"x"}, .outputs = {"y"}};
  negate.nodes = {{"Neg", {"h"}, {"y"}}, {"Div", {"x", "two"}, {"h"}}, {"Constant", {}, {"two"}, {{"value_float", 2.0F}}}};
  negate.operatorSets = {{"", 17}};
  Graph graph;
  graph.nodes = {{"NegativeHalf", {"chosen"}, {"y"}, {}, "test"},
                 {"If", {"go"}, {"chosen"}, {{"then_branch", subgraph(late)}, {"else_branch", subgraph(early)}}},
                 {"Add", {"x", "one"}, {"double"}}};
  graph.initializers = {tensor("one", {}, Floats{1})};
  for (const Dimension& size : {Dimension("n"), Dimension(2)}) {
    graph.inputs = {{"x", kFloat, std::vector<Dimension>{size}}, {"go", kBool, {std::vector<Dimension>{}}}};
    graph.outputs = {{"y"}};
    Model model{graph, {{"", 17}, {"test", 1}}};
    model.functions = {negate};
    const Session session = sessionOf(model);
    for (const std::uint8_t go : {std::uint8_t{0}, std::uint8_t{1}}) {
      const Array y = session.run({{"x", Floats{1, 3}}, {"go", ArrayView(std::span(&go, 1), {})}}).at("y");
      EXPECT_EQ(elementsOf<float>(y), go ? (Floats{-2, -12}) : (Floats{-0.5F, -1.5F}));
    }
  }
}

TEST(OnnxProgram, NamesTheInputThatIsMissing) {
  const Session session = sessionOf(choosing());
  std::string message;
  EXPECT_EQ(kindOf([&] { session.run({{"x", Floats{1, 2}}}); }, &message), ErrorKind::typeError);
  EXPECT_NE(message.find("\"go\""), std::string::npos) << message;
}

// The first run, which finds that the model needs a program, must check inputs as strictly as later runs.
TEST(OnnxProgram, NamesTheMissingInputThatGivesASize) {
  Graph graph;
  graph.nodes = {{"NonZero", {"x"}, {"y"}}};
  graph.inputs = {{"x", kFloat, {{"n"}}}, {"unused", kFloat, {{"m"}}}};
  graph.outputs = {{"y"}};
  const Session session = sessionOf(graph);
  for (int run = 0; run < 2; ++run) {
    std::string message;
    EXPECT_EQ(kindOf([&] { session.run({{"x", Floats{1, 0}}}); }, &message), ErrorKind::typeError);
    EXPECT_EQ(message, "the size of the dimension \"m\" is not known: input \"unused\" [m], which has it, is missing.");
    EXPECT_EQ(elementsOf<std::int64_t>(session.run({{"x", Floats{0, 1}}, {"unused", Floats{2}}}).at("y")), Ints{1});
  }
}

// A dimension of -1 or named "?" is open and unnamed. The session names it after the input and the axis.
TEST(OnnxProgram, ReadsUnnamedDimensions) {
  Graph graph;
  graph.nodes = {{"Relu", {"x"}, {"y"}}};
  graph.inputs = {{"x", kFloat, {{-1, "?"}}}};
  graph.outputs = {{"y"}};
  const Session session = sessionOf(graph);
  EXPECT_EQ(session.inputs()[0].shape[0].name, "x.0");
  EXPECT_EQ(session.inputs()[0].shape[1].name, "x.1");
  EXPECT_EQ(elementsOf<float>(session.run({{"x", ArrayView(Floats{-1, 2}, {1, 2})}}).at("y")), (Floats{0, 2}));
}

// ONNX Runtime does not require that dimensions with the same name have equal sizes. Operators still need shapes that fit.
TEST(OnnxSessions, LetInputsDisagreeIfTheOptionsSaySo) {
  Graph graph;
  graph.nodes = {{"Add", {"a", "b"}, {"sum"}}, {"ReduceSum", {"c"}, {"total"}, {{"keepdims", std::int64_t{0}}}}};
  const Dimension n("n");
  graph.inputs = {{"a", kFloat, {{n, 2}}}, {"b", kFloat, {{n, 2}}}, {"c", kFloat, {{n, n}}}};
  graph.outputs = {{"sum"}, {"total"}};
  const Floats four{1, 2, 3, 4}, two{10, 20}, six{1, 1, 1, 1, 1, 1};
  const auto feed = [&](std::uint32_t rows, Shape square) {
    const std::span<const float> b = rows == 2 ? std::span<const float>(four) : rows == 3 ? std::span<const float>(six) : two;
    const std::uint32_t count = square[0] * square[1];
    return std::map<std::string, ArrayView>{
        {"a", {four, {2, 2}}}, {"b", {b, {rows, 2}}}, {"c", {std::span(six).first(count), std::move(square)}}};
  };
  const std::string names = "the dimension \"n\" is 2 in input \"a\" and ";
  std::string message;
  const Session strict = sessionOf(graph, {}, 13);
  EXPECT_EQ(kindOf([&] { strict.run(feed(1, {2, 2})); }, &message), ErrorKind::typeError);
  EXPECT_NE(message.find(names + "1 in input \"b\""), message.npos) << message;
  const Session session = sessionOf(graph, {.inputsMayDisagree = true}, 13);
  for (int turn = 0; turn < 2; ++turn) {  // graphs are kept for these sizes, too
    auto results = session.run(feed(2, {2, 2}));
    EXPECT_EQ(elementsOf<float>(results.at("sum")), (Floats{2, 4, 6, 8}));
    EXPECT_EQ(elementsOf<float>(results.at("total")), Floats{4});
    results = session.run(feed(1, {2, 3}));
    EXPECT_EQ(elementsOf<float>(results.at("sum")), (Floats{11, 22, 13, 24}));
    EXPECT_EQ(elementsOf<float>(results.at("total")), Floats{6});
    results = session.run(feed(2, {1, 1}));
    EXPECT_EQ(elementsOf<float>(results.at("total")), Floats{1});
    EXPECT_EQ(kindOf([&] { session.run(feed(3, {2, 2})); }, &message), ErrorKind::typeError);
    EXPECT_NE(message.find(names + "3 in input \"b\""), message.npos) << message;
  }
  // If the options fix a size, inputs must have this size.
  SessionOptions fixed{.inputsMayDisagree = true};
  fixed.load.dimensions = {{"n", 2}};
  EXPECT_EQ(kindOf([&] { sessionOf(graph, fixed, 13).run(feed(1, {2, 2})); }), ErrorKind::typeError);
}

// No single graph can hold this model, because WebNN lacks double.
TEST(OnnxSessions, LetInputsOfProgramsDisagree) {
  Graph graph;
  graph.nodes = {{"Add", {"a", "b"}, {"sum"}}};
  graph.inputs = {{"a", kDouble, {{"n"}}}, {"b", kDouble, {{"n"}}}};
  graph.outputs = {{"sum"}};
  const std::vector<double> a{1, 2, 3}, b{10};
  const auto results = sessionOf(graph, {.inputsMayDisagree = true}).run({{"a", a}, {"b", b}});
  EXPECT_EQ(elementsOf<double>(results.at("sum")), (std::vector<double>{11, 12, 13}));
}

// "a.0" is also the name that webnn gives to an unnamed first dimension of input a.
TEST(OnnxSessions, TakeNamesThatLookLikePlaces) {
  Graph graph;
  graph.nodes = {{"Neg", {"a"}, {"x"}}, {"Neg", {"b"}, {"y"}}};
  graph.inputs = {{"a", kFloat, {{"n"}}}, {"b", kFloat, {{"a.0"}}}};
  graph.outputs = {{"x"}, {"y"}};
  for (const bool mayDisagree : {false, true}) {
    const auto results = sessionOf(graph, {.inputsMayDisagree = mayDisagree}).run({{"a", Floats{1, 2}}, {"b", Floats{3, 4, 5}}});
    EXPECT_EQ(elementsOf<float>(results.at("x")), (Floats{-1, -2}));
    EXPECT_EQ(elementsOf<float>(results.at("y")), (Floats{-3, -4, -5}));
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
