// Tests models with a growing cache, which sessions cut into sections so that a new length compiles little.
#include <algorithm>
#include <cmath>
#include <random>
#include <thread>
#include <utility>

#include "formats/graph_source.h"
#include "onnx/program/branches.h"
#include "onnx/sessions.h"
#include "support/files.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

constexpr std::int64_t kWidth = 32;  // square weights are large enough to be worth a section
constexpr std::size_t kLayers = 4;

std::string named(std::string_view name, std::size_t layer) { return std::string(name) + std::to_string(layer); }

std::vector<float> randomFloats(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> result(count);
  std::ranges::generate(result, [&] { return values(random); });
  return result;
}

// Returns a decoder of one token, x [1, width]. Each layer appends the token's key to its cache, past0 [p, width] to
// present0 [p + 1, width], and attends to all keys. The scores are divided by the number of keys, which the model computes from
// the shape of the cache.
Model decoder() {
  Graph graph;
  graph.inputs = {{"x0", kFloat, {{1, kWidth}}}};
  graph.outputs = {{named("x", kLayers), kFloat, {{1, kWidth}}}};
  graph.initializers = {tensor("zero", {}, std::vector<std::int64_t>{0})};
  std::uint32_t seed = 1;
  const auto weight = [&](const std::string& name) {
    std::vector<float> values = randomFloats(kWidth * kWidth, seed++);
    for (float& value : values) value /= 8;
    graph.initializers.push_back(tensor(name, {kWidth, kWidth}, values));
    return name;
  };
  for (std::size_t i = 0; i < kLayers; ++i) {
    const auto at = [i](const char* name) { return named(name, i); };
    graph.inputs.push_back({at("past"), kFloat, {{"p", kWidth}}});
    graph.outputs.push_back({at("present"), kFloat, {{"t", kWidth}}});
    const std::vector<Node> layer{
        {"MatMul", {at("x"), weight(at("wq"))}, {at("q")}},
        {"MatMul", {at("x"), weight(at("wk"))}, {at("k")}},
        {"Concat", {at("past"), at("k")}, {at("present")}, {{"axis", std::int64_t{0}}}},
        {"Shape", {at("present")}, {at("shape")}},
        {"Gather", {at("shape"), "zero"}, {at("count")}},
        {"Cast", {at("count")}, {at("divisor")}, {{"to", std::int64_t{kFloat}}}},
        {"Transpose", {at("present")}, {at("keys")}},
        {"MatMul", {at("q"), at("keys")}, {at("products")}},
        {"Div", {at("products"), at("divisor")}, {at("scores")}},
        {"Softmax", {at("scores")}, {at("weights")}},
        {"MatMul", {at("weights"), at("present")}, {at("attended")}},
        {"MatMul", {at("attended"), weight(at("wo"))}, {at("o")}},
        {"Add", {at("x"), at("o")}, {at("sum")}},
        {"MatMul", {at("sum"), weight(at("w1"))}, {at("hidden")}},
        {"Tanh", {at("hidden")}, {at("active")}},
        {"MatMul", {at("active"), weight(at("w2"))}, {at("small")}},
        {"Mul", {at("small"), at("small")}, {at("square")}},
        {"Add", {at("sum"), at("square")}, {named("x", i + 1)}},
    };
    graph.nodes.insert(graph.nodes.end(), layer.begin(), layer.end());
  }
  return {graph, {{"", 17}}};
}

Session sessionOn(const std::string& backend, const Model& model, const SessionOptions& options = {}) {
  const auto content = std::make_shared<const std::string>(modelBytes(model));
  return Session::load(test::makeContext(backend), ExternalBytes{std::as_bytes(std::span(*content)), content}, options);
}

// The inputs of a run with `length` keys in each cache.
struct Feed {
  std::map<std::string, std::vector<float>> values;
  std::map<std::string, ArrayView> views;
  std::map<std::string, Shape> shapes;

  explicit Feed(std::uint32_t length, std::uint32_t lengthOfLast) {
    add("x0", 1, length);
    for (std::size_t i = 0; i < kLayers; ++i) add(named("past", i), i + 1 == kLayers ? lengthOfLast : length, length + 100);
  }
  explicit Feed(std::uint32_t length) : Feed(length, length) {}

 private:
  void add(const std::string& name, std::uint32_t rows, std::uint32_t seed) {
    const auto width = static_cast<std::uint32_t>(kWidth);
    const std::vector<float>& own = values[name] = randomFloats(std::size_t{rows} * width, seed);
    shapes[name] = {rows, width};
    views.emplace(name, ArrayView(own, {rows, width}));
  }
};

using Results = std::map<std::string, Array>;

