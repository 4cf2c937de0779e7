// Tests that models which no single graph can hold are run, measured and compared.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/tool.h"
#include "support/files.h"
#include "support/onnx_model.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Json = nlohmann::json;
using Floats = std::vector<float>;

// Returns a model whose output y is exp of the elements of x above `limit` or, if `random`, as many random numbers.
onnx::Graph selecting(float limit, bool random = false) {
  onnx::Graph graph;
  graph.nodes = {{"Greater", {"x", "limit"}, {"is"}},
                 {"NonZero", {"is"}, {"places"}},
                 {"Squeeze", {"places", "axis"}, {"indices"}},
                 {"Gather", {"x", "indices"}, {"chosen"}},
                 {random ? "RandomNormalLike" : "Exp", {"chosen"}, {"y"}}};
  graph.initializers = {onnx::tensor("limit", {}, Floats{limit}), onnx::tensor("axis", {1}, std::vector<std::int64_t>{0})};
  graph.inputs = {{"x", onnx::kFloat, {{"n"}}}};
  graph.outputs = {{"y", onnx::kFloat, {{"m"}}}};
  return graph;
}

onnx::Graph identity() {
  onnx::Graph graph;
  graph.nodes = {{"Identity", {"x"}, {"y"}}};
  graph.inputs = {{"x", onnx::kFloat, {std::vector<onnx::Dimension>{}}}};
  graph.outputs = {{"y", onnx::kFloat, {std::vector<onnx::Dimension>{}}}};
  return graph;
}

class ProgramTool : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const onnx::Graph& graph) {
    writeText(folder_ / name, onnx::modelBytes({graph}));
    return (folder_ / name).string();
  }
  const TemporaryFolder folder_;
};

// Returns a model of an input x of float64 with two outputs: y = x + x, and `words`, which has a name for each element of y.
onnx::Graph naming() {
  onnx::Graph graph;
  graph.nodes = {{"Add", {"x", "x"}, {"y"}},
                 {"Cast", {"y"}, {"classes"}, {{"to", std::int64_t{onnx::kInt64}}}},
                 {"LabelEncoder",
                  {"classes"},
                  {"words"},
                  {{"keys_int64s", std::vector<std::int64_t>{2}},
                   {"values_strings", std::vector<std::string>{"a cat"}},
                   {"default_string", std::string("other")}},
                  "ai.onnx.ml"}};
  graph.inputs = {{"x", onnx::kDouble, {{"n"}}}};
  graph.outputs = {{"y", onnx::kDouble}, {"words", onnx::kString}};
  return graph;
}

TEST_F(ProgramTool, RunShowsDoublesAndStrings) {
  writeText(folder_ / "m.onnx", onnx::modelBytes({naming(), {{"", 17}, {"ai.onnx.ml", 3}}}));
  const std::string model = (folder_ / "m.onnx").string();
  const ToolResult json = runTool({"run", model, "--input", "x=[1, 0.25]", "--dim", "n=2", "--json", "--full", "--quiet"});
  ASSERT_EQ(json.status, 0) << json.err;
  const Json outputs = Json::parse(json.out)["outputs"];
  EXPECT_EQ(outputs["words"], Json::parse(R"(["a cat", "other"])"));
  EXPECT_EQ(outputs["y"]["dataType"], "float32");
  const ToolResult text = runTool({"run", model, "--input", "x=[1, 0.25]", "--dim", "n=2", "--quiet"});
  EXPECT_NE(text.out.find("words: \"a cat\", \"other\""), std::string::npos) << text.out;
  const ToolResult strings = runTool({"run",
                                      write("s.onnx",
                                            [] {
                                              onnx::Graph graph;
                                              graph.nodes = {{"Identity", {"x"}, {"y"}}};
                                              graph.inputs = {{"x", onnx::kString, {{"n"}}}};
                                              graph.outputs = {{"y", onnx::kString}};
                                              return graph;
                                            }()),
                                      "--fill", "ones"});
  EXPECT_EQ(strings.status, 2);
  EXPECT_NE(strings.err.find("strings"), std::string::npos) << strings.err;
}

