// Tests the comparison of backends, and the search for the operation where they differ.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "cli/diff/compare.h"
#include "cli/diff/diff_bisect.h"
#include "cli/tool.h"
#include "context/context_state.h"
#include "context/graph_state.h"
#include "support/files.h"
#include "support/support.h"
#include "webnn/webnn.hpp"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cli::Distance;
using cli::NamedBytes;

// Computes like the reference backend, but multiplies alpha of every `linear` by a factor, and computes sigmoid instead of all
// activations without options, such as tanh.
class WrongBackend final : public Backend {
 public:
  explicit WrongBackend(double factor) : factor_(factor) {}
  std::string_view name() const override { return "wrong"; }
  bool accelerated() const override { return false; }
  OpSupportLimits opSupportLimits() const override { return tableLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget&) const override {
    auto changed = std::make_shared<GraphDefinition>(*graph);
    for (Node& node : changed->nodes) {
      if (auto* linear = std::get_if<ops::Linear>(&node.operation)) linear->options.alpha *= factor_;
      if (auto* activation = std::get_if<ops::Activation>(&node.operation)) activation->kind = ops::ActivationKind::sigmoid;
    }
    return reference::ReferenceBackend().compile(changed);
  }

 private:
  double factor_;
};

Context contextOn(std::shared_ptr<const Backend> backend) {
  ContextOptions options;
  options.execution = Execution::callerThread;
  return makeContext(std::move(backend), options);
}

