// Tests reading and writing JSON and webnn-graph-json, and reading GraphInfo, without building graphs.
#include <limits>
#include <nlohmann/json.hpp>

#include "formats/document/json_parse.h"
#include "formats/json/graph_info.h"
#include "formats/json/graph_json.h"
#include "support/support.h"

namespace webnn::formats {
namespace WEBNN_TEST_FILE {

using test::expectError;

GraphDocument read(std::string_view text) { return readDocument(text); }

TEST(ParseJson, KeepsOrderAndEveryDigit) {
  const Json json =
      parseJson(R"({"z": 1, "a": [18446744073709551615, -9223372036854775808, 0.1, -0.0], "m": {"x": null, "b": true}})");
  EXPECT_EQ(json.dump(), R"({"z":1,"a":[18446744073709551615,-9223372036854775808,0.1,-0.0],"m":{"x":null,"b":true}})");
}

TEST(ParseJson, SaysWhereTheTextIsWrong) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"", {"line 1, column 1", "unexpected end of input"}},
      {"{\n \"a\": 1,\n \"a\": 2}", {"line 3, column 4", "\"a\"", "twice"}},
      {"[1, NaN]", {"line 1, column 5", "invalid literal"}},
      {"[1e999]", {"line 1, column 6", ": number overflow"}},
      {"[1] 2", {"line 1, column 5"}},
      {"[\"\xFF\"]", {"line 1", "UTF-8"}},
      {"[1]" + std::string("\0x", 2), {"line 1, column 4", "zero byte"}},
  };
  for (const auto& [text, parts] : cases) {
    SCOPED_TRACE(text);
    expectError(ErrorKind::dataError, parts, [&text = text] { parseJson(text); });
  }
}

TEST(ParseJson, RefusesDeepNestingWithoutExhaustingTheStack) {
  EXPECT_TRUE(parseJson(std::string(64, '[') + std::string(64, ']')).isArray());
  expectError(ErrorKind::dataError, {"line 1, column 65", "nested deeper than 64"}, [] { parseJson(std::string(200'000, '[')); });
}

TEST(ParseJson, TakesTimeInProportionToTheText) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(parseJson(text + "\"\":0}").size(), 100'001u);
}

TEST(JsonValue, IsWrittenInTheStyleThatIsAskedFor) {
  const std::string text = R"({"a": [], "b": {}, "list": [1, -2, 0.1, null, true, "/\u0001\u007f\u2028\"\\"], "bytes": [0, 255],
                               "\u00e9 \ud83d\ude00": {"d": [[1e300], {"e": 18446744073709551615}]}})";
  const Json json = parseJson(text);
  const auto judge = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(json.dump(), judge.dump());
  for (const int indent : {1, 2}) {
    const auto blanks = static_cast<std::size_t>(indent);
    EXPECT_EQ(json.dump({.indent = blanks}), judge.dump(indent));
    EXPECT_EQ(json.dump({.indent = blanks, .ascii = true}), judge.dump(indent, ' ', true));
  }
  EXPECT_EQ(Json::object().dump({.indent = 2}), "{}");
  EXPECT_EQ(Json(7).dump({.indent = 2}), "7");
}

TEST(JsonValue, WritesNumbersThatJsonHasNotAsNull) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Json(std::vector{kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}).dump(), "[null,null,null]");
}

