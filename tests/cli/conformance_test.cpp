// Tests how conformance vectors are compared, read and run.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/text.h"
#include "cli/conformance/conformance_case.h"
#include "cli/diff/compare.h"
#include "cli/tool.h"
#include "graph/backend.h"
#include "support/files.h"
#include "support/onnxruntime.h"
#include "support/openvino.h"
#include "support/support.h"
#include "support/webgpu.h"

namespace webnn::cli {
namespace WEBNN_TEST_FILE {

using test::pack;
using test::repositoryFile;
using test::runTool;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHalfTiny = 0x1p-24;    // the smallest positive float16: bits 0x0001
constexpr double kFloatTiny = 0x1p-149;  // the smallest positive float32: bits 0x00000001

Tolerance ulp(std::uint64_t units) { return {.metric = Metric::ulp, .units = units}; }
Tolerance absolute(double distance) { return {.metric = Metric::absolute, .distance = distance}; }

// Returns whether one element of the data type passes.
bool passes(DataType type, const Number& actual, const Number& expected, const Tolerance& tolerance) {
  return !compare({{type, {1}}, {expected}}, pack({type, {1}}, {actual}), tolerance);
}

struct Rule {
  const char* what;
  DataType type;
  Number actual, expected;
  std::uint64_t distance;  // the smallest tolerance with which the comparison passes
};

TEST(CompareByUlp, MeasuresTheDistanceThatEachTypeDefines) {
  const double next = std::nextafter(1.0f, 2.0f);
  const Rule rules[] = {
      {"equal floats", DataType::float32, 1.5, 1.5, 0},
      {"neighbours", DataType::float32, next, 1.0, 1},
      {"expected is rounded to float32", DataType::float32, 0.1, 0.1, 0},
      {"negative zero equals zero", DataType::float32, -0.0, 0.0, 0},
      {"signs are mapped around zero", DataType::float32, -kFloatTiny, kFloatTiny, 2},
      {"NaN equals NaN", DataType::float32, kNaN, kNaN, 0},
      {"infinity equals infinity", DataType::float32, kInfinity, kInfinity, 0},
      {"infinity follows the largest float", DataType::float32, kInfinity, double{std::numeric_limits<float>::max()}, 1},
      {"NaN is as far from infinity as its bits", DataType::float32, kNaN, kInfinity, 0x400000},
      {"neighbours of float16", DataType::float16, 1.0 + 0x1p-10, 1.0, 1},
      {"zeros of float16", DataType::float16, -0.0, 0.0, 0},
      {"signs of float16 are not mapped", DataType::float16, -kHalfTiny, kHalfTiny, 32768},
      {"negative zero against a tiny float16", DataType::float16, -0.0, kHalfTiny, 32767},
      {"a tiny negative float16 against zero", DataType::float16, -kHalfTiny, 0.0, 32769},
      {"NaN of float16 is written for infinity", DataType::float16, kInfinity, kNaN, 0},
      {"and a real NaN is far from it", DataType::float16, kNaN, kNaN, 0x200},
      {"integers", DataType::int32, -3, 4, 7},
      {"an expected value out of range", DataType::uint4, 15, 16, 1},
      {"int4 keeps its sign", DataType::int4, -8, -8, 0},
      {"int64 beyond double", DataType::int64, std::int64_t{9007199254740993}, std::int64_t{9007199254740992}, 1},
      {"uint64 at its end", DataType::uint64, std::numeric_limits<std::uint64_t>::max(),
       std::numeric_limits<std::uint64_t>::max() - 5, 5},
      {"int64 from end to end", DataType::int64, std::numeric_limits<std::int64_t>::min(),
       std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::uint64_t>::max()},
  };
  for (const Rule& rule : rules) {
    EXPECT_TRUE(passes(rule.type, rule.actual, rule.expected, ulp(rule.distance))) << rule.what;
    if (rule.distance == 0) continue;
    EXPECT_FALSE(passes(rule.type, rule.actual, rule.expected, ulp(rule.distance - 1))) << rule.what;
  }
}

TEST(CompareByDistance, TakesTheDifferenceInDoublePrecision) {
  EXPECT_TRUE(passes(DataType::float32, 1.0, 1.25, absolute(0.25)));
  EXPECT_FALSE(passes(DataType::float32, 1.0, 1.25, absolute(0.2499)));
  EXPECT_TRUE(passes(DataType::float16, 1.0, 1.25, absolute(0.25)));
  EXPECT_TRUE(passes(DataType::float32, -0.0, 0.0, absolute(0)));
}

TEST(CompareByDistance, DoesNotRoundExpectedValues) {
  // The float32 and float16 numbers nearest to 0.1 are not 0.1.
  EXPECT_FALSE(passes(DataType::float32, 0.1, 0.1, absolute(1e-10)));
  EXPECT_TRUE(passes(DataType::float32, 0.1, 0.1, absolute(1e-8)));
  EXPECT_FALSE(passes(DataType::float16, 0.1, 0.1, absolute(1e-6)));
  EXPECT_TRUE(passes(DataType::float16, 0.1, 0.1, absolute(1e-4)));
}

TEST(CompareByDistance, NeverPassesNaNButPassesEqualInfinities) {
  for (DataType type : {DataType::float32, DataType::float16}) {
    EXPECT_FALSE(passes(type, kNaN, kNaN, absolute(1e30)));
    EXPECT_FALSE(passes(type, 1.0, kNaN, absolute(1e30)));
    EXPECT_TRUE(passes(type, kInfinity, kInfinity, absolute(0)));
    EXPECT_FALSE(passes(type, kInfinity, -kInfinity, absolute(1e30)));
  }
}

TEST(Compare, ReportsTheFirstElementThatFails) {
  const OperandDescriptor descriptor{DataType::int32, {4}};
  const auto mismatch = compare({descriptor, {1, 2, 3, 4}}, pack(descriptor, {1, 2, 5, 9}), ulp(1));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->index, 2u);
  EXPECT_EQ(mismatch->actual, "5");
  EXPECT_EQ(mismatch->expected, "3");
  EXPECT_EQ(mismatch->distance, "2 ULP > 1");
}

TEST(Compare, LooksAtTheFirst1000ElementsOnlyWhereOneValueIsExpected) {
  const OperandDescriptor descriptor{DataType::int32, {1001}};
  std::vector<Number> actual(1001, 7), expected(1001, 7);
  actual[1000] = 8;
  EXPECT_FALSE(compare({descriptor, {7}}, pack(descriptor, actual), ulp(0)));
  EXPECT_TRUE(compare({descriptor, expected}, pack(descriptor, actual), ulp(0)));
  actual[999] = 8;
  EXPECT_TRUE(compare({descriptor, {7}}, pack(descriptor, actual), ulp(0)));
}

TEST(Compare, RefusesValuesOfAnotherNumber) {
  const OperandDescriptor descriptor{DataType::float32, {3}};
  test::expectError(ErrorKind::dataError, {"2 expected values", "float32[3]"}, [&] {
    compare({descriptor, {1, 2}}, pack(descriptor, {1}), ulp(0));
  });
}

// Returns a case as text. The parameters are the parts of the schema that the tests vary.
std::string caseText(const std::string& inputs, const std::string& operators, const std::string& outputs,
                     const std::string& extra = R"("tolerance": {"metric": "ULP", "value": 0})") {
  return R"({"cases": [{"name": "one", )" + extra + R"(, "graph": {"inputs": {)" + inputs + R"(}, "operators": [)" + operators +
         R"(], "expectedOutputs": {)" + outputs + "}}}]}";
}

TEST(ConformanceCase, ReadsNumbersThatJsonHasNotAndBigIntegers) {
  const auto cases =
      readCases(caseText(R"("a": {"dataType": "float32", "shape": [4], "data": ["NaN", "Infinity", "-Infinity", "-0"]},
                                           "b": {"dataType": "uint64", "shape": [2], "constant": true,
                                                 "data": ["18446744073709551615", "1"]},
                                           "c": {"dataType": "int64", "shape": [], "data": ["-9223372036854775808"]})",
                         "", ""));
  ASSERT_EQ(cases.size(), 1u);
  const std::vector<CaseInput>& inputs = cases[0].inputs;
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].values, (std::vector<Number>{kNaN, kInfinity, -kInfinity, -0.0}));
  EXPECT_FALSE(inputs[0].constant);
  EXPECT_EQ(inputs[1].values, (std::vector<Number>{std::numeric_limits<std::uint64_t>::max(), 1}));
  EXPECT_TRUE(inputs[1].constant);
  EXPECT_EQ(inputs[2].values, std::vector<Number>{std::numeric_limits<std::int64_t>::min()});
}