NamedBytes floats(std::string name, Shape shape, const std::vector<float>& values) {
  NamedBytes tensor{
      std::move(name), {DataType::float32, std::move(shape)}, std::vector<std::byte>(values.size() * sizeof(float))};
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

bool withinOneInTenThousand(const NamedBytes& actual, const NamedBytes& expected) {
  return cli::measure(expected.descriptor, actual.bytes, expected.bytes).relative <= 1e-4;
}

TEST(Bisect, FindsTheOneWrongNodeAndItsInput) {
  Context trusted = contextOn(std::make_shared<const reference::ReferenceBackend>()),
          wrong = contextOn(std::make_shared<const WrongBackend>(1));
  GraphBuilder builder(trusted);
  const Operand x = builder.input("x", {DataType::float32, {2}});
  const Operand before = builder.abs(builder.neg(x));
  builder.setName(before, "before");
  const Operand y = builder.exp(builder.tanh(before, {.label = "culprit"}));
  const Graph graph = builder.build({{"y", y}});
  const auto failing =
      cli::bisect(trusted, wrong, *graph.state()->definition, {floats("x", {2}, {-1, 2})}, withinOneInTenThousand);
  ASSERT_TRUE(failing);
  EXPECT_EQ(failing->nodes, 1u);
  const GraphDefinition& part = *failing->graph.state()->definition;
  ASSERT_EQ(part.nodes.size(), 1u);
  EXPECT_EQ(label(part.nodes[0].operation), "culprit");
  ASSERT_EQ(failing->inputs.size(), 1u);
  EXPECT_EQ(failing->inputs[0].name, "before");
  EXPECT_EQ(failing->inputs[0].bytes, floats("", {2}, {1, 2}).bytes);
  EXPECT_EQ(failing->expected[0].bytes, floats("", {2}, {std::tanh(1.0F), std::tanh(2.0F)}).bytes);
}

TEST(Bisect, GrowsThePartUntilSmallErrorsAddUp) {
  // Each `linear` has an error of 4e-5, so the error first exceeds 1e-4 after three of them in a row.
  Context trusted = contextOn(std::make_shared<const reference::ReferenceBackend>()),
          wrong = contextOn(std::make_shared<const WrongBackend>(1 + 4e-5));
  GraphBuilder builder(trusted);
  Operand y = builder.input("x", {DataType::float32, {1}});
  for (int i = 0; i < 9; ++i) y = builder.linear(y, {.alpha = 2});
  const Graph graph = builder.build({{"y", y}});
  const auto failing = cli::bisect(trusted, wrong, *graph.state()->definition, {floats("x", {1}, {1})}, withinOneInTenThousand);
  ASSERT_TRUE(failing);
  EXPECT_EQ(failing->nodes, 3u);
}

TEST(Bisect, FindsNothingWhereAllAgrees) {
  Context trusted = contextOn(std::make_shared<const reference::ReferenceBackend>());
  Context other = contextOn(std::make_shared<const reference::ReferenceBackend>());
  GraphBuilder builder(trusted);
  const Operand x = builder.input("x", {DataType::float32, {1}});
  const Graph graph = builder.build({{"y", builder.tanh(x)}});
  EXPECT_FALSE(cli::bisect(trusted, other, *graph.state()->definition, {floats("x", {1}, {1})}, withinOneInTenThousand));
}

TEST(Measure, GivesTheLargestDistances) {
  const NamedBytes expected = floats("", {4}, {1, -100, 3, 0}), actual = floats("", {4}, {std::nextafter(1.0F, 2.0F), -99, 3, 0});
  const Distance distance = cli::measure(expected.descriptor, actual.bytes, expected.bytes);
  EXPECT_EQ(distance.ulp, 131072u);  // from -99 to -100 in steps of 2^-17
  EXPECT_EQ(distance.absolute, 1);
  EXPECT_EQ(distance.relative, 0.01);
  EXPECT_EQ(distance.index, 1u);
}

TEST(Measure, TakesNaNForEqualToNaNAndInfinitelyFarFromNumbers) {
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  const NamedBytes expected = floats("", {3}, {nan, infinity, 2});
  EXPECT_EQ(cli::measure(expected.descriptor, expected.bytes, expected.bytes).absolute, 0);
  EXPECT_EQ(cli::measure(expected.descriptor, floats("", {3}, {1, infinity, 2}).bytes, expected.bytes).absolute, HUGE_VAL);
  EXPECT_EQ(cli::measure(expected.descriptor, floats("", {3}, {nan, -infinity, 2}).bytes, expected.bytes).absolute, HUGE_VAL);
}

TEST(Diff, RefusesOneBackendAlone) {
  expectMessage(runTool({"diff", repositoryFile("examples/digits/digits.webnn"), "--backends", "reference"}), 2,
                {"--backends", "two"});
}

TEST(Diff, ComparesOutputsOfTwoModelsAndWithAllTheirCommonOperands) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& nodes, const std::string& output) {
    writeText(folder / name,
              "webnn_graph \"g\" v2 { inputs { x: f32[4]; } nodes { " + nodes + " } outputs { " + output + "; } }");
    return (folder / name).string();
  };
  const std::string one = write("one.webnn", "h = abs(x); own = exp(x); y = add(h, own);", "y"),
                    same = write("same.webnn", "h = abs(x); k = exp(x); y = add(h, k);", "y"),
                    other = write("other.webnn", "h = abs(x); k = exp(x); z = add(h, k);", "z");
  const ToolResult outputs = runTool({"diff", one, same, "--quiet"}), all = runTool({"diff", one, same, "--all", "--quiet"});
  EXPECT_NE(outputs.out.find("1 of 1 operands agree"), std::string::npos) << outputs.out << outputs.err;
  EXPECT_NE(all.out.find("2 of 2 operands agree"), std::string::npos) << all.out << all.err;
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--all"}}) {
    std::vector<std::string> arguments{"diff", one, other};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expectMessage(runTool(arguments), 1, {"cannot be compared: \"y\"", "none of that name"});
  }
}

// Tests that --weights applies to the first model only.
TEST(Diff, ReadsTheWeightsOfTheOtherModelBesideIt) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, float w) {
    Fixture fixture;
    const std::vector<float> weights(4, w);
    const Operand constant = fixture.builder.constant({DataType::float32, {4}}, std::as_bytes(std::span(weights)));
    fixture.builder.setName(constant, "w");
    save(fixture.builder.build({{"y", fixture.builder.add(fixture.input({4}), constant)}}), folder / name);
    return (folder / name).string();
  };
  const std::string one = write("one.webnn", 1), two = write("two.webnn", 2);
  EXPECT_EQ(runTool({"diff", one, two, "--quiet"}).status, 1);
  EXPECT_EQ(runTool({"diff", one, two, "--quiet", "--weights", (folder / "one.safetensors").string()}).status, 1);
}