TEST(JsonValue, RefusesOrReplacesInvalidUtf8) {
  for (const Json& json : {Json{{"a\xFF", 1}}, Json{{"b", "a\xFF"}}}) {
    expectError(ErrorKind::typeError, {"a\\xFF", "not UTF-8"}, [&] { json.dump(); });
  }
  const Json json{{"a\xFF", "\xC3(b"}};
  EXPECT_EQ(json.dump({.replaces = true}), "{\"a\uFFFD\":\"\uFFFD(b\"}");
  EXPECT_EQ(json.dump({.ascii = true, .replaces = true}), R"({"a\ufffd":"\ufffd(b"})");
}

TEST(GraphJson, ReadsEveryMember) {
  const GraphDocument document = read(R"( # a comment
    {"version": 1, "format": "webnn-graph-json", "name": "n", "quantized": true,
     "inputs": {"z": {"dataType": "float32", "shape": [{"name": "batch", "maxSize": 8}, 3]},
        "a": {"dataType": "int4", "shape": []}},
     "consts": {"w": {"dataType": "uint64", "shape": [2], "init": {"kind": "scalar", "value": 18446744073709551615}},
                "k": {"dataType": "int8", "shape": [2], "init": {"kind": "inlineBytes", "bytes": [0, 255]}},
                "b": {"dataType": "float16", "shape": [2], "init": {"kind": "weights", "ref": "key"}}},
     "nodes": [{"id": "p", "op": "gemm", "inputs": ["z", "w"], "options": {"c": 3}, "outputs": null},
               {"id": "q", "op": "split", "inputs": ["p"], "outputs": ["q1", "q2"]},
               {"id": "r", "op": "relu", "inputs": ["q1"], "options": null, "outputs": []}],
     "outputs": {"second": "q2", "first": "p"}})");
  EXPECT_EQ(document.name, "n");
  EXPECT_TRUE(document.quantized);
  ASSERT_EQ(document.inputs.size(), 2u);
  EXPECT_EQ(document.inputs[0].name, "z");
  EXPECT_EQ(document.inputs[0].shape.at(0).name, "batch");
  EXPECT_EQ(document.inputs[1].dataType, DataType::int4);
  ASSERT_EQ(document.constants.size(), 3u);
  EXPECT_EQ(std::get<ScalarFill>(document.constants[0].source).value, Number(std::uint64_t{18446744073709551615u}));
  EXPECT_EQ(std::get<ExternalBytes>(document.constants[1].source).bytes[1], std::byte{255});
  EXPECT_EQ(std::get<WeightsReference>(document.constants[2].source).key, "key");
  ASSERT_EQ(document.nodes.size(), 3u);
  EXPECT_EQ(document.nodes[0].outputs, std::vector<std::string>{"p"});
  EXPECT_EQ(*document.nodes[0].options.find("c"), 3);
  EXPECT_EQ(document.nodes[1].outputs, (std::vector<std::string>{"q1", "q2"}));
  EXPECT_TRUE(document.nodes[2].outputs.empty());
  EXPECT_EQ(document.nodes[2].where, "nodes[2]");
  ASSERT_EQ(document.outputs.size(), 2u);
  EXPECT_EQ(document.outputs[0].name, "second");
  EXPECT_EQ(document.outputs[0].value, "q2");
}

TEST(GraphJson, SaysWhereTheDocumentIsWrong) {
  const std::string start = R"({"format": "webnn-graph-json", "version": 2, )";
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {R"({"name": "x"})", {"\"format\"", "\"operands\""}},
      {R"({"format": "onnx", "version": 2})", {"format: ", "\"onnx\""}},
      {R"({"format": "webnn-graph-json", "version": 3})", {"version: 3"}},
      {start + R"("nodes": [], "outputs": {}})", {"\"inputs\" is missing"}},
      {start + R"("inputs": [], "nodes": [], "outputs": {}})", {"inputs: ", "not an object"}},
      {start + R"("inputs": {"x": {"dataType": "f32", "shape": []}}, "nodes": [], "outputs": {}})",
       {"inputs.x.dataType: \"f32\""}},
      {start + R"("inputs": {"x": {"dataType": "int8", "shape": [1, -1]}}, "nodes": [], "outputs": {}})",
       {"inputs.x.shape[1]: -1"}},
      {start + R"("inputs": {"x": {"dataType": "int8", "shape": [1.5]}}, "nodes": [], "outputs": {}})",
       {"inputs.x.shape[0]: 1.5"}},
      {start + R"("inputs": {"x": {"dataType": "int8", "shape": [1,1,1,1,1,1,1,1,1]}}, "nodes": [], "outputs": {}})",
       {"inputs.x.shape: ", "rank (9)"}},
      {start +
           R"("inputs": {}, "consts": {"w": {"dataType": "int8", "shape": [{"name": "n", "maxSize": 1}]}},
        "nodes": [], "outputs": {}})",
       {"consts.w"}},
      {start + R"("inputs": {}, "consts": {"w": {"dataType": "int8", "shape": []}}, "nodes": [], "outputs": {}})",
       {"consts.w: ", "\"init\""}},
      {start +
           R"("inputs": {}, "consts": {"w": {"dataType": "int8", "shape": [], "init": {"kind": "base64"}}},
        "nodes": [], "outputs": {}})",
       {"consts.w.init: ", "\"base64\""}},
      {start +
           R"("inputs": {}, "consts": {"w": {"dataType": "int8", "shape": [], "init": {"kind": "inlineBytes",
        "bytes": [256]}}}, "nodes": [], "outputs": {}})",
       {"consts.w.init.bytes: 256"}},
      {start +
           R"("inputs": {}, "consts": {"w": {"dataType": "int8", "shape": [], "init": {"kind": "scalar",
        "value": "x"}}}, "nodes": [], "outputs": {}})",
       {"consts.w.init.value: \"x\""}},
      {start + R"("inputs": {}, "nodes": [{"id": "y", "op": 3, "inputs": []}], "outputs": {}})", {"nodes[0].op: 3"}},
      {start + R"("inputs": {}, "nodes": [{"id": "y", "op": "relu", "inputs": [1]}], "outputs": {}})", {"nodes[0].inputs[0]: 1"}},
      {start + R"("inputs": {}, "nodes": [{"id": "y", "op": "relu", "inputs": [], "options": []}], "outputs": {}})",
       {"nodes[0].options: "}},
      {start + R"("inputs": {}, "nodes": [], "outputs": {"y": 1}})", {"outputs.y: 1"}},
  };
  for (const auto& [text, parts] : cases) {
    SCOPED_TRACE(text);
    expectError(ErrorKind::dataError, parts, [&text = text] { read(text); });
  }
}

