// Tests sessions: sizes of open dimensions from the inputs, the cache of graphs, and inputs that no output depends on.
#include "webnn/session.h"

#include <atomic>
#include <cctype>
#include <fstream>
#include <optional>
#include <stop_token>
#include <thread>

#include "support/files.h"
#include "support/onnx_model.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectTypeError;
using test::writeText;

using Dimensions = std::map<std::string, std::uint32_t>;

// Returns a model of y = x * w + b for x [batch, 2], and isAbove = y > b. The input `mask` [batch, length] is not used.
std::string linearModel() {
  using namespace test::onnx;
  test::onnx::Graph graph;
  graph.nodes = {{"MatMul", {"x", "w"}, {"p"}}, {"Add", {"p", "b"}, {"y"}}, {"Greater", {"y", "b"}, {"isAbove"}}};
  graph.initializers = {tensor("w", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}),
                        tensor("b", {3}, std::vector<float>{10, 20, 30})};
  graph.inputs = {{"x", kFloat, {{"batch", 2}}}, {"mask", kInt64, {{"batch", "length"}}}};
  graph.outputs = {{"y", kFloat, {{"batch", 3}}}, {"isAbove", kBool, {{"batch", 3}}}};
  return modelBytes({graph});
}

ExternalBytes bytesOf(std::string content) {
  const auto owner = std::make_shared<const std::string>(std::move(content));
  return {std::as_bytes(std::span(*owner)), owner};
}

std::vector<float> floats(const std::map<std::string, Array>& outputs, const std::string& name) {
  const std::span<const float> values = outputs.at(name).as<float>();
  return {values.begin(), values.end()};
}

Session linearSession(SessionOptions options = {.load = {.dimensions = {{"length", 5}}}}) {
  return Session::load(test::makeContext("cpu"), bytesOf(linearModel()), options);
}

std::map<std::string, Array> run(const Session& session, std::vector<float> x) {
  const auto rows = static_cast<std::uint32_t>(x.size() / 2);
  return session.run({{"x", {x, {rows, 2}}}});
}

TEST(Session, TakesTheSizesOfOpenDimensionsFromItsInputs) {
  const Session session = linearSession();
  const std::map<std::string, Array> one = run(session, {1, 1});
  EXPECT_EQ(one.at("y").descriptor, (OperandDescriptor{DataType::float32, {1, 3}}));
  EXPECT_EQ(floats(one, "y"), (std::vector<float>{15, 27, 39}));
  const std::map<std::string, Array> two = run(session, {1, 0, 0, 1});
  EXPECT_EQ(two.at("y").descriptor, (OperandDescriptor{DataType::float32, {2, 3}}));
  EXPECT_EQ(floats(two, "y"), (std::vector<float>{11, 22, 33, 14, 25, 36}));
}

TEST(Session, ReportsTheDeclaredInputsAndOutputs) {
  const Session session = linearSession({});
  ASSERT_EQ(session.inputs().size(), 2u);
  EXPECT_EQ(session.inputs()[0].shape[0].name, "batch");
  EXPECT_EQ(session.inputs()[0].shape[1].size, 2u);
  EXPECT_EQ(session.inputs()[1].name, "mask");
  EXPECT_EQ(session.inputs()[1].dataType, DataType::int64);
  ASSERT_EQ(session.outputs().size(), 2u);
  EXPECT_EQ(session.outputs()[0].dataType, DataType::float32);
  EXPECT_FALSE(session.outputs()[0].isBoolean);
  EXPECT_EQ((*session.outputs()[0].shape)[0].name, "batch");
  EXPECT_EQ((*session.outputs()[0].shape)[1].size, 3u);
  EXPECT_EQ(session.outputs()[1].dataType, DataType::uint8);
  EXPECT_TRUE(session.outputs()[1].isBoolean);
}

TEST(Session, AcceptsInputsThatNothingDependsOn) {
  const Session session = linearSession({});
  const std::vector<float> x{1, 1};
  const std::vector<std::int64_t> mask(7);
  EXPECT_EQ(floats(session.run({{"x", {x, {1, 2}}}, {"mask", {mask, {1, 7}}}}), "y"), (std::vector<float>{15, 27, 39}));
  expectTypeError({"\"batch\"", "1 in input \"mask\"", "2 in input \"x\""}, [&] {
    session.run({{"x", {std::vector<float>(4), {2, 2}}}, {"mask", {mask, {1, 7}}}});
  });
  expectTypeError({"\"length\"", "is not known", "\"mask\" [batch, length]"}, [&] { run(session, x); });
}