TEST(ConformanceCase, SaysWhichCaseIsMalformed) {
  const auto expectDataError = [](const std::string& text, const std::vector<std::string>& parts) {
    test::expectError(ErrorKind::dataError, parts, [&] { readCases(text); });
  };
  expectDataError("[", {"no conformance vectors"});
  expectDataError("{}", {"no conformance vectors", "cases"});
  expectDataError(caseText(R"("a": {"dataType": "float33", "shape": [1], "data": [1]})", "", ""), {"\"one\"", "\"float33\""});
  expectDataError(caseText(R"("a": {"dataType": "float32", "shape": [3], "data": [1, 2]})", "", ""),
                  {"\"one\"", "2 values", "float32[3]"});
  expectDataError(caseText("", "", "", R"("tolerance": {"metric": "RTOL", "value": 0})"), {"\"one\"", "\"RTOL\""});
  expectDataError(R"({"cases": 3})", {"no conformance vectors", "cases: 3 is not a list"});
  expectDataError(R"({"cases": [{}, 3]})", {"cases[0]: ", "\"name\""});
  expectDataError(R"({"cases": [3]})", {"cases[0]: 3 is not an object"});
  expectDataError(R"({"cases": [{"name": 3}]})", {"cases[0].name: 3 is not a text"});
  expectDataError(caseText("", "", "", R"("tolerance": {"metric": "ULP", "value": -1})"),
                  {"\"one\"", "tolerance.value: -1 is not"});
  expectDataError(caseText("", "", "", R"("tolerance": {"metric": "ATOL", "value": "x"})"), {"\"one\"", "tolerance.value"});
  expectDataError(caseText(R"("a": 3)", "", ""), {"\"one\"", "graph.inputs.a: 3 is not an object"});
  expectDataError(caseText("", "", R"("a": {"dataType": "int8", "shape": "x", "data": 1})"),
                  {"\"one\"", "graph.expectedOutputs.a.shape: \"x\" is not a list"});
  expectDataError(caseText(R"("a": {"dataType": "int8", "shape": [2], "constant": 1, "data": 1})", "", ""),
                  {"\"one\"", "graph.inputs.a.constant (1) is not true or false"});
  for (const char* data : {"[1, true]", "[1, null]", "[1, {}]", "[1, \"x\"]"}) {
    expectDataError(caseText(formatText(R"("a": {{"dataType": "int8", "shape": [2], "data": {}}})", data), "", ""),
                    {"\"one\"", "graph.inputs.a.data[1]: ", " is not a number"});
  }
}

