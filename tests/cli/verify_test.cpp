// Tests `webnn verify`: which models it finds, how it compares, and what it reports.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/tool.h"
#include "cli/verify/verify_case.h"
#include "formats/npy/npy.h"
#include "support/files.h"
#include "support/onnx_model.h"
#include "support/support.h"

namespace webnn::cli {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
namespace made = test::onnx;
using test::expectMessage;
using test::runTool;
using test::ToolResult;
using Floats = std::vector<float>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns a model of y = x + 1 for x of shape [batch, 2].
made::Model increment() {
  made::Graph graph;
  graph.nodes = {{"Add", {"x", "one"}, {"y"}}};
  graph.initializers = {made::tensor("one", {1}, Floats{1})};
  graph.inputs = {{"x", made::kFloat, {{"batch", 2}}}};
  graph.outputs = {{"y", made::kFloat, {{"batch", 2}}}};
  return {graph};
}

// Returns a model that reshapes x to the shape in another input.
made::Model reshape() {
  made::Graph graph;
  graph.nodes = {{"Reshape", {"x", "shape"}, {"y"}}};
  graph.inputs = {{"x", made::kFloat, {{2, 2}}}, {"shape", made::kInt64, {{1}}}};
  graph.outputs = {{"y", made::kFloat, {{"n"}}}};
  return {graph};
}

made::Model nonsense() {
  made::Model model = increment();
  model.graph.nodes[0].opType = "Nonsense";
  return model;
}

struct Verify : testing::Test {
  test::TemporaryFolder folder;

  void addModel(const std::string& name, const made::Model& model) {
    fs::create_directories(folder / name);
    test::writeText(folder / name / "model.onnx", made::modelBytes(model));
  }
  void addData(const std::string& name, const std::vector<made::TensorMessage>& inputs,
               const std::vector<made::TensorMessage>& outputs, const std::string& dataSet = "test_data_set_0") {
    const fs::path place = folder / name / dataSet;
    fs::create_directories(place);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      test::writeText(place / ("input_" + std::to_string(i) + ".pb"), inputs[i].bytes);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      test::writeText(place / ("output_" + std::to_string(i) + ".pb"), outputs[i].bytes);
  }
  // Writes the model `increment` with one recorded run.
  void addIncrement(const std::string& name, const Floats& x, const Floats& y) {
    const auto rows = static_cast<std::int64_t>(x.size() / 2);
    addModel(name, increment());
    addData(name, {made::tensor("x", {rows, 2}, x)}, {made::tensor("y", {rows, 2}, y)});
  }
  ToolResult verify(std::vector<std::string> options = {}, const std::string& name = "") {
    options.insert(options.begin(), {"verify", (name.empty() ? folder.path() : folder / name).string()});
    options.insert(options.end(), {"--backend", "reference"});
    return runTool(options);
  }
};

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in: " << text;
}

TEST_F(Verify, PassesModelsThatComputeTheRecordedOutputs) {
  addIncrement("good", {1, 2, 3, 4}, {2, 3, 4, 5});
  for (const char* path : {"", "good", "good/model.onnx"}) {
    const ToolResult result = verify({}, path);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_EQ(result.out, "1 passed, 0 failed\n");
  }
}

TEST_F(Verify, NamesTheFirstElementThatDiffers) {
  addIncrement("good", {1, 2}, {2, 3});
  addIncrement("wrong", {1, 2, 3, 4}, {2, 3, 4.25, 6});
  const ToolResult result = verify();
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out,
            "FAILED wrong: test_data_set_0: output \"y\"[2] is 4, expected 4.25 (2 of 4 elements differ)\n1 passed, 1 failed\n");
}