TEST(Session, KeepsTheGraphsThatWereUsedLast) {
  const Session session = linearSession({.load = {.dimensions = {{"length", 5}}}, .graphs = 2});
  const auto graph = [&](std::uint32_t batch) { return session.graph({{"x", {batch, 2}}}).state(); };
  const auto one = graph(1), two = graph(2);
  EXPECT_EQ(graph(1), one);
  const auto three = graph(3);  // evicts the graph for 2
  EXPECT_EQ(graph(1), one);
  EXPECT_EQ(graph(3), three);
  EXPECT_NE(graph(2), two);
}

TEST(Session, CompilesAModelWithoutOpenDimensionsAtOnce) {
  const Session session = linearSession({.load = {.dimensions = {{"length", 5}, {"batch", 2}}}, .graphs = 0});
  EXPECT_EQ((*session.outputs()[0].shape)[0].size, 2u);
  EXPECT_EQ((*session.outputs()[0].shape)[0].name, "");
  EXPECT_TRUE(session.outputs()[1].isBoolean);
  EXPECT_EQ(session.graph({}).state(), session.graph({{"x", {2, 2}}}).state());
  expectTypeError({"\"batch\"", "2 as fixed", "1 in input \"x\""}, [&] { run(session, {1, 1}); });
  test::expectError(ErrorKind::notSupportedError, {}, [] {
    using namespace test::onnx;
    test::onnx::Graph graph;
    graph.nodes = {{"ImageDecoder", {"x"}, {"y"}}};
    graph.inputs = {{"x", kFloat, {{2}}}};
    graph.outputs = {{"y", kFloat, {{2}}}};
    Session::load(test::makeContext("cpu"), bytesOf(modelBytes({graph})));
  });
}

TEST(Session, RefusesInputsThatDoNotFit) {
  const Session session = linearSession();
  const std::vector<float> x{1, 1};
  expectTypeError({"no input \"z\"", "\"x\", \"mask\""}, [&] { session.run({{"z", {x, {1, 2}}}}); });
  expectTypeError({"\"batch\"", "is not known", "\"x\" [batch, 2]"}, [&] { session.run({}); });
  expectTypeError({"\"x\"", "[2]", "[batch, 2]"}, [&] { session.run({{"x", {x, {2}}}}); });
  expectTypeError({"\"x\"", "[2, 1]", "[batch, 2]"}, [&] { session.run({{"x", {x, {2, 1}}}}); });
  expectTypeError({"\"x\"", "int32", "float32"}, [&] { session.run({{"x", {std::vector<std::int32_t>{1, 1}, {1, 2}}}}); });
  expectTypeError({"\"x\"", "8 bytes", "16", "float32[2, 2]"}, [&] { session.run({{"x", {x, {2, 2}}}}); });
  expectTypeError({"float", "uint8"}, [&] { run(session, x).at("isAbove").as<float>(); });
}

TEST(Session, NamesAMissingInputOfAFixedModel) {
  const Session session = linearSession({.load = {.dimensions = {{"length", 5}, {"batch", 2}}}});
  expectTypeError({"input \"x\" is missing"}, [&] { session.run({}); });
}

TEST(Session, HeedsTheLargestSizesOfAText) {
  const test::TemporaryFolder folder;
  writeText(folder / "g.webnn", R"(webnn_graph "g" v2 {
  inputs { x: f32[dyn("n", 4)]; }
  nodes { y = neg(x); }
  outputs { y; }
})");
  const Session session = Session::load(test::makeContext("cpu"), folder / "g.webnn");
  ASSERT_EQ(session.outputs().size(), 1u);
  EXPECT_EQ(session.outputs()[0].name, "y");
  ASSERT_EQ(session.outputs()[0].shape.value().size(), 1u);
  EXPECT_EQ(session.outputs()[0].shape->front().name, "n");
  EXPECT_EQ(session.outputs()[0].dataType, DataType::float32);
  const std::vector<float> x{1, 2, 3, 4, 5};
  EXPECT_EQ(floats(session.run({{"x", {std::span(x).first(3), {3}}}}), "y"), (std::vector<float>{-1, -2, -3}));
  expectTypeError({"\"x\"", "\"n\" is 5", "largest size (4)"}, [&] { session.run({{"x", {x, {5}}}}); });
  // without a smallest size in the text, a dimension has at least size 1
  expectTypeError({"\"x\"", "\"n\" is 0"}, [&] { session.run({{"x", {std::vector<float>(), {0}}}}); });
}