// Runs three new lengths, after which the session has cut the model into sections.
void cut(const Session& session) {
  for (std::uint32_t length = 50; length < 53; ++length) session.run(Feed(length).views);
  ASSERT_TRUE(session.prefersRun(Feed(53).shapes));
}

void expectEqual(const Results& actual, const Results& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, array] : expected) {
    EXPECT_EQ(actual.at(name).descriptor.shape, array.descriptor.shape) << name;
    EXPECT_EQ(elementsOf<float>(actual.at(name)), elementsOf<float>(array)) << name;
  }
}

// Returns the results of a session that was made for this length only.
Results resultsOfOneGraph(std::uint32_t length) {
  SessionOptions options;
  options.load.dimensions = {{"p", length}};
  return sessionOn("cpu", decoder(), options).run(Feed(length).views);
}

TEST(OnnxSections, GiveTheBitsOfOneGraph) {
  const Session session = sessionOn("cpu", decoder()), reference = sessionOn("reference", decoder());
  cut(session);
  for (const std::uint32_t length : {1, 2, 3, 7, 8, 9, 63, 64, 200, 3, 52, 1}) {
    SCOPED_TRACE(length);
    const Results results = session.run(Feed(length).views);
    expectEqual(results, resultsOfOneGraph(length));
    const Results expected = reference.run(Feed(length).views);
    for (const auto& [name, array] : expected) {
      const std::vector<float> values = elementsOf<float>(results.at(name)), wanted = elementsOf<float>(array);
      for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(values[i], wanted[i], 1e-4F) << name << " " << i;
    }
  }
}

TEST(OnnxSections, TakeCachesWithoutKeys) {
  const Session session = sessionOn("cpu", decoder()), other = sessionOn("cpu", decoder());
  cut(session);
  expectEqual(session.run(Feed(0).views), other.run(Feed(0).views));
  expectEqual(session.run(Feed(9).views), resultsOfOneGraph(9));
}

TEST(OnnxSections, ComputeInTheMemoryOfTheCaller) {
  const Session session = sessionOn("cpu", decoder());
  cut(session);
  std::map<std::string, std::vector<float>> memory;
  const OutputMemory memoryFor = [&](std::string_view name, const OperandDescriptor& descriptor) {
    std::vector<float>& own = memory[std::string(name)];
    own.resize(byteLength(descriptor) / sizeof(float));
    return std::as_writable_bytes(std::span(own));
  };
  const Results expected = resultsOfOneGraph(11);
  const Results results = session.runInto(Feed(11).views, memoryFor);
  for (const auto& [name, array] : expected) {
    EXPECT_EQ(results.at(name).descriptor.shape, array.descriptor.shape) << name;
    EXPECT_TRUE(results.at(name).bytes.empty()) << name;
    EXPECT_EQ(memory.at(name), elementsOf<float>(array)) << name;
  }
}

TEST(OnnxSections, ThrowTheSameErrorsAsOneGraph) {
  const Session session = sessionOn("cpu", decoder()), fresh = sessionOn("cpu", decoder());
  cut(session);
  const auto expectSameError = [&](const std::map<std::string, ArrayView>& inputs) {
    std::string message, wanted;
    const ErrorKind kind = kindOf([&] { session.run(inputs); }, &message);
    EXPECT_EQ(kind, kindOf([&] { fresh.run(inputs); }, &wanted));
    EXPECT_EQ(message, wanted);
    EXPECT_FALSE(message.empty());
  };
  Feed conflict(5, 6);
  expectSameError(conflict.views);
  Feed missing(5);
  missing.views.erase("past1");
  expectSameError(missing.views);
  Feed wide(5);
  const std::vector<float> other(5 * 9);
  wide.views.insert_or_assign("past1", ArrayView(other, {5, 9}));
  expectSameError(wide.views);
  Feed unknown(5);
  unknown.views.emplace("z", ArrayView(other, {5, 9}));
  expectSameError(unknown.views);
  expectEqual(session.run(Feed(5).views), resultsOfOneGraph(5));
}

TEST(OnnxSections, EndWithTheCallAndRunAgain) {
  const Session session = sessionOn("cpu", decoder());
  cut(session);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(kindOf([&] { session.run(Feed(70).views, {.stop = stop.get_token()}); }), ErrorKind::abortError);
  EXPECT_EQ(kindOf([&] { session.run(Feed(71).views, {.timeout = std::chrono::nanoseconds(1)}); }), ErrorKind::timeoutError);
  expectEqual(session.run(Feed(70).views), resultsOfOneGraph(70));
}

TEST(OnnxSections, KeepTheLimitOfMemory) {
  SessionOptions options;
  options.load.limits.maxMemory = std::uint64_t{1} << 20;
  const Session session = sessionOn("cpu", decoder(), options);
  cut(session);
  EXPECT_EQ(kindOf([&] { session.run(Feed(20000).views); }), ErrorKind::operationError);
  for (std::uint32_t length = 100; length < 140; ++length) session.run(Feed(length).views);
  expectEqual(session.run(Feed(33).views), resultsOfOneGraph(33));
}

TEST(OnnxSections, ServeThreadsWithDifferentLengths) {
  const Session session = sessionOn("cpu", decoder());
  cut(session);
  std::vector<Results> expected;
  for (std::uint32_t length = 1; length <= 12; ++length) expected.push_back(resultsOfOneGraph(length));
  std::vector<std::vector<Results>> results(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<Results>& own : results) {
      threads.emplace_back([&] {
        for (std::uint32_t length = 1; length <= 12; ++length) own.push_back(session.run(Feed(length).views));
      });
    }
  }
  for (const std::vector<Results>& own : results) {
    for (std::size_t i = 0; i < own.size(); ++i) expectEqual(own[i], expected[i]);
  }
}

TEST(OnnxSections, AreMadeAfterARunThatFailed) {
  const Session session = sessionOn("cpu", decoder());
  for (const std::uint32_t length : {50U, 51U}) session.run(Feed(length).views);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(kindOf([&] { session.run(Feed(52).views, {.stop = stop.get_token()}); }), ErrorKind::abortError);
  EXPECT_EQ(kindOf([&] { session.run(Feed(52, 60).views); }), ErrorKind::typeError);
  for (const std::uint32_t length : {53U, 54U, 55U}) session.run(Feed(length).views);
  EXPECT_TRUE(session.prefersRun(Feed(56).shapes));
}

TEST(OnnxSections, RefuseAFileThatHasChanged) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "decoder.onnx";
  writeText(path, modelBytes(decoder()));
  const Session session = Session::load(test::makeContext("cpu"), path);
  cut(session);
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(5));
  EXPECT_EQ(kindOf([&] { session.run(Feed(60).views); }), ErrorKind::dataError);
}

// All nodes depend on n, so nothing could stay compiled.
TEST(OnnxSections, AreNotMadeIfAllNodesDependOnTheSize) {
  Graph graph;
  graph.nodes = {{"Relu", {"x"}, {"r"}}, {"Neg", {"r"}, {"y"}}};
  graph.inputs = {{"x", kFloat, {{"n"}}}};
  graph.outputs = {{"y", kFloat, {{"n"}}}};
  const Session session = sessionOn("cpu", {graph, {{"", 17}}});
  for (std::uint32_t n = 1; n < 6; ++n) {
    EXPECT_FALSE(session.prefersRun({{"x", {n}}}));
    EXPECT_EQ(elementsOf<float>(session.run({{"x", Floats(n, 2)}}).at("y")), Floats(n, -2));
  }
}

// Returns a model with two branches: the decoder, and tanh of the inputs. The input "cached" chooses a branch. The branches'
// results have the decoder's output names plus `suffix`. If `suffix` is empty, the results of the If node have the same names
// as those of its branches, as in models from optimum.
Model merged(const std::string& suffix) {
  Model model = decoder();
  Graph& graph = model.graph;
  Graph cached, first;
  cached.nodes = std::exchange(graph.nodes, {});
  Node choice{"If", {"cached"}, {}};
  for (const auto& output : graph.outputs) {
    const std::size_t place = choice.outputs.size();
    first.nodes.push_back({"Tanh", {place == 0 ? "x0" : named("past", place - 1)}, {output.name + suffix}});
    if (!suffix.empty()) cached.nodes.push_back({"Identity", {output.name}, {output.name + suffix}});
    for (Graph* branch : {&cached, &first}) branch->outputs.push_back({output.name + suffix, output.type, output.shape});
    choice.outputs.push_back(output.name);
  }
  if (!suffix.empty()) {  // the results of the If node need names that the branch does not define
    for (std::size_t i = 0; i < choice.outputs.size(); ++i) choice.outputs[i] = graph.outputs[i].name += "/if";
  }
  choice.attributes = {{"then_branch", subgraph(cached)}, {"else_branch", subgraph(first)}};
  graph.nodes = {choice};
  graph.inputs.push_back({"cached", kBool, {{1}}});
  return model;
}

std::map<std::string, ArrayView> withCached(const std::map<std::string, ArrayView>& views,
                                            const std::vector<std::uint8_t>& cached) {
  std::map<std::string, ArrayView> all = views;
  all.emplace("cached", ArrayView(cached, {1}));
  return all;
}

const std::vector<std::uint8_t> kCached{1}, kFirst{0};

TEST(OnnxSections, OfBranchesGiveTheBitsOfOneGraph) {
  for (const std::string suffix : {"", "/branch"}) {
    const Session session = sessionOn("cpu", merged(suffix));
    for (const std::uint32_t length : {50, 51, 52, 53, 1, 2, 3, 64, 200, 52}) {
      SCOPED_TRACE(suffix + " " + std::to_string(length));
      const Feed feed(length);
      Results results = session.run(withCached(feed.views, kCached));
      const Results first = session.run(withCached(feed.views, kFirst));
      for (const auto& [name, array] : resultsOfOneGraph(length)) {
        const std::string own = suffix.empty() ? name : name + "/if";
        EXPECT_EQ(elementsOf<float>(results.at(own)), elementsOf<float>(array)) << name;
        const std::vector<float>& given = feed.values.at(name.starts_with("x") ? "x0" : "past" + name.substr(7));
        const std::vector<float> values = elementsOf<float>(first.at(own));
        ASSERT_EQ(values.size(), given.size());
        for (std::size_t i = 0; i < given.size(); ++i) EXPECT_NEAR(values[i], std::tanh(given[i]), 1e-6) << name;
      }
    }
  }
}

// A program of the model, which gives access to its sections, unlike a session.
struct Merged {
  explicit Merged(const Model& merged)
      : content(modelBytes(merged)),
        model(formats::onnx::readModel({std::as_bytes(std::span(content)), nullptr})),
        program(context, model, options()) {}

  formats::onnx::ProgramOptions options() {
    formats::onnx::ProgramOptions result;
    result.makeBudget = [this](const CallOptions& call) { return formats::loadBudget(context, {.call = call}); };
    return result;
  }
  // Returns the number of sections for a length that grows from 50 to 51.
  std::size_t sections(const std::vector<std::uint8_t>& cached) {
    const auto shapesFor = [&](std::uint32_t length) {
      std::map<std::string, Shape> shapes = Feed(length).shapes;
      shapes["cached"] = {1};
      return shapes;
    };
    const auto branches = program.branchesFor(withCached({}, cached));
    if (!branches || !branches->program(program, {})) return 0;
    return branches->program(program, {})->cut(shapesFor(50), shapesFor(51), {});
  }

  const std::string content;
  Context context = test::makeContext("cpu");
  const formats::onnx::Model model;
  formats::onnx::Program program;
};

TEST(OnnxSections, AreMadeOfTheBranchThatAnInputChooses) {
  for (const std::string suffix : {"", "/branch"}) {
    Merged model(merged(suffix));
    EXPECT_GT(model.sections(kCached), kLayers) << suffix;
    EXPECT_EQ(model.sections(kFirst), 0U) << suffix;  // all nodes but one depend on the length
    EXPECT_EQ(model.program.branchesFor({}), nullptr);
  }
}

// A session has each output once, also if the model lists it twice.
TEST(OnnxSections, TakeOutputsThatAreListedTwice) {
  Model model = merged("");
  model.graph.outputs.push_back(model.graph.outputs[0]);
  model.graph.outputs.push_back(model.graph.outputs[1]);
  const Session session = sessionOn("cpu", model);
  ASSERT_EQ(session.outputs().size(), kLayers + 1);
  for (std::uint32_t length = 50; length < 55; ++length)
    expectEqual(session.run(withCached(Feed(length).views, kCached)), resultsOfOneGraph(length));
}

TEST(OnnxSections, AreNotTriedAgainIfTheirCutTookTooLong) {
  for (const ErrorKind kind : {ErrorKind::timeoutError, ErrorKind::abortError}) {
    formats::onnx::CutChoice choice;
    std::size_t cuts = 0;
    for (std::uint32_t length = 1; length < 7; ++length) {
      const auto cut = [&](const formats::onnx::CutChoice::Sizes&) -> bool {
        ++cuts;
        throw Error(kind, "over");
      };
      EXPECT_FALSE(choice.prefersSections({{"p", length}}, true, cut));
    }
    EXPECT_EQ(cuts, kind == ErrorKind::timeoutError ? 1U : 4U);
  }
}

// If a name is defined both around the branch and in it, the nodes cannot share one graph.
TEST(OnnxSections, AreNotMadeIfNamesCollide) {
  Model model = merged("");
  model.graph.nodes.insert(model.graph.nodes.begin(), {"Neg", {"x0"}, {"q0"}});
  EXPECT_EQ(Merged(model).sections(kCached), 0U);
  const Session session = sessionOn("cpu", model);
  for (std::uint32_t length = 50; length < 55; ++length)
    expectEqual(session.run(withCached(Feed(length).views, kCached)), resultsOfOneGraph(length));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
