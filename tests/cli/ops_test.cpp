// Tests the operation table's model and printed forms, the command `webnn ops`, and the search for similar names.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/similar_names.h"
#include "cli/tool.h"
#include "describe/field_texts.h"
#include "describe/ops_c.h"
#include "describe/ops_printers.h"
#include "describe/ops_rust.h"
#include "describe/rust_examples.h"
#include "ops/operation.h"
#include "support/files.h"

namespace webnn::cli {
namespace WEBNN_TEST_FILE {

using namespace describe;

using test::expectMessage;
using test::repositoryFile;
using test::runTool;

std::size_t countOf(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Returns the text from `start` up to, but without, the next `end`. Returns an empty text if there is no `start`.
std::string sectionOf(const std::string& text, const std::string& start, const std::string& end) {
  const std::size_t begin = text.find(start);
  return begin == std::string::npos ? "" : text.substr(begin, text.find(end, begin) - begin);
}

TEST(OpsModel, HasEveryMethodOfTheSpecificationOnce) {
  std::set<std::string_view> names;
  for (const Method& method : describeAll()) names.insert(method.name());
  EXPECT_EQ(names.size(), allOperations().size());
  EXPECT_EQ(describeAll().size(), allOperations().size());
}

TEST(OpsModel, NamesOptionsAndResultsAsTheIdlDoes) {
  const auto method = [](std::string_view name) { return methodOf(*makeOperation(name)); };
  EXPECT_EQ(method("conv2d").optionsType, "MLConv2dOptions");
  EXPECT_EQ(method("averagePool2d").optionsType, "MLPool2dOptions");
  EXPECT_EQ(method("relu").optionsType, "MLOperatorOptions");
  for (const char* name : {"gru", "lstm", "lstmCell", "split"}) EXPECT_TRUE(method(name).returnsList) << name;
  const auto all = describeAll();
  EXPECT_EQ(std::ranges::count_if(all, &Method::returnsList), 4);
}

TEST(OpsModel, DescribesFieldsWithTypesAndDefaults) {
  const Method pad = methodOf(*makeOperation("pad"));
  ASSERT_EQ(pad.fields.size(), 5u);
  EXPECT_TRUE(pad.fields[0].argument);
  EXPECT_EQ(pad.fields[0].kind, FieldKind::operand);
  EXPECT_EQ(pad.fields[1].kind, FieldKind::sizes);
  EXPECT_FALSE(pad.fields[3].argument);
  EXPECT_EQ(pad.fields[3].kind, FieldKind::enumeration);
  EXPECT_EQ(pad.fields[3].enumType, "MLPaddingMode");
  EXPECT_EQ(pad.fields[3].defaultValue, "constant");
  EXPECT_EQ(pad.fields[4].kind, FieldKind::number);
  EXPECT_EQ(pad.fields[4].defaultValue, 0);
  const Method cast = methodOf(*makeOperation("cast"));
  EXPECT_EQ(cast.fields.at(1).enumType, "MLOperandDataType");
  EXPECT_TRUE(cast.fields[1].defaultValue.isNull());  // an argument has no default
  EXPECT_EQ(methodOf(*makeOperation("split")).fields.at(1).kind, FieldKind::splits);
}

TEST(SimilarNames, AreThoseWithFewOtherLetters) {
  const std::vector<std::string_view> names{"conv2d", "convTranspose2d", "cos", "tanh"};
  EXPECT_EQ(similarNames("conv2D", names), std::vector<std::string>{"conv2d"});
  EXPECT_EQ(similarNames("conv", names), std::vector<std::string>());
  EXPECT_EQ(similarNames("con2d", names), std::vector<std::string>{"conv2d"});
  EXPECT_EQ(similarNames("zzzzzzzz", names), std::vector<std::string>());
}

TEST(OpsPyi, WritesNamesAsPythonDoes) {
  const std::pair<const char*, const char*> names[] = {{"conv2d", "conv2d"},          {"convTranspose2d", "conv_transpose2d"},
                                                       {"gatherND", "gather_nd"},     {"isNaN", "is_nan"},
                                                       {"isInfinite", "is_infinite"}, {"reduceLogSumExp", "reduce_log_sum_exp"},
                                                       {"reduceL1", "reduce_l1"},     {"l2Pool2d", "l2_pool2d"},
                                                       {"aTranspose", "a_transpose"}};
  for (const auto& [camel, snake] : names) EXPECT_EQ(snakeCase(camel), snake);
}

TEST(OpsPyi, HasEveryMethodWithKeywordOptions) {
  const std::string text = printPyi(describeAll());
  EXPECT_EQ(countOf(text, "    def "), allOperations().size());
  EXPECT_NE(text.find("    def gemm(self, a: OperandLike, b: OperandLike, c: OperandLike | None = None, alpha: float = 1.0, "
                      "beta: float = 1.0, "
                      "a_transpose: bool = False, b_transpose: bool = False, *, label: str = \"\") -> MLOperand:\n"),
            std::string::npos);
  EXPECT_NE(
      text.find("    def split(self, input: OperandLike, splits: int | Sequence[int | str], axis: int = 0, *, label: str = \"\") "
                "-> list[MLOperand]:\n"),
      std::string::npos);
  EXPECT_NE(text.find("InterpolationMode = Literal[\"nearest-neighbor\", \"linear\"]\n"), std::string::npos);
  EXPECT_NE(text.find("mode: InterpolationMode = \"nearest-neighbor\""), std::string::npos);
}

TEST(OpsC, EqualsTheFilesOfTheRepository) {
  EXPECT_EQ(test::readText(repositoryFile("include/webnn/webnn_operations.h")), printCHeader(describeAll()))
      << "webnn ops --format=c-header -o include/webnn/webnn_operations.h";
  EXPECT_EQ(test::readText(repositoryFile("src/capi/operations.cpp")), printCSource(describeAll()))
      << "webnn ops --format=c-source -o src/capi/operations.cpp";
}

TEST(OpsC, HasEveryMethodAndItsOptions) {
  const std::string text = printCHeader(describeAll());
  EXPECT_EQ(countOf(text, "\nWEBNN_EXPORT WebnnStatus webnnGraphBuilder"), allOperations().size());
  EXPECT_NE(text.find("  WebnnInterpolationMode_NearestNeighbor = 1,\n"), std::string::npos);
  EXPECT_NE(
      text.find("typedef struct WebnnGemmOptions {\n  WebnnChainedStruct* nextInChain;\n  WebnnOperand c;\n  double alpha;\n"),
      std::string::npos);
}

TEST(OpsRust, EqualsTheFilesOfTheCrate) {
  EXPECT_EQ(test::readText(repositoryFile("bindings/rust/webnn/src/operations.rs")), printRust(describeAll()))
      << "webnn ops --format=rust -o bindings/rust/webnn/src/operations.rs";
  EXPECT_EQ(test::readText(repositoryFile("bindings/rust/webnn/tests/support/operation_calls.rs")), printRustCalls(describeAll()))
      << "webnn ops --format=rust-calls -o bindings/rust/webnn/tests/support/operation_calls.rs";
}

TEST(OpsRust, HasEveryMethodTwiceWithAnExample) {
  const std::string text = printRust(describeAll());
  for (const Method& method : describeAll()) {
    const bool isKeyword = method.name() == "where";
    const std::string name = snakeCase(method.name()) + (isKeyword ? "_" : "");
    const std::string withOptions = name + (isKeyword ? "with" : "_with");
    EXPECT_EQ(countOf(text, "    pub fn " + name + (method.name() == "split" ? "<'s>(&self" : "(&self")), 1u) << name;
    EXPECT_EQ(countOf(text, "    pub fn " + withOptions + (method.name() == "split" ? "<'s>(&self" : "(&self")), 1u) << name;
    EXPECT_NE(rustExample(snakeCase(method.name())), nullptr) << name;
  }
}

TEST(OpsDts, ClosesEveryBracket) {
  std::string open;
  for (char c : printDts(describeAll())) {
    if (c == '{' || c == '(' || c == '[') open += c;
    if (c != '}' && c != ')' && c != ']') continue;
    ASSERT_FALSE(open.empty());
    EXPECT_EQ(open.back(), c == '}' ? '{' : c == ')' ? '(' : '[');
    open.pop_back();
  }
  EXPECT_EQ(open, "");
}

TEST(OpsDts, DeclaresTheInterfacesOfTheSpecification) {
  const std::vector<Method> methods = describeAll();
  const std::string text = printDts(methods);
  const std::string builder = sectionOf(text, "interface MLGraphBuilder {", "\n}\n"),
                    limits = sectionOf(text, "interface MLOpSupportLimits {", "\n}\n");
  for (const Method& method : methods) {
    EXPECT_EQ(countOf(builder, "\n  " + std::string(method.name()) + "("), 1u) << method.name();
    EXPECT_EQ(countOf(limits, "\n  " + std::string(method.name()) + "?: {"), 1u) << method.name();
  }
  EXPECT_NE(builder.find("  conv2d(input: MLOperand, filter: MLOperand, options?: MLConv2dOptions): MLOperand;\n"),
            std::string::npos);
  EXPECT_NE(
      builder.find(
          "  split(input: MLOperand, splits: number | Iterable<number | string>, options?: MLSplitOptions): MLOperand[];\n"),
      std::string::npos);
  EXPECT_NE(builder.find("  concat(inputs: Iterable<MLOperand>, axis: number, options?: MLOperatorOptions): MLOperand;\n"),
            std::string::npos);
  const std::string conv2d = sectionOf(text, "interface MLConv2dOptions extends MLOperatorOptions {", "\n}\n");
  EXPECT_NE(conv2d.find("  /** Order of the filter's dimensions. */\n  filterLayout?: MLConv2dFilterOperandLayout;\n"),
            std::string::npos);
  EXPECT_NE(text.find("type MLConv2dFilterOperandLayout = \"oihw\" | \"hwio\" | \"ohwi\" | \"ihwo\";\n"), std::string::npos);
}

TEST(OpsDts, DeclaresEachNameOnce) {
  const std::string text = printDts(describeAll());
  std::set<std::string> seen;
  for (const std::string_view keyword : {"\ninterface ", "\ntype "}) {
    for (std::size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at + 1)) {
      const std::size_t begin = at + keyword.size();
      EXPECT_TRUE(seen.insert(text.substr(begin, text.find(' ', begin) - begin)).second) << text.substr(begin, 40);
    }
  }
  EXPECT_GT(seen.size(), 40u);
}

TEST(OpsJson, HoldsTheTableAsData) {
  const auto json = nlohmann::json::parse(printJson(describeAll()));
  ASSERT_EQ(json["operations"].size(), allOperations().size());
  const auto& operations = json["operations"];
  const auto softmax = std::ranges::find_if(operations, [](const auto& operation) { return operation["name"] == "softmax"; });
  ASSERT_NE(softmax, operations.end());
  EXPECT_EQ((*softmax)["arguments"], nlohmann::json::parse(R"([{"name": "input", "type": "MLOperand"},
                                      {"name": "axis", "type": "unsigned long", "meaning": "dimension to normalize along"}])"));
  EXPECT_EQ((*softmax)["specification"], "https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax");
  EXPECT_EQ((*softmax)["inputs"][0]["dataTypes"], (nlohmann::json{"float32", "float16"}));
  EXPECT_EQ((*softmax)["inputs"][0]["rankRange"], (nlohmann::json{{"min", 1}, {"max", 8}}));
}

TEST(OpsDts, EqualsTheFileOfTheNodePackage) {
  EXPECT_EQ(printDts(describeAll()), test::readText(repositoryFile("bindings/node/webnn.d.ts")))
      << "print it again: webnn ops --format=dts -o bindings/node/webnn.d.ts";
}

TEST(OpsMarkdown, EqualsTheReferencePage) {
  EXPECT_EQ(printMarkdown(describeAll()), test::readText(repositoryFile("docs/reference/ops.md")))
      << "print it again: webnn ops --format=md -o docs/reference/ops.md";
}

TEST(OpsMarkdown, SaysWhatEachOptionMeans) {
  for (const Method& method : describeAll()) {
    for (const Field& field : method.fields) {
      const bool isOperand = field.kind == FieldKind::operand || field.kind == FieldKind::operands;
      if (field.argument && isOperand) continue;
      EXPECT_NE(fieldText(method, field), "") << method.name() << " " << field.name;
    }
  }
}

TEST(OnnxPage, HasTheOperatorsThatTheToolPrints) {
  EXPECT_NE(
      test::readText(repositoryFile("docs/reference/onnx.md")).find("<!-- operators -->\n\n" + printOnnx() + "\n<!-- end -->"),
      std::string::npos)
      << "print them again: webnn ops --onnx";
}

TEST(OpsCommand, PrintsOneOperation) {
  const auto result = runTool({"ops", "relu"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("## relu"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("## sigmoid"), std::string::npos);
  EXPECT_NE(result.out.find("https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-relu"), std::string::npos);
}

TEST(OpsCommand, ListsAllOperations) {
  const auto result = runTool({"ops"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(result.out, '\n')), allOperations().size());
}

TEST(OpsCommand, PrintsTheFormatsOfThePrinters) {
  const std::vector<Method> methods = describeAll();
  EXPECT_EQ(runTool({"ops", "--format=pyi"}).out, printPyi(methods));
  EXPECT_EQ(runTool({"ops", "--format=dts"}).out, printDts(methods));
  EXPECT_EQ(runTool({"ops", "--json"}).out, printJson(methods));
}

TEST(OpsCommand, SuggestsSimilarNames) {
  expectMessage(runTool({"ops", "sofmax"}), 2, {"no operation \"sofmax\"", "did you mean softmax?"});
  expectMessage(runTool({"ops", "qqqqqqqqqq"}), 2, {"no operation \"qqqqqqqqqq\""});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cli