TEST_F(Verify, RunsEveryDataSetWithItsOwnSizes) {
  addIncrement("sizes", {1, 2}, {2, 3});
  addData("sizes", {made::tensor("x", {2, 2}, Floats{1, 2, 3, 4})}, {made::tensor("y", {2, 2}, Floats{2, 3, 4, 5})},
          "test_data_set_1");
  EXPECT_EQ(verify().status, 0);
  addData("sizes", {made::tensor("x", {1, 2}, Floats{1, 2})}, {made::tensor("y", {1, 2}, Floats{1, 2})}, "test_data_set_2");
  expectContains(verify().out, "FAILED sizes: test_data_set_2: output \"y\"[0] is 2, expected 1 (2 of 2");
}

TEST_F(Verify, TakesArraysOfNumPyAndNumberedFolders) {
  addModel("arrays", increment());
  fs::rename(folder / "arrays/model.onnx", folder / "arrays/any name.onnx");
  fs::create_directories(folder / "arrays/test_data_set/0");
  const auto write = [&](const char* name, const std::vector<Number>& values) {
    const OperandDescriptor descriptor{DataType::float32, {1, 2}};
    std::ostringstream out;
    formats::writeNpy(out, descriptor, test::pack(descriptor, values));
    test::writeText(folder / "arrays/test_data_set/0" / name, out.str());
  };
  write("input_0.npy", {1, 2});
  write("output_0.npy", {2, 3});
  EXPECT_EQ(verify().out, "1 passed, 0 failed\n");
  write("output_0.npy", {2, 9});
  expectContains(verify().out, "output \"y\"[1] is 3, expected 9\n");
}

TEST_F(Verify, FixesInputsOnWhoseValuesShapesDepend) {
  addModel("reshape", reshape());
  addData("reshape", {made::tensor("x", {2, 2}, Floats{1, 2, 3, 4}), made::tensor("shape", {1}, std::vector<std::int64_t>{-1})},
          {made::tensor("y", {4}, Floats{1, 2, 3, 4})});
  const ToolResult result = verify({"--verbose"});
  EXPECT_EQ(result.out, "passed reshape (the value of input \"shape\" is fixed, as shapes depend on it)\n1 passed, 0 failed\n");
}

TEST_F(Verify, ReportsInvalidDataSets) {
  addModel("none", increment());
  expectContains(verify().out, "FAILED none: there is no data set beside it\n");
  const made::TensorMessage x = made::tensor("x", {1, 2}, Floats{1, 2}), y = made::tensor("y", {1, 2}, Floats{2, 3});
  addData("none", {x, x}, {y});
  expectContains(verify().out, "there are 2 recorded inputs, but the model has 1\n");
  fs::remove_all(folder / "none/test_data_set_0");
  addData("none", {x}, {y, y});
  expectContains(verify().out, "there are 2 recorded outputs, but the model has 1\n");
  addData("none", {made::tensor("x", {2}, Floats{1, 2})}, {y});
  EXPECT_EQ(verify().status, 1);
  addData("none", {made::tensor("x", {1, 2}, std::vector<std::int32_t>{1, 2})}, {y});
  fs::remove(folder / "none/test_data_set_0/output_1.pb");
  expectContains(verify().out, "input \"x\" is recorded as int32[1, 2], but is float32[1, 2]");
  test::writeText(folder / "none/test_data_set_0/input_0.pb", "\xFF");
  expectContains(verify().out, "input_0.pb: the ONNX tensor at byte 0");
}

TEST_F(Verify, ForgivesListedModelsThatCannotBeExpressed) {
  addModel("odd", nonsense());
  addData("odd", {made::tensor("x", {1, 2}, Floats{1, 2})}, {made::tensor("y", {1, 2}, Floats{2, 3})});
  const ToolResult unlisted = verify();
  EXPECT_EQ(unlisted.status, 1);
  expectContains(unlisted.out, "FAILED odd: WebNN cannot express: node \"\" (Nonsense, opset 21)");
  test::writeText(folder / "list", "# why\n\nodd\tthere is no such thing\nabsent\tis not here\n");
  const std::string list = (folder / "list").string();
  const ToolResult listed = verify({"--expectations", list, "--verbose"});
  EXPECT_EQ(listed.status, 0) << listed.out;
  EXPECT_EQ(listed.out, "inexpressible odd: there is no such thing\n0 passed, 0 failed, 1 inexpressible as listed\n");
}