TEST(ConformanceCase, SaysWhichPartOfAnOperatorIsMalformed) {
  const auto expectFailure = [](const std::string& operators, const std::string& part) {
    auto cases = readCases(caseText("", operators, ""));
    Context context = test::makeContext();
    const std::string failure = runCase(context, context.opSupportLimits(), cases.at(0)).value_or("");
    EXPECT_NE(failure.find(part), std::string::npos) << failure;
  };
  expectFailure("5", "operators[0]: 5 is not an object");
  expectFailure(R"({"name": 5})", "operators[0].name: 5 is not a text");
  expectFailure(R"({"name": "relu"})", "operators[0]: the key \"outputs\" is missing");
  expectFailure(R"({"name": "relu", "outputs": ["a", 5]})", "operators[0].outputs[1]: 5 is not a text");
  expectFailure(R"({"name": "relu", "outputs": "a"})", "operators[0]: the key \"arguments\" is missing");
  expectFailure(R"({"name": "relu", "outputs": "a", "arguments": 5})", "operators[0].arguments: 5 is not a list");
  expectFailure(R"({"name": "relu", "outputs": "a", "arguments": [5]})", "operators[0].arguments[0]: 5 is not an object");
  expectFailure(R"({"name": "relu", "outputs": "a", "arguments": [{"input": 5}]})", "arguments[0].input: 5 is not a text");
  expectFailure(R"({"name": "relu", "outputs": "a", "arguments": [{"options": 5}]})", "options: 5 is not an object");
}