TEST(GraphJson, WritesEachDeclarationOnALineInOrder) {
  const auto raw = std::make_shared<std::vector<std::byte>>(2, std::byte{7});
  GraphDocument document{.name = "a \"b\"", .quantized = true};
  document.inputs = {{"z", DataType::float32, {{8, "batch"}, {3, ""}}}, {"a", DataType::int4, {}}};
  document.constants = {{"w", {DataType::float32, {2}}, ScalarFill{Number(0.1)}},
                        {"r", {DataType::uint8, {2}}, ExternalBytes{*raw, raw}},
                        {"k", {DataType::float16, {}}, WeightsReference{"key"}}};
  document.nodes = {{"y", "relu", {"z"}, Json::object(), {"y"}}, {"p", "split", {"y"}, Json{{"splits", 2}}, {"p", "q"}}};
  document.outputs = {{"second", "q"}, {"first", "y"}};
  EXPECT_EQ(writeGraphJson(document), R"({
  "format": "webnn-graph-json",
  "version": 2,
  "name": "a \"b\"",
  "quantized": true,
  "inputs": {
    "z": {"dataType":"float32","shape":[{"name":"batch","maxSize":8},3]},
    "a": {"dataType":"int4","shape":[]}
  },
  "consts": {
    "w": {"dataType":"float32","shape":[2],"init":{"kind":"scalar","value":0.1}},
    "r": {"dataType":"uint8","shape":[2],"init":{"kind":"inlineBytes","bytes":[7,7]}},
    "k": {"dataType":"float16","shape":[],"init":{"kind":"weights","ref":"key"}}
  },
  "nodes": [
    {"id":"y","op":"relu","inputs":["z"]},
    {"id":"p","op":"split","inputs":["y"],"options":{"splits":2},"outputs":["p","q"]}
  ],
  "outputs": {
    "second": "q",
    "first": "y"
  }
}
)");
}