TEST(Diff, RefusesAToleranceWithoutAUnit) {
  expectMessage(runTool({"diff", repositoryFile("examples/digits/digits.webnn"), "--backends", "reference,onnxruntime",
                         "--tolerance", "3"}),
                2, {"--tolerance", "\"3\""});
}

TEST(Diff, RefusesOptionsThatRandomGraphsIgnore) {
  expectMessage(runTool({"diff", "--random", "1", "--backends", "cpu", "--json", "-"}), 2, {"--random", "--json"});
  expectMessage(runTool({"diff", repositoryFile("examples/digits/digits.webnn"), "--random", "1", "--backends", "cpu"}), 2,
                {"--random", "MODEL"});
  expectMessage(runTool({"diff", "--random", "-1", "--backends", "cpu,reference"}), 2, {"--random", "-1"});
  expectMessage(runTool({"diff", "--random", "2000", "--seed", "18446744073709551615", "--backends", "cpu,reference"}), 2,
                {"--random", "2000 seeds", "18446744073709551615"});
}

TEST(Diff, TakesLimits) {
  expectMessage(
      runTool({"diff", repositoryFile("examples/digits/digits.webnn"), "--backends", "reference,cpu", "--max-operations", "2"}),
      1, {"maxOperations (2)"});
}

TEST(Diff, GivesEachBackendItsSettings) {
  const auto diff = [](const std::vector<std::string>& settings) {
    std::vector<std::string> arguments{"diff", repositoryFile("examples/digits/digits.webnn"), "--backends", "cpu,reference"};
    for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--backend-option", setting});
    return runTool(arguments);
  };
  EXPECT_EQ(diff({"disable=all", "onnxruntime:providers=CUDA"}).status, 0);
  expectMessage(diff({"reference:disable=all"}), 2, {"\"reference\" has no option \"disable\""});
  expectMessage(diff({"cpu:speed=11"}), 2, {"\"cpu\" has no option \"speed\""});
}

// Returns the words into which a shell splits a command line. Words must not contain newlines.
std::vector<std::string> wordsOfShell(const std::string& line) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(("printf '%s\\n' " + line).c_str(), "r"), ::pclose);
  std::vector<std::string> words;
  std::string word;
  for (int c; (c = std::fgetc(pipe.get())) != EOF;) {
    if (c != '\n') {
      word += static_cast<char>(c);
    } else {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

TEST(Diff, TellsTheCommandThatRepeatsAFailure) {
  const TemporaryFolder folder;
  const ToolResult found =
      runTool({"diff", "--random", "1", "--backends", "cpu,reference", "--max-memory", "1", "--backend-option",
               "disable=canonicalize", "--backend-option", "cpu:pin=false", "--failures", (folder / "it's here").string()});
  EXPECT_EQ(found.status, 1);
  const std::size_t at = found.out.find("  webnn diff ");
  ASSERT_NE(at, std::string::npos) << found.out;
  const std::vector<std::string> command = wordsOfShell(found.out.substr(at + 8, found.out.find('\n', at) - at - 8));
  const auto hasPair = [&](const std::string& name, const std::string& value) {
    return std::ranges::adjacent_find(
               command, [&](const auto& first, const auto& second) { return first == name && second == value; }) != command.end();
  };
  EXPECT_TRUE(hasPair("--backends", "reference,cpu"));
  EXPECT_TRUE(hasPair("--threads", "1"));
  EXPECT_TRUE(hasPair("--backend-option", "disable=canonicalize"));
  EXPECT_TRUE(hasPair("--backend-option", "cpu:pin=false"));
  EXPECT_TRUE(hasPair("--backend-option", "cpu:memory=watched"));
  EXPECT_TRUE(hasPair("--max-memory", "1"));
  expectMessage(runTool(command), 1, {"maxMemory, 1 bytes"});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