TEST_F(Verify, DoesNotForgiveListedModelsThatPassOrComputeSomethingElse) {
  addIncrement("good", {1, 2}, {2, 3});
  addIncrement("wrong", {1, 2}, {2, 4});
  test::writeText(folder / "list", "good\tno\nwrong\tno\n");
  const ToolResult result = verify({"--expectations", (folder / "list").string()});
  EXPECT_EQ(result.status, 1);
  expectContains(result.out, "FAILED good: passes, but is listed as inexpressible\n");
  expectContains(result.out, "FAILED wrong: is listed as inexpressible, but fails otherwise: test_data_set_0: output");
  expectContains(result.out, "0 passed, 2 failed\n");
}

TEST_F(Verify, RefusesMalformedLists) {
  addIncrement("good", {1, 2}, {2, 3});
  for (const char* text : {"good\tno\nno tab\n", "\n\treason\n", "# a\ngood\t\n"}) {
    test::writeText(folder / "list", text);
    expectMessage(verify({"--expectations", (folder / "list").string()}), 1, {"line 2", "a name, a tab and a reason"});
  }
  test::writeText(folder / "list", "good\tno\ngood\tno\n");
  expectMessage(verify({"--expectations", (folder / "list").string()}), 1, {"line 2 lists \"good\" again"});
}

TEST_F(Verify, ShowsTheFirstFailuresUnlessAllAreAskedFor) {
  for (int i = 10; i < 32; ++i) addIncrement("wrong" + std::to_string(i), {1, 2}, {0, 0});
  const ToolResult some = verify();
  expectContains(some.out, "FAILED wrong29");
  EXPECT_EQ(some.out.find("FAILED wrong30"), std::string::npos);
  expectContains(some.out, "and 2 more; --list-failures shows all\n");
  const ToolResult all = verify({"--list-failures"});
  expectContains(all.out, "FAILED wrong31");
  EXPECT_EQ(verify({"--quiet"}).out, "0 passed, 22 failed\n");
  expectContains(verify({"--filter", "31"}).out, "0 passed, 1 failed\n");
}

TEST_F(Verify, ReportsEveryModelAsJson) {
  addIncrement("a", {1, 2}, {2, 3});
  addIncrement("b", {1, 2}, {2, 4});
  const ToolResult result = verify({"--json", "-"});
  EXPECT_EQ(result.status, 1);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["passed"], 1);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["models"][0], (nlohmann::json{{"name", "a"}, {"outcome", "passed"}}));
  EXPECT_EQ(json["models"][1]["outcome"], "failed");
  expectContains(json["models"][1]["message"], "[1] is 3, expected 4");
}

TEST_F(Verify, TakesTolerances) {
  addIncrement("near", {1, 2}, {2.01f, 3});
  EXPECT_EQ(verify().status, 1);
  EXPECT_EQ(verify({"--rtol", "0.01"}).status, 0);
  EXPECT_EQ(verify({"--atol", "0.02"}).status, 0);
  EXPECT_EQ(verify({"--rtol", "-1"}).status, 2);
}

TEST_F(Verify, AlsoVerifiesTheExportedModel) {
  addIncrement("good", {1, 2}, {2, 3});
  const ToolResult result = verify({"--export"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_EQ(result.out, "1 passed, 0 failed\n");
}

TEST_F(Verify, RefusesFoldersWithoutAModel) {
  expectMessage(verify(), 2, {"holds no model"});
  addIncrement("good", {1, 2}, {2, 3});
  expectMessage(verify({"--filter", "nothing"}), 2, {"no model to run"});
  fs::rename(folder / "good/model.onnx", folder / "good/a.onnx");
  fs::copy(folder / "good/a.onnx", folder / "good/b.onnx");
  expectMessage(verify(), 2, {"several models"});
}

// Returns whether one element of the data type passes with the default tolerances.
bool passes(DataType type, const Number& actual, const Number& expected) {
  const OperandDescriptor one{type, {1}};
  return differenceOf({one, test::pack(one, {actual})}, {one, test::pack(one, {expected})}, {}).empty();
}

TEST(VerifyRule, IsThatOfOnnxForFloats) {
  EXPECT_TRUE(passes(DataType::float32, 1000.9, 1000));  // the tolerance is 1e-3 of the expected value
  EXPECT_FALSE(passes(DataType::float32, 1001.1, 1000));
  EXPECT_TRUE(passes(DataType::float32, 0.9e-7, 0));  // the tolerance is at least 1e-7
  EXPECT_FALSE(passes(DataType::float32, 1.2e-7, 0));
  EXPECT_TRUE(passes(DataType::float16, 100.9, 100));  // the tolerance is 1e-2 for float16
  EXPECT_FALSE(passes(DataType::float16, 101.2, 100));
  for (DataType type : {DataType::float32, DataType::float16}) {
    EXPECT_TRUE(passes(type, kNaN, kNaN));
    EXPECT_FALSE(passes(type, kNaN, 1));
    EXPECT_FALSE(passes(type, 1, kNaN));
    EXPECT_TRUE(passes(type, -kInfinity, -kInfinity));
    EXPECT_FALSE(passes(type, -kInfinity, kInfinity));
    EXPECT_FALSE(passes(type, 60000, kInfinity));
    EXPECT_TRUE(passes(type, -0.0, 0.0));
  }
}

TEST(VerifyRule, IsEqualityForIntegers) {
  for (DataType type : {DataType::int8, DataType::uint8, DataType::int32, DataType::uint32, DataType::int64, DataType::uint64,
                        DataType::uint4, DataType::int4}) {
    EXPECT_TRUE(passes(type, 7, 7));
    EXPECT_FALSE(passes(type, 6, 7));
  }
  EXPECT_FALSE(passes(DataType::int64, std::int64_t{9007199254740993}, std::int64_t{9007199254740992}));
}

TEST(VerifyRule, DemandsTheTypeAndTheShape) {
  const auto zeros = [](OperandDescriptor descriptor) { return RecordedTensor{descriptor, test::pack(descriptor, {0})}; };
  const RecordedTensor expected = zeros({DataType::int32, {2, 3}});
  EXPECT_EQ(differenceOf(expected, expected, {}), "");
  EXPECT_EQ(differenceOf(zeros({DataType::int32, {3, 2}}), expected, {}), " is int32[3, 2], expected int32[2, 3]");
  EXPECT_EQ(differenceOf(zeros({DataType::uint32, {2, 3}}), expected, {}), " is uint32[2, 3], expected int32[2, 3]");
  EXPECT_EQ(differenceOf(zeros({DataType::int32, {6}}), expected, {}), " is int32[6], expected int32[2, 3]");
}

TEST_F(Verify, OtherSubcommandsTakeTheValuesThatShapesDependOnFromFiles) {
  addModel("reshape", reshape());
  const std::string model = folder / "reshape/model.onnx";
  const ToolResult without = runTool({"check", model});
  EXPECT_EQ(without.status, 1);
  EXPECT_NE(without.err.find("become constants: \"shape\""), std::string::npos) << without.err;
  std::ostringstream npy;
  const std::int64_t four = 4;
  formats::writeNpy(npy, {DataType::int64, {1}}, std::as_bytes(std::span(&four, 1)));
  test::writeText(folder / "shape.npy", npy.str());
  const ToolResult with = runTool({"check", model, "--value", "shape=" + (folder / "shape.npy").string()});
  EXPECT_EQ(with.status, 0) << with.err;
  EXPECT_NE(with.out.find("y: float32[4]"), std::string::npos) << with.out;
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cli