TEST(Session, RunsAGraph) {
  test::Fixture fixture;
  const Operand x = fixture.builder.input("x", {DataType::float32, {2}});
  fixture.builder.input("unused", {DataType::float32, {2}});
  const Session session(fixture.builder.build({{"y", fixture.builder.neg(x)}}));
  EXPECT_EQ(floats(session.run({{"x", {std::vector<float>{1, 2}, {2}}}}), "y"), (std::vector<float>{-1, -2}));
  EXPECT_EQ(session.outputs()[0].name, "y");
}

TEST(Session, EndsACompileOfNewShapes) {
  const Session session = linearSession();
  std::stop_source stop;
  stop.request_stop();
  const std::vector<float> x{1, 1};
  test::expectError(ErrorKind::abortError, {}, [&] { session.run({{"x", {x, {1, 2}}}}, {.stop = stop.get_token()}); });
  EXPECT_EQ(floats(run(session, x), "y"), (std::vector<float>{15, 27, 39}));
}

// Tests that threads may share a session, even if they evict each other's graphs from its cache.
TEST(Session, IsUsedByThreads) {
  const Session session = linearSession({.load = {.dimensions = {{"length", 5}}}, .graphs = 2});
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (unsigned round = 0; round < 25; ++round) {
        const std::size_t rows = 1 + (round + thread) % 4;
        std::vector<float> expected;
        for (std::size_t row = 0; row < rows; ++row) expected.insert(expected.end(), {15, 27, 39});
        if (floats(run(session, std::vector<float>(2 * rows, 1)), "y") != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Session, KeepsItsFilesOpen) {
  const test::TemporaryFolder folder;
  using namespace test::onnx;
  test::onnx::Graph graph;
  graph.nodes = {{"Mul", {"x", "w"}, {"y"}}};
  graph.initializers = {externalTensor("w", kFloat, {2}, {{"location", "w.bin"}})};
  graph.inputs = {{"x", kFloat, {{"n", 2}}}};
  graph.outputs = {{"y", kFloat, {{"n", 2}}}};
  writeText(folder / "m.onnx", modelBytes({graph}));
  writeText(folder / "w.bin", test::raw(std::vector<float>{2, 3}));
  const Session session = Session::load(test::makeContext("cpu"), folder / "m.onnx");
  const auto runFor = [&](std::uint32_t n) { return floats(session.run({{"x", {std::vector<float>(2 * n, 1), {n, 2}}}}), "y"); };
  EXPECT_EQ(runFor(1), (std::vector<float>{2, 3}));
  std::filesystem::remove(folder / "w.bin");
  std::filesystem::remove(folder / "m.onnx");
  EXPECT_EQ(runFor(2), (std::vector<float>{2, 3, 2, 3}));
}

// Tests that a session refuses to build another graph from a file that has changed. onnx.save() and most exporters overwrite a
// file in place.
TEST(Session, RefusesNewSizesOfAFileThatHasBeenChanged) {
  const test::TemporaryFolder folder;
  writeText(folder / "m.onnx", linearModel());
  const Session session = Session::load(test::makeContext("cpu"), folder / "m.onnx", {.load = {.dimensions = {{"length", 5}}}});
  std::filesystem::rename(folder / "m.onnx", folder / "away");
  writeText(folder / "m.onnx", "another file");
  EXPECT_EQ(floats(run(session, {1, 1, 1, 1}), "y").size(), 6u);  // the graph that was compiled before is unaffected
  std::filesystem::rename(folder / "away", folder / "m.onnx");
  writeText(folder / "m.onnx", linearModel() + "more");
  test::expectError(ErrorKind::dataError, {"m.onnx", "has been changed since the session was made"}, [&] {
    run(session, {1, 1, 1, 1, 1, 1});
  });
}

// Returns how many bytes of a mapped file are in memory; nullopt if the system does not tell.
std::optional<std::size_t> mappedBytes(const std::filesystem::path& path) {
  std::ifstream maps("/proc/self/smaps");
  std::optional<std::size_t> bytes;
  bool isOfFile = false;
  for (std::string line; std::getline(maps, line);) {
    if (std::isxdigit(static_cast<unsigned char>(line[0])) && line.find('-') < line.find(' '))
      isOfFile = line.ends_with(path.string());
    if (isOfFile && line.starts_with("Rss:")) bytes = bytes.value_or(0) + 1024 * std::stoul(line.substr(4));
  }
  return bytes;
}

// The first graph packs the weights and releases their pages; graphs for other sizes use the packed weights. They read only the
// nodes at the beginning of the file again, for which the system may map 2 MiB.
TEST(Session, ReadsNoWeightsForOtherSizes) {
  constexpr std::int64_t kWidth = 256;
  test::onnx::Graph graph;
  graph.inputs = {{"x0", test::onnx::kFloat, {{"batch", kWidth}}}};
  constexpr int kLayers = 64;  // 16 MiB of weights
  for (int i = 0; i < kLayers; ++i) {
    const std::string weight = "weight" + std::to_string(i);
    graph.nodes.push_back({"MatMul", {"x" + std::to_string(i), weight}, {"x" + std::to_string(i + 1)}});
    const std::vector<float> values(kWidth * kWidth, static_cast<float>(i));
    graph.initializers.push_back(test::onnx::tensor(weight, {kWidth, kWidth}, values));
  }
  graph.outputs = {{"x" + std::to_string(kLayers), test::onnx::kFloat, {{"batch", kWidth}}}};
  const test::TemporaryFolder folder;
  writeText(folder / "m.onnx", test::onnx::modelBytes({graph}));
  const Session session = Session::load(test::makeContext("cpu"), folder / "m.onnx");
  session.graph({{"x0", {2, kWidth}}});
  const std::optional<std::size_t> before = mappedBytes(folder / "m.onnx");
  if (!before) GTEST_SKIP() << "needs /proc/self/smaps";
  for (std::uint32_t batch = 3; batch < 6; ++batch) session.graph({{"x0", {batch, kWidth}}});
  EXPECT_LE(mappedBytes(folder / "m.onnx"), *before + (std::size_t{4} << 20));
}

TEST(Session, SaysThatItRefersToNothing) {
  const Session session;
  expectTypeError({"inputs: the session refers to nothing"}, [&] { session.inputs(); });
  expectTypeError({"outputs: the session refers to nothing"}, [&] { session.outputs(); });
  expectTypeError({"run: the session refers to nothing"}, [&] { session.run({}); });
  expectTypeError({"graph: the session refers to nothing"}, [&] { session.graph({}); });
  expectTypeError({}, [] { Session{Graph{}}; });
}

TEST(DimensionsOf, IsAFunctionOfShapes) {
  const std::vector<DeclaredInput> inputs{{"a", DataType::float32, {{0, "n"}, {3, ""}}},
                                          {"b", DataType::int8, {{8, "m"}, {0, "n"}}}};
  EXPECT_EQ(dimensionsOf(inputs, {{"a", {2, 3}}, {"b", {8, 2}}}), (Dimensions{{"n", 2}, {"m", 8}}));
  EXPECT_EQ(dimensionsOf(inputs, {{"a", {2, 3}}}, {{"m", 1}}), (Dimensions{{"n", 2}, {"m", 1}}));
  EXPECT_EQ(dimensionsOf(inputs, {{"a", {0, 3}}}, {{"m", 1}}, true), (Dimensions{{"n", 0}, {"m", 1}}));
  expectTypeError({"\"a\"", "\"n\" is 0"}, [&] { dimensionsOf(inputs, {{"a", {0, 3}}}, {{"m", 1}}); });
  expectTypeError({"\"b\"", "\"m\" is 9", "(8)"}, [&] { dimensionsOf(inputs, {{"b", {9, 2}}}); });
  const std::vector<DeclaredInput> square{{"s", DataType::float32, {{0, "n"}, {0, "n"}}}};
  EXPECT_EQ(dimensionsOf(square, {{"s", {2, 2}}}), (Dimensions{{"n", 2}}));
  expectTypeError({"\"s\" [n, n]", "two sizes, 2 and 3"}, [&] { dimensionsOf(square, {{"s", {2, 3}}}); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