constexpr std::string_view kInfo = R"({
  "operands": [
    {"kind": "input", "descriptor": {"data_type": "float32", "shape": [2]}, "name": "x"},
    {"kind": "constant", "descriptor": {"data_type": "uint8", "shape": [4]}},
    {"kind": "constant", "descriptor": {"data_type": "float32"}, "name": "x"},
    {"kind": "output", "descriptor": {"data_type": "float32", "shape": [2]}, "name": null},
    {"kind": "output", "descriptor": {"data_type": "float32", "shape": [2]}, "name": "y"}],
  "input_operands": [0], "output_operands": [4],
  "operations": [
    {"type": "add", "input_operands": [0, 2], "output_operand": 3, "attributes": null, "label": "sum"},
    {"type": "relu", "input_operands": [3], "output_operands": [4], "output_operand": 0, "attributes": {"a": 1}}],
  "constant_operand_ids_to_handles": {"1": {"data": "AP8QIA==", "label": null}},
  "id_to_constant_tensor_operand_map": {"2": "shared"}})";

TEST(GraphInfo, ReadsOperandsByTheirIds) {
  const GraphDocument document = read(kInfo);
  ASSERT_EQ(document.inputs.size(), 1u);
  EXPECT_EQ(document.inputs[0].name, "x");
  ASSERT_EQ(document.constants.size(), 2u);
  EXPECT_EQ(document.constants[0].name, "operand_1");
  const auto bytes = std::get<ExternalBytes>(document.constants[0].source).bytes;
  EXPECT_EQ(std::vector<std::byte>(bytes.begin(), bytes.end()),
            (std::vector<std::byte>{std::byte{0}, std::byte{255}, std::byte{16}, std::byte{32}}));
  EXPECT_EQ(document.constants[1].name, "operand_2");  // the name "x" is already used
  EXPECT_EQ(std::get<WeightsReference>(document.constants[1].source).key, "shared");
  ASSERT_EQ(document.nodes.size(), 2u);
  EXPECT_EQ(document.nodes[0].inputs, (std::vector<std::string>{"x", "operand_2"}));
  EXPECT_EQ(document.nodes[0].outputs, std::vector<std::string>{"operand_3"});
  EXPECT_EQ(*document.nodes[0].options.find("label"), "sum");
  EXPECT_EQ(document.nodes[1].outputs, std::vector<std::string>{"y"});
  EXPECT_EQ(document.outputs.at(0).name, "y");
  EXPECT_EQ(document.numbering, (std::vector<std::string>{"x", "operand_1", "operand_2", "operand_3", "y"}));
}

TEST(GraphInfo, SaysWhereTheDocumentIsWrong) {
  const std::vector<std::tuple<std::string, std::string, std::vector<std::string>>> cases{
      {"\"input_operands\": [0]", "\"input_operands\": [1]", {"input_operands[0]: ", "not an input"}},
      {"\"input_operands\": [0]", "\"input_operands\": [5]", {"input_operands[0]: ", "no operand 5"}},
      {"[3], \"output_operands\"", "[9], \"output_operands\"", {"operations[1].input_operands[0]: ", "no operand 9"}},
      {"AP8QIA==", "AP8QIA=", {"constant_operand_ids_to_handles.1.data: ", "multiple of 4"}},
      {"AP8QIA==", "AP8QI*==", {"constant_operand_ids_to_handles.1.data: ", "not base64"}},
      {"AP8QIA==", "AP8QIB==", {"constant_operand_ids_to_handles.1.data: ", "zero bits"}},
      {"{\"2\": \"shared\"}", "{}", {"operands[2]: ", "no data"}},
      {"\"type\": \"add\", ", "", {"operations[0]: ", "\"type\""}},
  };
  for (const auto& [from, to, parts] : cases) {
    SCOPED_TRACE(to);
    std::string text(kInfo);
    text.replace(text.find(from), from.size(), to);
    expectError(ErrorKind::dataError, parts, [&] { read(text); });
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats
