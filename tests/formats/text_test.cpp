// Tests reading and writing .webnn text, without building graphs.
#include <cmath>

#include "formats/document/json_parse.h"
#include "formats/text/reader.h"
#include "formats/text/writer.h"
#include "support/support.h"

namespace webnn::formats {
namespace WEBNN_TEST_FILE {

using test::expectError;

std::string wrap(std::string_view nodes) { return "webnn_graph \"g\" v2 { nodes {\n" + std::string(nodes) + "\n} }"; }
// Returns the options of a document's only node.
Json optionsOf(std::string_view arguments) {
  return readDocument(wrap("y = op(" + std::string(arguments) + ");")).nodes.at(0).options;
}

TEST(TextReader, ReadsEverySection) {
  const GraphDocument document = readDocument(R"(
    webnn_graph "tiny" v1 @quantized {   # a comment } {
      inputs { pixels: f32[dyn("batch", 8), 4]; scale: f16[]; }
      consts {
        w: f32[4, 3] @weights("layer.1.weight");
        implicit: i8[3];
        half: f16[] @scalar(0.5);
        raw: u4[3] @scalar(1) @bytes([16, 255]);
      }
      nodes {
        h = matmul(pixels, w);
        [left, right] = split(h, splits=[1, 2], axis=1);
      }
      outputs { left; right }
    })");
  EXPECT_EQ(document.name, "tiny");
  EXPECT_TRUE(document.quantized);
  ASSERT_EQ(document.inputs.size(), 2u);
  EXPECT_EQ(document.inputs[0].name, "pixels");
  EXPECT_EQ(document.inputs[0].shape.at(0).name, "batch");
  EXPECT_EQ(document.inputs[0].shape.at(0).size, 8u);
  EXPECT_EQ(document.inputs[0].shape.at(1).size, 4u);
  EXPECT_EQ(document.inputs[1].dataType, DataType::float16);
  EXPECT_TRUE(document.inputs[1].shape.empty());
  ASSERT_EQ(document.constants.size(), 4u);
  EXPECT_EQ(std::get<WeightsReference>(document.constants[0].source).key, "layer.1.weight");
  EXPECT_EQ(std::get<WeightsReference>(document.constants[1].source).key, "implicit");
  EXPECT_EQ(std::get<ScalarFill>(document.constants[2].source).value, Number(0.5));
  const auto bytes = std::get<ExternalBytes>(document.constants[3].source).bytes;  // the last source is used
  ASSERT_EQ(bytes.size(), 2u);
  EXPECT_EQ(bytes[1], std::byte{255});
  ASSERT_EQ(document.nodes.size(), 2u);
  EXPECT_EQ(document.nodes[0].op, "matmul");
  EXPECT_EQ(document.nodes[0].inputs, (std::vector<std::string>{"pixels", "w"}));
  EXPECT_EQ(document.nodes[0].outputs, std::vector<std::string>{"h"});
  EXPECT_EQ(document.nodes[1].id, "left");
  EXPECT_EQ(document.nodes[1].outputs, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(document.nodes[1].where, "line 12, column 10");
  ASSERT_EQ(document.outputs.size(), 2u);
  EXPECT_EQ(document.outputs[1].name, "right");
  EXPECT_EQ(document.outputs[1].value, "right");
}

TEST(TextReader, TakesSectionsInAnyOrderAndRepeated) {
  const GraphDocument document = readDocument(
      "\xEF\xBB\xBF# first\nwebnn_graph \"\" v 2 { outputs { y } nodes { y = relu(x); } inputs { x: f32[1]; } inputs { z: i64[]; "
      "} nodes { } }");
  EXPECT_EQ(document.inputs.size(), 2u);
  EXPECT_EQ(document.nodes.size(), 1u);
  EXPECT_EQ(document.outputs.at(0).name, "y");
}

TEST(TextReader, FlattensPositionalLists) {
  const auto node = readDocument(wrap("y = concat([a, [\"b c\", d]], e, axis=0);")).nodes.at(0);
  EXPECT_EQ(node.inputs, (std::vector<std::string>{"a", "b c", "d", "e"}));
}

TEST(TextReader, TakesNamesInEverySpelling) {
  const GraphDocument document = readDocument(R"(webnn_graph "g" v2 {
    inputs { /conv/in.0: f32[1]; $v: f32[1]; a::b.c: f32[1]; "true": f32[1]; "a \"b\" \\ \n": f32[1]; }
    nodes { %y = add(%a::b.c, "true"); }
    outputs { "the result" = %y; plain = y, other = y; }
  })");
  std::vector<std::string> names;
  for (const auto& input : document.inputs) names.push_back(input.name);
  EXPECT_EQ(names, (std::vector<std::string>{"/conv/in.0", "$v", "a::b.c", "true", "a \"b\" \\ \\n"}));
  EXPECT_EQ(document.nodes[0].outputs[0], "y");
  EXPECT_EQ(document.nodes[0].inputs, (std::vector<std::string>{"a::b.c", "true"}));
  ASSERT_EQ(document.outputs.size(), 3u);
  EXPECT_EQ(document.outputs[0].name, "the result");
  EXPECT_EQ(document.outputs[0].value, "y");
}

TEST(TextReader, KeepsEveryDigitOfNumbers) {
  EXPECT_EQ(optionsOf("a=9223372036854775807")["a"], Json(std::uint64_t{9223372036854775807u}));
  EXPECT_EQ(optionsOf("a=18446744073709551615")["a"], Json(std::uint64_t{18446744073709551615u}));
  EXPECT_EQ(optionsOf("a=-9223372036854775808")["a"], Json(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(optionsOf("a=18446744073709551616")["a"], Json(0x1p64));
  EXPECT_EQ(optionsOf("a=1e-5")["a"], Json(1e-5));
  EXPECT_EQ(optionsOf("a=0.1")["a"], Json(0.1));
  EXPECT_TRUE(std::signbit(optionsOf("a=-0.0")["a"].asDouble()));
}

TEST(TextReader, ReadsValuesOfEveryKind) {
  const Json expected =
      parseJson(R"({"a": [1, [], -2.5], "b": true, "c": null, "d": "nchw", "e": "nchw", "f": {"name": "n", "x y": [false]}})");
  EXPECT_EQ(optionsOf(R"(a=[1, [], -2.5], b=true, c=null, d="nchw", e=nchw, f={name: "n", "x y": [false]})"), expected);
}

TEST(TextReader, SaysWhereTheTextIsWrong) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"\n", {"line 2, column 1", "\"webnn_graph\"", "the end of the file"}},
      {"webnn_graph g v2 {}", {"line 1, column 13", "name in quotes"}},
      {"webnn_graph \"g\" v3 {}", {"line 1, column 17", "\"v3\""}},
      {"webnn_graph \"g\" v2 {", {"line 1, column 21", "the end of the file"}},
      {"webnn_graph \"g\" v2 {} x", {"line 1, column 23", "the end of the file"}},
      {"webnn_graph \"g\" v2 { tensors {} }", {"line 1, column 22", "\"tensors\""}},
      {"webnn_graph \"g", {"line 1, column 13", "no end"}},
      {"webnn_graph \"g\" v2 { inputs { x: bf16[1]; } }", {"line 1, column 34", "data type", "bf16"}},
      {"webnn_graph \"g\" v2 { inputs {\n x: f32[-1]; } }", {"line 2, column 9", "dimension"}},
      {"webnn_graph \"g\" v2 { inputs { x: f32[4294967296]; } }", {"column 38", "dimension", "4294967296"}},
      {"webnn_graph \"g\" v2 { inputs { x: f32[1,1,1,1,1,1,1,1,1]; } }", {"column 37", "rank is above 8"}},
      {"webnn_graph \"g\" v2 { inputs { x: f32[1] } }", {"column 41", "\";\""}},
      {"webnn_graph \"g\" v2 { consts { x: f32[dyn(\"n\", 3)]; } }", {"column 37", "dynamic"}},
      {"webnn_graph \"g\" v2 { consts { x: u8[1] @bytes([256]); } }", {"column 48", "256"}},
      {"webnn_graph \"g\" v2 { consts { x: u8[1] @scalar([1]); } }", {"column 48", "number"}},
      {"webnn_graph \"g\" v2 { consts { x: u8[1] @file(\"x\"); } }", {"column 41", "\"file\""}},
      {wrap("y = x;"), {"line 2, column 5", "not a call"}},
      {wrap("y = 3;"), {"line 2, column 5", "an operation"}},
      {wrap("y = softmax(x, 1);"), {"line 2, column 16", "name=value"}},
      {wrap("y = softmax(x, axis=1, axis=1);"), {"line 2, column 24", "\"axis\"", "twice"}},
      {wrap("y = f(a={b: 1, b: 2});"), {"line 2, column 16", "\"b\"", "twice"}},
      {wrap("y = f(a=1e999);"), {"line 2, column 9", "out of range"}},
      {wrap("y = f(a=12ab);"), {"line 2, column 9", "letter"}},
      {wrap("y = f(a=NaN+1);"), {"line 2, column 12", "\"+\""}},
      {wrap("y = f(a=\"\xFF\");"), {"line 2, column 10", "UTF-8"}},
      {wrap("y = f(a" + std::string("\0", 1) + ");"), {"line 2, column 8", "zero byte"}},
  };
  for (const auto& [text, parts] : cases) {
    SCOPED_TRACE(text);
    expectError(ErrorKind::dataError, parts, [&text = text] { readDocument(text); });
  }
}

TEST(TextReader, RefusesDeepNestingWithoutExhaustingTheStack) {
  EXPECT_EQ(optionsOf("a=" + std::string(64, '[') + std::string(64, ']')).size(), 1u);
  for (const char* open : {"[", "{a:"}) {
    std::string text = "a=";
    for (int i = 0; i < 200'000; ++i) text += open;
    expectError(ErrorKind::dataError, {"nested deeper than 64"}, [&] { optionsOf(text); });
  }
}

TEST(TextWriter, WritesDeclarationsInOrderAndOptionsThatAreNotDefault) {
  const auto raw = std::make_shared<std::vector<std::byte>>(2, std::byte{7});
  GraphDocument document{.name = "a \"b\""};
  document.inputs = {{"z", DataType::float32, {{8, "batch"}, {3, ""}}}, {"a b", DataType::int4, {}}};
  document.constants = {{"w", {DataType::uint64, {2}}, ScalarFill{Number(std::uint64_t{18446744073709551615u})}},
                        {"r", {DataType::uint8, {2}}, ExternalBytes{*raw, raw}},
                        {"k", {DataType::float16, {}}, WeightsReference{"k\\"}}};
  document.nodes = {{"y",
                     "gemm",
                     {"z", "w"},
                     Json{{"c", "a b"}, {"alpha", 1.0}, {"beta", 0.1}, {"aTranspose", false}, {"label", "true"}},
                     {"y"}},
                    {"t", "softmax", {"true"}, Json{{"axis", 0}}, {"t"}},
                    {"p", "split", {"y"}, Json{{"splits", 2}, {"axis", 0}}, {"p", "q.1"}}};
  document.outputs = {{"y", "y"}, {"renamed", "q.1"}};
  EXPECT_EQ(writeText(document), R"(webnn_graph "a \"b\"" v2 {
  inputs {
    z: f32[dyn("batch", 8), 3];
    "a b": i4[];
  }
  consts {
    w: u64[2] @scalar(18446744073709551615);
    r: u8[2] @bytes([7, 7]);
    k: f16[] @weights("k\\");
  }
  nodes {
    y = gemm(z, w, c="a b", beta=0.1, label="true");
    t = softmax("true", axis=0);
    [p, q.1] = split(y, splits=2);
  }
  outputs {
    y;
    renamed = q.1;
  }
}
)");
}

// Tests that the writer refuses zero bytes, because the reader does not accept files with them.
TEST(TextWriter, RefusesZeroBytes) {
  const std::string name("a\0b", 3);
  test::expectError(ErrorKind::dataError, {"zero bytes"}, [&] { writeText({.name = name}); });
  test::expectError(ErrorKind::dataError, {"zero bytes"}, [&] {
    writeText({.inputs = {{name, DataType::float32, {}}}, .outputs = {{"y", name}}});
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats
