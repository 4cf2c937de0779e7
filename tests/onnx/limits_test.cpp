// Tests small models that would become large, by loops, functions, and repeated names and attributes.
#include "onnx/read/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "base/budget.h"
#include "base/files/file.h"
#include "onnx/imported.h"
#include "onnx/program/functions.h"
#include "onnx/program/program.h"
#include "webnn/formats.h"
#include "webnn/session.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

// Returns a model of `count` iterations of `nodes`, which map (i, go, state) to (go, next). The output y is the last state.
Model loop(std::int64_t count, std::vector<Node> nodes) {
  Graph body;
  body.nodes = std::move(nodes);
  body.inputs = {{"i", kInt64}, {"go", kBool}, {"state"}};
  body.outputs = {{"go"}, {"next"}};
  Model model;
  model.graph.nodes = {{"Loop", {"count", "", "x"}, {"y"}, {{"body", subgraph(std::move(body))}}}};
  model.graph.initializers = {tensor("count", {}, std::vector<std::int64_t>{count}),
                              tensor("constant", {100}, std::vector<float>(100, 1))};
  model.graph.inputs = {{"x", kFloat, {{2}}}};
  model.graph.outputs = {{"y"}};
  return model;
}

void expectTooLarge(const Model& model, const std::vector<std::string>& parts) {
  Context context = makeContext();
  expectError(ErrorKind::notSupportedError, parts, [&] { import(context, model); });
}

TEST(OnnxLimits, CountNamesThatLoopsRepeat) {
  const std::string longName(20'000, 'n');
  expectTooLarge(loop(1000, {{"Neg", {"state"}, {"next"}, {}, "", longName}}), {"bytes of labels and names"});
  expectTooLarge(loop(1000, {{"Neg", {"state"}, {longName}}, {"Neg", {longName}, {"next"}}}), {"bytes of labels and names"});
  Model model = loop(1000, {{"Add", {"state", longName}, {"next"}}});
  model.graph.initializers.push_back(tensor(longName, Dims{}, std::vector<float>{1}));
  EXPECT_NO_THROW(run({model, {{"x", {1, 2}}}}));
  model.graph.nodes[0].attributes[0].value =
      loop(1000, std::vector<Node>(1, {"Sum", std::vector<std::string>(9, longName), {"next"}}))
          .graph.nodes[0]
          .attributes[0]
          .value;
  expectTooLarge(model, {"names and attributes"});
}

// Returns a model in which f0 calls f1 twice, f1 calls f2 twice, and so on. Each function except the last has
// these inputs and defaults.
Model doubling(int depth, const std::vector<std::string>& inputs, const std::vector<Attribute>& defaults) {
  Model model;
  model.graph.inputs = {{"x", kFloat, {{2}}}};
  model.graph.outputs = {{"y"}};
  model.graph.nodes = {{"f0", {"x"}, {"y"}, {}, "my"}};
  model.operatorSets["my"] = 1;
  for (int i = 0; i < depth; ++i) {
    const std::string name = "f" + std::to_string(i), next = "f" + std::to_string(i + 1);
    model.functions.push_back(
        {"my", name, inputs, {"r"}, {{next, {"a"}, {"b"}, {}, "my"}, {next, {"b"}, {"r"}, {}, "my"}}, {}, defaults, {{"my", 1}}});
  }
  model.functions.push_back({"my", "f" + std::to_string(depth), {"a"}, {"r"}, {{"Neg", {"a"}, {"r"}}}});
  return model;
}

TEST(OnnxLimits, CountParametersAndDefaultsOfFunctions) {
  std::vector<std::string> inputs{"a"};
  std::vector<Attribute> defaults;
  for (int i = 0; i < 1000; ++i) {
    inputs.push_back("absent" + std::to_string(i));
    defaults.push_back({"default" + std::to_string(i), 1.0F});
  }
  EXPECT_NO_THROW(run({doubling(4, inputs, defaults), {{"x", {1, 2}}}}));
  expectTooLarge(doubling(10, inputs, {}), {"names and attributes"});
  expectTooLarge(doubling(10, {"a"}, defaults), {"names and attributes"});
}

TEST(OnnxLimits, CountElementsOfAttributesThatLoopsRepeat) {
  const std::vector<std::int64_t> many(100'000, 0);
  expectTooLarge(loop(1000, {{"Neg", {"state"}, {"next"}, {{"unused", many}}}}), {"names and attributes"});
}

TEST(OnnxLimits, CountConstantsThatAreComputed) {
  const Node best{"TopK", {"constant", "k"}, {"values", "indices"}};
  Model model = loop(1000, {best, {"Neg", {"state"}, {"next"}}});
  model.graph.initializers.push_back(tensor("k", {1}, std::vector<std::int64_t>{64}));
  expectTooLarge(model, {"operands, too many for the size of its file"});
}

TEST(OnnxLimits, RanksAreSmall) {
  Model model;
  model.graph.nodes = {{"Reshape", {"c", "shape"}, {"r"}}, {"Neg", {"r"}, {"y"}}};
  model.graph.initializers = {tensor("c", Dims{}, std::vector<float>{1}),
                              tensor("shape", {65}, std::vector<std::int64_t>(65, 1))};
  model.graph.outputs = {{"y"}};
  expectTooLarge(model, {"its result 0 has rank 65, above 64"});
  model.graph.initializers.push_back(tensor("high", Dims(65, 1), std::vector<float>{1}));
  Context context = makeContext();
  expectError(ErrorKind::dataError, {"the rank (65) is above 64"}, [&] { import(context, model); });
  model.graph.initializers.pop_back();
  model.graph.inputs = {{"x", kFloat, std::vector<Dimension>(65, Dimension("n"))}};
  expectError(ErrorKind::dataError, {"the rank (65) is above 64"}, [&] { import(context, model); });
}

TEST(OnnxLimits, ErrorsListOnlySomeOfManyNames) {
  Model model;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "n" + std::to_string(i);
    model.graph.inputs.push_back({name, kFloat, {{name.c_str()}}});
  }
  model.graph.nodes = {{"Neg", {"n0"}, {"y"}}};
  model.graph.outputs = {{"y"}};
  Context context = makeContext();
  expectTypeError({"\"n0\" has no size", "and 200 more."}, [&] { import(context, model); });
}

// Limits grow with the file's size, but a sparse file can be large without content (limitsFor() in onnx/read/limits.h).
TEST(OnnxLimits, DoNotGrowWithHolesInTheFile) {
  constexpr std::uint64_t kHole = std::uint64_t{1} << 30;
  const auto lengthField = [](char key, std::uint64_t length) {
    std::string bytes(1, key);
    for (; length > 127; length >>= 7) bytes += static_cast<char>(length | 0x80);
    return bytes + static_cast<char>(length);
  };
  Model model = loop(1024, {{"Neg", {"state"}, {"n0"}}});
  Graph body;
  body.inputs = {{"i", kInt64}, {"go", kBool}, {"state"}};
  body.outputs = {{"go"}, {"n400"}};
  body.nodes = {{"Neg", {"state"}, {"n0"}}};
  for (int i = 0; i < 400; ++i) body.nodes.push_back({"Neg", {"n" + std::to_string(i)}, {"n" + std::to_string(i + 1)}});
  model.graph.nodes[0].attributes[0].value = subgraph(std::move(body));
  const TemporaryFolder folder;
  test::writeText(folder / "holes.onnx", modelBytes(model) + lengthField('\x32', kHole));  // a documentation string of zeros
  std::error_code error;
  std::filesystem::resize_file(folder / "holes.onnx", std::filesystem::file_size(folder / "holes.onnx") + kHole, error);
  if (error) GTEST_SKIP() << "the temporary folder takes no file of 1 GiB";
  Context context = makeContext();
  expectError(ErrorKind::notSupportedError, {"too many"},
              [&] { formats::onnx::importModel(context, mapFile(folder / "holes.onnx"), folder.path(), {}); });
}

// Returns a model of a chain of functions: each calls the next one, and the last one has an operator that only the host computes.
Model chain(std::size_t length) {
  Model model;
  // The input of the functions has a shape that depends on values, so the importer does not follow the chain.
  model.graph.nodes = {{"NonZero", {"x"}, {"places"}}, {"f0", {"places"}, {"y"}, {}, "my"}};
  model.graph.inputs = {{"x", kFloat, {{2}}}};
  model.graph.outputs = {{"y"}};
  model.operatorSets["my"] = 1;
  for (std::size_t i = 0; i < length; ++i) {
    model.functions.push_back(
        {"my", "f" + std::to_string(i), {"a"}, {"r"}, {{"f" + std::to_string(i + 1), {"a"}, {"r"}, {}, "my"}}});
    model.functions.back().operatorSets = {{"my", 1}};
  }
  model.functions.push_back({"my", "f" + std::to_string(length), {"a"}, {"r"}, {{"NonZero", {"a"}, {"r"}}}});
  return model;
}

// A recursive visit of the chain would need more stack than a thread has.
TEST(OnnxLimits, FunctionsMayFormALongChain) {
  const Model model = chain(60'000);
  Context context = makeContext();
  expectError(ErrorKind::notSupportedError, {"NonZero", "The model needs a session"},
              [&] { load(context, bytesOf(modelBytes(model))); });
  expectError(ErrorKind::dataError, {"functions or subgraphs nest deeper than 32: node", "calls the function \"f"},
              [&] { Session::load(context, bytesOf(modelBytes(model))); });
}

// Loading checks for interruption at each node that is copied from a function, and at each node that is only visited.
TEST(OnnxLimits, CallsOfFunctionsCanBeInterrupted) {
  constexpr std::size_t kCalls = 1000;
  Model calls = chain(0);
  for (std::size_t i = 0; i < kCalls; ++i) calls.graph.nodes.push_back({"f0", {"x"}, {"u" + std::to_string(i)}, {}, "my"});
  const formats::onnx::Model model = formats::onnx::readModel(bytesOf(modelBytes(calls)));
  const auto looksOf = [](const auto& work) {
    Budget budget;
    std::size_t looks = 0;
    budget.endWhen([&] { return ++looks == 0; });
    const BudgetScope scope(budget);
    work();
    return looks;
  };
  EXPECT_GE(looksOf([&] { formats::onnx::Program::knowsOperators(model); }), kCalls);
  EXPECT_GE(looksOf([&] { formats::onnx::inlined(model); }), kCalls);
}

// Returns a model whose main graph calls each of `count` functions once.
Model callsOfFunctions(std::size_t count) {
  Model model = chain(0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "g" + std::to_string(i);
    model.functions.push_back({"my", name, {"a"}, {"r"}, {{"Neg", {"a"}, {"r"}}}});
    model.graph.nodes.push_back({name, {"x"}, {"u" + std::to_string(i)}, {}, "my"});
  }
  return model;
}

// Returns a model of one function with `count` If nodes. Their branches may read all values of the function.
Model subgraphsOfAFunction(std::size_t count) {
  Graph branch;
  branch.nodes = {{"Neg", {"a"}, {"b"}}};
  branch.outputs = {{"b"}};
  Model model = chain(0);
  std::vector<Node>& nodes = model.functions[0].nodes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    nodes.push_back({"If", {"go"}, {"v" + number}, {{"then_branch", subgraph(branch)}, {"else_branch", subgraph(branch)}}});
  }
  return model;
}

// Eight times as many functions, or subgraphs, take about eight times as long, not 64 times.
TEST(OnnxLimits, FunctionsAreInlinedInLinearTime) {
  const auto secondsFor = [](const Model& model) {
    const formats::onnx::Model read = formats::onnx::readModel(bytesOf(modelBytes(model)));
    double least = 1e9;
    for (int round = 0; round < 3; ++round) {
      const std::clock_t start = std::clock();
      EXPECT_TRUE(formats::onnx::Program::knowsOperators(read));
      EXPECT_NE(formats::onnx::inlined(read), nullptr);
      least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
  };
  EXPECT_LT(secondsFor(callsOfFunctions(16'000)), 24 * secondsFor(callsOfFunctions(2000)) + 0.02);
  EXPECT_LT(secondsFor(subgraphsOfAFunction(4000)), 24 * secondsFor(subgraphsOfAFunction(500)) + 0.02);
}

// Attributes of a function's nodes are copied for each call.
TEST(OnnxLimits, CountAttributesThatCallsRepeat) {
  Model model = chain(0);
  const std::vector<std::int64_t> many(100'000, 0);
  model.functions[0].nodes[0].attributes = {{"unused", many}};
  for (std::size_t i = 0; i < 1000; ++i) model.graph.nodes.push_back({"f0", {"x"}, {"u" + std::to_string(i)}, {}, "my"});
  const formats::onnx::Model read = formats::onnx::readModel(bytesOf(modelBytes(model)));
  expectError(ErrorKind::notSupportedError, {"names and attributes"}, [&] { formats::onnx::inlined(read); });
}

// An If inside a function must detect that an input of the function is absent.
TEST(OnnxImporter, SubgraphsSeeThatInputsAreAbsent) {
  Graph branch;
  branch.nodes = {{"Clip", {"a", "low", "high"}, {"r"}}};
  branch.outputs = {{"r"}};
  Model model;
  model.graph.nodes = {{"f", {"x", "", "one"}, {"y"}, {}, "my"}};
  model.graph.initializers = {tensor("one", Dims{}, std::vector<float>{1}), rawTensor("yes", kBool, {}, "\1")};
  model.graph.inputs = {{"x", kFloat, {{2}}}};
  model.graph.outputs = {{"y"}};
  const std::vector<Attribute> branches{{"then_branch", subgraph(branch)}, {"else_branch", subgraph(branch)}};
  model.functions = {{"my", "f", {"a", "low", "high"}, {"s"}, {{"If", {"high"}, {"s"}, branches}}}};
  model.functions[0].nodes.insert(model.functions[0].nodes.begin(), {"Cast", {"high"}, {"go"}, {{"to", std::int64_t{kBool}}}});
  model.functions[0].nodes[1].inputs = {"go"};
  model.operatorSets["my"] = 1;
  EXPECT_EQ(run({model, {{"x", {-5, 3}}}})[0].values, (std::vector<double>{-5, 1}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