TEST(ConformanceCase, NamesPositionalArgumentsByTheOperationsFields) {
  const auto cases = readCases(caseText(
      R"("x": {"dataType": "float32", "shape": [2, 2], "data": 1}, "y": {"dataType": "float32", "shape": [2, 2], "data": 1})",
      R"({"name": "concat", "arguments": [{"inputs": ["x", "y"]}, {"axis": 1}], "outputs": "both"},
         {"name": "split", "arguments": [{"input": "both"}, null, {"whatever": [1, 3], "options": {"axis": 1}}],
          "outputs": ["p", "q"]},
         {"name": "cast", "arguments": [{"input": "q"}, {"type": "int32"}], "outputs": "r"})",
      R"("r": {"dataType": "int32", "shape": [2, 3], "data": 1})"));
  const formats::GraphDocument document = documentOf(cases.at(0));
  ASSERT_EQ(document.nodes.size(), 3u);
  EXPECT_EQ(document.nodes[0].inputs, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(document.nodes[0].options.dump(), R"({"axis":1})");
  EXPECT_EQ(document.nodes[1].inputs, std::vector<std::string>{"both"});
  EXPECT_EQ(document.nodes[1].options.dump(), R"({"splits":[1,3],"axis":1})");
  EXPECT_EQ(document.nodes[1].outputs, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(document.nodes[2].options.dump(), R"({"dataType":"int32"})");
}

constexpr const char* kCastCase[] = {
    R"("x": {"dataType": "int4", "shape": [3], "data": [-8, 7, 1]},
        "z": {"dataType": "uint8", "shape": [3], "constant": true, "data": 2})",
    R"({"name": "identity", "arguments": [{"input": "x"}], "outputs": "y"})",
    R"("y": {"dataType": "int4", "shape": [3], "data": [-8, 7, 1]})"};

OpSupportLimits limitsWithoutInt4() {
  OpSupportLimits limits = tableLimits();
  std::erase(limits.input.dataTypes, DataType::int4);
  std::erase(limits.input.dataTypes, DataType::int8);
  std::erase(limits.output.dataTypes, DataType::int4);
  return limits;
}

TEST(ConformanceCase, PassesUnsupportedTypesInTheNextWiderOneWhereTheCaseAllowsIt) {
  auto cases = readCases(caseText(kCastCase[0], kCastCase[1], kCastCase[2],
                                  R"("castToSupportedType": true, "tolerance": {"metric": "ULP", "value": 0})"));
  formats::GraphDocument document = documentOf(cases.at(0));
  adaptToLimits(cases[0], document, limitsWithoutInt4());
  ASSERT_EQ(document.inputs.size(), 1u);
  EXPECT_EQ(document.inputs[0].dataType, DataType::int32);  // int8 is not supported either
  EXPECT_EQ(document.constants.at(0).descriptor.dataType, DataType::uint8);
  ASSERT_EQ(document.nodes.size(), 3u);
  EXPECT_EQ(document.nodes[0].op, "cast");
  EXPECT_EQ(document.nodes[0].inputs, std::vector<std::string>{document.inputs[0].name});
  EXPECT_EQ(document.nodes[0].outputs, std::vector<std::string>{"x"});
  EXPECT_EQ(document.nodes[2].op, "cast");
  EXPECT_EQ(document.nodes[2].inputs, std::vector<std::string>{"y"});
  EXPECT_EQ(*document.nodes[2].options.find("dataType"), "int8");
  EXPECT_EQ(cases[0].outputs[0].expected.descriptor.dataType, DataType::int8);
  Context context = test::makeContext();
  auto again = readCases(caseText(kCastCase[0], kCastCase[1], kCastCase[2],
                                  R"("castToSupportedType": true, "tolerance": {"metric": "ULP", "value": 0})"));
  EXPECT_EQ(runCase(context, limitsWithoutInt4(), again[0]), std::nullopt);
}