TEST_F(ProgramTool, BenchMeasuresASession) {
  const std::string model = write("m.onnx", selecting(0.5F));
  const ToolResult result =
      runTool({"bench", model, "--dim", "n=8", "--backends", "cpu,reference", "--runs", "3", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json json = Json::parse(result.out);
  ASSERT_EQ(json["rows"].size(), 2u);
  for (const Json& row : json["rows"]) {
    EXPECT_EQ(row["runs"], 3);
    EXPECT_GT(row["milliseconds"]["min"], 0);
    EXPECT_GT(row["compileMilliseconds"], 0);
    EXPECT_EQ(row["gflop"], 0);
    EXPECT_GT(row["ratio"], 0);
  }
}

TEST_F(ProgramTool, BenchShowsTheStepsOfASession) {
  const std::string model = write("m.onnx", selecting(0.5F)), trace = (folder_ / "trace.json").string();
  const ToolResult result =
      runTool({"bench", model, "--dim", "n=8", "--runs", "3", "--json", "--quiet", "--per-op", "--trace", trace});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json steps = Json::parse(result.out)["rows"][0]["steps"];
  std::set<std::string> operations;
  for (const Json& step : steps) {
    operations.insert(step["operation"].get<std::string>());
    EXPECT_GE(step["microseconds"], 0) << step.dump();
  }
  EXPECT_TRUE(operations.contains("NonZero")) << steps.dump();  // the host computes it
  EXPECT_TRUE(operations.contains("gather")) << steps.dump();   // a step of a graph
  std::set<std::string> traced;
  double end = 0;
  const Json events = Json::parse(readText(trace))["traceEvents"];
  for (const Json& event : events) {
    if (event["ph"] != "X") continue;
    traced.insert(event["args"]["op_name"].get<std::string>());
    EXPECT_GE(event["ts"].get<double>(), end) << "the steps follow each other";
    end = event["ts"].get<double>() + event["dur"].get<double>() - 1e-6;
  }
  EXPECT_EQ(traced, operations);
}

TEST_F(ProgramTool, BenchAsksForMissingSizes) {
  const std::string model = write("m.onnx", selecting(0.5F));
  const ToolResult result = runTool({"bench", model, "--runs", "1", "--json", "--quiet"});
  EXPECT_NE(result.out.find("--dim n=1"), std::string::npos) << result.out << result.err;
}

TEST_F(ProgramTool, DiffComparesBackends) {
  const std::string model = write("m.onnx", selecting(0.5F)), x = (folder_ / "x.json").string();
  writeText(x, "[0.25, 0.75, 0.5, 2]");
  const ToolResult result =
      runTool({"diff", model, "--dim", "n=4", "--backends", "cpu,reference", "--input", "x=" + x, "--json", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json operand = Json::parse(result.out)["comparisons"][0]["operands"][0];
  EXPECT_EQ(operand["name"], "y");
  EXPECT_EQ(operand["shape"], Json({2}));
  const ToolResult zero = runTool({"diff", model, "--dim", "n=0", "--backends", "cpu,reference", "--quiet"});
  EXPECT_NE(zero.out.find("1 of 1 operands agree"), std::string::npos) << zero.out << zero.err;
}

TEST_F(ProgramTool, DiffDrawsTheSameRandomNumbers) {
  const std::string model = write("m.onnx", selecting(0.5F, true));
  const ToolResult result = runTool({"diff", model, "--dim", "n=16", "--backends", "cpu,reference", "--quiet"});
  EXPECT_NE(result.out.find("1 of 1 operands agree"), std::string::npos) << result.out << result.err;
}

TEST_F(ProgramTool, DiffComparesTwoModels) {
  onnx::Graph plain;
  plain.nodes = {{"Exp", {"x"}, {"y"}}};
  plain.inputs = {{"x", onnx::kFloat, {{"n"}}}};
  plain.outputs = {{"y", onnx::kFloat, {{"n"}}}};
  const std::string model = write("m.onnx", selecting(0.5F)), all = write("all.onnx", selecting(-1)),
                    graph = write("g.onnx", plain);
  EXPECT_EQ(runTool({"diff", all, graph, "--dim", "n=8", "--quiet"}).status, 0);
  EXPECT_EQ(runTool({"diff", graph, all, "--dim", "n=8", "--quiet"}).status, 0);
  expectMessage(runTool({"diff", model, graph, "--dim", "n=8"}), 1, {"cannot be compared: \"y\"", "float32[8]"});
}

TEST_F(ProgramTool, DiffHasNoInnerOperandsOfASession) {
  const std::string model = write("m.onnx", selecting(0.5F));
  const std::vector<std::string> common{"diff", model, "--dim", "n=8", "--backends", "cpu,reference"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = common;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runTool(arguments);
  };
  expectMessage(with({"--all"}), 2, {"--all", "single graph", model});
  expectMessage(with({"--bisect", (folder_ / "b").string()}), 2, {"--bisect", "single graph", model});
}

TEST_F(ProgramTool, TakesValues) {
  onnx::Graph graph = selecting(0);
  graph.initializers.erase(graph.initializers.begin());
  graph.inputs.push_back({"limit", onnx::kFloat, {std::vector<onnx::Dimension>{}}});
  const std::string model = write("m.onnx", graph);  // x is random and below 1, the limit
  const ToolResult result =
      runTool({"diff", model, "--dim", "n=8", "--input", "limit=ones", "--backends", "cpu,reference", "--json", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["comparisons"][0]["operands"][0]["shape"], Json({0}));
  const std::string file = (folder_ / "limit.npy").string();
  ASSERT_EQ(runTool({"run", write("id.onnx", identity()), "--input", "x=ones", "--output", "y=" + file, "--quiet"}).status, 0);
  const ToolResult fixed =
      runTool({"diff", model, "--dim", "n=8", "--value", "limit=" + file, "--backends", "cpu,reference", "--json", "-"});
  ASSERT_EQ(fixed.status, 0) << fixed.err;
  EXPECT_EQ(fixed.out, result.out);
}

// Tests a .npy file of an array without elements. The run takes the size of `n`, 0, from the file.
TEST_F(ProgramTool, RunTakesFilesWithoutElements) {
  const std::string model = write("select.onnx", selecting(0)), file = (folder_ / "none.npy").string();
  const ToolResult made = runTool({"run", model, "--input", "x=[-1]", "--output", "y=" + file, "--quiet"});
  ASSERT_EQ(made.status, 0) << made.err;
  const ToolResult result = runTool({"run", model, "--input", "x=" + file, "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("y: float32[0]"), std::string::npos) << result.out;
}

TEST_F(ProgramTool, RunSaysThatOnlyAGraphShowsAll) {
  const std::string model = write("select.onnx", selecting(0));
  const ToolResult result = runTool({"run", model, "--input", "x=[-1, 1]", "--all"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("--all shows the operands of a single graph"), std::string::npos) << result.err;
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