TEST(ConformanceCase, FailsForUnsupportedTypesOtherwise) {
  const auto cases = readCases(caseText(kCastCase[0], kCastCase[1], kCastCase[2]));
  Context context = test::makeContext();
  const auto failure = runCase(context, limitsWithoutInt4(), cases.at(0));
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("does not support inputs of data type int4"), std::string::npos) << *failure;
}

// Returns a case that adds two tensors of two elements each, with the expected sum.
std::string addition(const std::string& type, const std::string& a, const std::string& b, const std::string& sum,
                     const std::string& sumType = "") {
  const auto operand = [](const std::string& name, const std::string& dataType, const std::string& data) {
    return "\"" + name + R"(": {"dataType": ")" + dataType + R"(", "shape": [2], "data": )" + data + "}";
  };
  return caseText(operand("a", type, a) + "," + operand("b", type, b),
                  R"({"name": "add", "arguments": [{"a": "a"}, {"b": "b"}], "outputs": "sum"})",
                  operand("sum", sumType.empty() ? type : sumType, sum));
}

std::optional<std::string> runText(const std::string& text) {
  Context context = test::makeContext();
  return runCase(context, context.opSupportLimits(), readCases(text).at(0));
}

TEST(ConformanceCase, RunsAndComparesEveryOutput) {
  EXPECT_EQ(runText(addition("float32", "[0.5, 1]", "2", "[2.5, 3]")), std::nullopt);
  EXPECT_EQ(runText(addition("float32", "[0.5, 1]", "2", "[2.5, 4]")).value_or(""), "sum[1] is 3, expected 4 (4194304 ULP > 0)");
  EXPECT_NE(runText(addition("float32", "1", "2", "3", "float16")).value_or("").find("is float32[2], not float16[2]"),
            std::string::npos);
}

TEST(ConformanceCase, FeedsInfinityForANaNOfFloat16) {
  EXPECT_EQ(runText(addition("float16", R"(["NaN", 1])", "1", R"(["Infinity", 2])")), std::nullopt);
}

TEST(ConformanceCase, WrapsIntegersOutOfRangeInInputs) {
  EXPECT_EQ(asWritten(DataType::int4, 10), Number(-6));
  EXPECT_EQ(asWritten(DataType::int4, -15), Number(1));
  EXPECT_EQ(asWritten(DataType::uint4, 16), Number(0));
  EXPECT_EQ(asWritten(DataType::int8, 200), Number(-56));
  EXPECT_EQ(asWritten(DataType::uint64, std::numeric_limits<std::uint64_t>::max()),
            Number(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_EQ(runText(addition("uint32", "[-1, 4294967297]", "0", "[4294967295, 1]")), std::nullopt);
}

TEST(ConformanceCase, ReportsErrorsOfTheBuilder) {
  const auto failure = runText(caseText(R"("a": {"dataType": "float32", "shape": [2], "data": 1})",
                                        R"({"name": "nonsense", "arguments": [{"a": "a"}], "outputs": "b"})",
                                        R"("b": {"dataType": "float32", "shape": [2], "data": 1})"));
  EXPECT_NE(failure.value_or("").find("there is no operation \"nonsense\""), std::string::npos);
}

TEST(ConformanceCommand, CountsPassedAndFailedCases) {
  const test::TemporaryFolder folder;
  test::writeText(folder / "good.json", addition("int32", "[1, 2]", "2", "[3, 4]"));
  test::writeText(folder / "bad.json", addition("int32", "[1, 2]", "2", "[3, 5]"));
  const auto good = runTool({"conformance", (folder / "good.json").string()});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_TRUE(good.out.ends_with("\n1 passed, 0 failed\n")) << good.out;
  const auto both = runTool({"conformance", folder.path().string()});
  EXPECT_EQ(both.status, 1);
  EXPECT_NE(both.out.find("FAILED bad.json: one: sum[1] is 4, expected 5 (1 ULP > 0)\n"), std::string::npos) << both.out;
  EXPECT_TRUE(both.out.ends_with("\n1 passed, 1 failed\n")) << both.out;
  const auto filtered = runTool({"conformance", folder.path().string(), "--filter", "good"});
  EXPECT_TRUE(filtered.out.ends_with("1 passed, 0 failed\n")) << filtered.out;
  EXPECT_EQ(runTool({"conformance", folder.path().string(), "--filter", "nothing"}).status, 2);
}

TEST(ConformanceCommand, ReportsEveryCaseAsJson) {
  const test::TemporaryFolder folder;
  test::writeText(folder / "bad.json", addition("int32", "[1, 2]", "2", "[3, 5]"));
  const auto result = runTool({"conformance", (folder / "bad.json").string(), "--json", "-"});
  EXPECT_EQ(result.status, 1);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["cases"][0]["outcome"], "failed");
  EXPECT_EQ(json["cases"][0]["name"], "one");
}

TEST(ConformanceCommand, ExcusesCasesThatAreListedUnlessTheyPass) {
  const test::TemporaryFolder folder;
  test::writeText(folder / "expectations.list", R"({"one": "the specification says otherwise"})");
  test::writeText(folder / "bad.json", addition("int32", "[1, 2]", "2", "[3, 5]"));
  test::writeText(folder / "good.json", addition("int32", "[1, 2]", "2", "[3, 4]"));
  const std::string expectations = (folder / "expectations.list").string();
  test::writeText(folder / "wrong.list", R"({"one": 5})");
  const auto wrong = runTool({"conformance", (folder / "bad.json").string(), "--expectations", (folder / "wrong.list").string()});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("wrong.list is not a JSON object of reasons by case name: one: 5 is not a text."), std::string::npos)
      << wrong.err;
  const auto bad = runTool({"conformance", (folder / "bad.json").string(), "--expectations", expectations});
  EXPECT_EQ(bad.status, 0) << bad.out << bad.err;
  EXPECT_NE(bad.out.find("excused: bad.json: one: the specification says otherwise\n"), std::string::npos) << bad.out;
  EXPECT_TRUE(bad.out.ends_with("\n0 passed, 0 failed\n")) << bad.out;
  const auto good = runTool({"conformance", (folder / "good.json").string(), "--expectations", expectations});
  EXPECT_EQ(good.status, 1);
  EXPECT_NE(good.out.find("passes, but is listed"), std::string::npos) << good.out;
}

TEST(ConformanceCommand, PassesTheSuiteOfWebPlatformTests) {
  const std::string suite = repositoryFile("../shared/wpt");
  if (!std::filesystem::is_directory(suite)) GTEST_SKIP() << "there are no vectors in " << suite;
  const auto result = runTool(
      {"conformance", suite, "--expectations", repositoryFile("tests/cli/wpt_expectations.json"), "--list-failures", "--quiet"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

void expectThatTheSuitePasses(std::vector<std::string> arguments, const std::string& expectations) {
  const std::string suite = repositoryFile("../shared/wpt");
  if (!std::filesystem::is_directory(suite)) GTEST_SKIP() << "there are no vectors in " << suite;
  arguments.insert(arguments.begin(), {"conformance", suite});
  arguments.insert(arguments.end(), {"--threads", "1", "--expectations", repositoryFile("tests/cli/" + expectations),
                                     "--list-failures", "--quiet"});
  const auto result = runTool(arguments);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

TEST(ConformanceCommand, PassesTheSuiteOnOnnxRuntime) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  expectThatTheSuitePasses({"--backend", "onnxruntime"}, "wpt_onnxruntime.json");
}

TEST(ConformanceCommand, PassesTheSuiteOnOpenVino) {
  WEBNN_REQUIRE_OPENVINO();
  expectThatTheSuitePasses({"--backend", "openvino"}, "wpt_openvino.json");
}

TEST(ConformanceCommand, PassesTheSuiteOnWebGpu) {
  WEBNN_REQUIRE_WEBGPU();
  // wpt_webgpu.json has the expectations for the software adapter, whose buffers are small.
  expectThatTheSuitePasses({"--backend", "webgpu", "--backend-option", "adapter=" + test::webGpuAdapter()},
                           test::webGpuAdapter() == "llvmpipe" ? "wpt_webgpu.json" : "wpt_expectations.json");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cli
