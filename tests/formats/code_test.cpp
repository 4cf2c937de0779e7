// Tests the text of programs that build graphs. tests/code runs such programs.

#include "builder/open_graph.h"
#include "formats/code/identifiers.h"
#include "formats/formats_support.h"
#include "formats/save_program.h"
#include "support/files.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using formats::Language;

const char* const kNet =
    "webnn_graph \"net\" v2 { inputs { x: f32[1, 2, 4, 4]; } consts { w: f32[2, 2, 3, 3] @scalar(0.5); b: f32[2] @bytes([0, 0, "
    "128, 63, "
    "205, 204, 204, 61]); s: f32[] @scalar(0.25); } nodes { c = conv2d(x, w, bias=b, padding=[0, 0, 0, 0], strides=[2, 1], "
    "label=\"first\"); [l, r] = split(c, splits=2, axis=1); y = mul(l, s); } outputs { y; r; } }";

std::string programOf(const Graph& graph, Language language) {
  return formats::writeProgram(definitionOf(graph), language, "net.safetensors", "net").text;
}

void expectLines(const std::string& program, std::initializer_list<const char*> lines) {
  for (const char* line : lines) EXPECT_NE(program.find(line), std::string::npos) << line << " is not in\n" << program;
}

TEST(Code, OfJavaScriptOmitsDefaults) {
  expectLines(programOf(test::buildText(kNet), Language::javaScript),
              {"  const x = builder.input('x', {dataType: 'float32', shape: [1, 2, 4, 4]});\n",
               "  const w = builder.constant({dataType: 'float32', shape: [2, 2, 3, 3]}, tensor('w'));\n",
               "  const b = builder.constant({dataType: 'float32', shape: [2]}, new Float32Array([1, 0.1]));\n",
               "  const s = builder.constant('float32', 0.25);\n",
               "  const c = builder.conv2d(x, w, {strides: [2, 1], bias: b, label: 'first'});\n",
               "  const [l, r] = builder.split(c, 2, {axis: 1});\n", "  return builder.build({'y': y, 'r': r});\n"});
}

TEST(Code, OfPythonOmitsDefaults) {
  expectLines(
      programOf(test::buildText(kNet), Language::python),
      {"    x = builder.input(\"x\", [1, 2, 4, 4], \"float32\")\n",
       "    w = builder.constant({\"dataType\": \"float32\", \"shape\": [2, 2, 3, 3]}, tensors[\"w\"])\n",
       "    b = builder.constant([1.0, 0.1], [2], \"float32\")\n", "    s = builder.constant(\"float32\", 0.25)\n",
       "    c = builder.conv2d(x, w, strides=[2, 1], bias=b, label=\"first\")\n", "    [l, r] = builder.split(c, 2, axis=1)\n"});
}

TEST(Code, OfCppOmitsDefaults) {
  expectLines(programOf(test::buildText(kNet), Language::cpp),
              {"namespace net {\n",
               "  const webnn::Operand b = builder.constant<float>({webnn::DataType::float32, {2}}, {1.0f, 0.1f});\n",
               "  const webnn::Operand c = builder.conv2d(x, w, {.strides = {2, 1}, .bias = b, .label = \"first\"});\n",
               "  const auto [l, r] = results<2>(builder.split(c, 2u, {.axis = 1}));\n"});
}

TEST(Code, OfOpenDimensionsHasTheirNamesAndBounds) {
  Context context = test::makeContext();
  GraphBuilder builder(context);
  const Operand x = builder.openInput("x", {DataType::float32, {{"batch", 1, 64}, "n", 8}});
  const auto open = takeOpenGraph(builder, {{"y", builder.reshape(x, {builder.openSize("batch * n"), 8})}});
  const auto program = [&](Language language) {
    return printed(*open, [&](const GraphDefinition& graph) { return formats::writeProgram(graph, language, "", "net").text; });
  };
  expectLines(
      program(Language::javaScript),
      {"builder.input('x', {dataType: 'float32', shape: [{name: 'batch', minSize: 1, maxSize: 64}, 'n', 8]});",
       "builder.reshape(x, ['batch * n', 8]);", "import {install} from 'webnn';", "return builder.buildSession({'y': y});"});
  expectLines(program(Language::python), {"builder.input(\"x\", [webnn.MLDynamicDimension(\"batch\", 64, min_size=1), \"n\", 8]",
                                          "builder.reshape(x, [\"batch * n\", 8])",
                                          "-> webnn.InferenceSession:", "return builder.build_session({\"y\": y})"});
  expectLines(program(Language::cpp),
              {"builder.openInput(\"x\", {webnn::DataType::float32, {{\"batch\", 1, 64}, \"n\", 8}});",
               "builder.reshape(x, {builder.openSize(\"batch * n\"), 8});", "webnn::Session build(const webnn::Context& context)",
               "return webnn::Session::build(builder, {{\"y\", y}});"});
}

TEST(Code, OfALargeGraphInCppIsManyFunctions) {
  test::Fixture fixture;
  Operand x = fixture.input({2});
  for (int i = 0; i < 250; ++i) x = fixture.builder.relu(x, {.label = "deep"});
  const std::string program = programOf(fixture.builder.build({{"y", x}}), Language::cpp);
  expectLines(program, {"\nvoid part(webnn::GraphBuilder& builder, ", "\nvoid part_3(",
                        "  v[deep_2] = builder.relu(v[deep], {.label = \"deep\"});\n", "  part_2(builder, v);\n",
                        "  return builder.build({{\"y\", v[y]}});\n"});
  EXPECT_EQ(program.find("part_4"), std::string::npos);
}

// Tests that names and labels of the graph only become string literals in the program, never code.
TEST(Code, HoldsHostileNamesAsTexts) {
  test::Fixture fixture;
  const std::string evil = "</script>'\"\\\n\r\u2028\u202E`${x}*/";
  const Operand x = fixture.builder.input(evil, {DataType::float32, {2}});
  const Graph graph = fixture.builder.build({{"__proto__", fixture.builder.relu(x, {.label = evil})}});
  const std::string script = programOf(graph, Language::javaScript), python = programOf(graph, Language::python);
  expectLines(script, {R"(label: '\u{3c}/script>\'"\\\u{a}\u{d}\u{2028}\u{202e}`${x}*/'})", "build({['__proto__']: "});
  EXPECT_EQ(script.find('<'), std::string::npos) << script;
  expectLines(python, {R"(label="</script>'\"\\\U0000000a\U0000000d\U00002028\U0000202e`${x}*/")"});
  expectLines(programOf(graph, Language::cpp), {R"(.label = "</script>'\"\\\012\015\342\200\250\342\200\256`${x}*/")"});
}

// Tests that Python reads the program as UTF-8: it would interpret "coding: NAME" in a comment in the first two lines as the
// encoding of the file.
TEST(Code, OfPythonIsUtf8WhateverTheGraphIsCalled) {
  for (const char* name : {"coding: latin-1", "encoding=utf-16"}) {
    const std::string text =
        formatText("webnn_graph \"{}\" v2 {{ inputs {{ x: f32[1]; }} nodes {{ y = relu(x); }} outputs {{ y; }} }}", name);
    const std::string program = programOf(test::buildText(text), Language::python);
    EXPECT_TRUE(program.starts_with(formatText("# coding: utf-8 -- The graph \"{}\"", name))) << program;
  }
  EXPECT_TRUE(programOf(test::buildText(kNet), Language::python).starts_with("# The graph \"net\""));
}

TEST(Code, RefusesNamesThatAreNotUtf8) {
  test::Fixture fixture;
  const Graph graph = fixture.builder.build({{"\xFF", fixture.builder.relu(fixture.input({2}))}});
  for (const Language language : {Language::javaScript, Language::python, Language::cpp})
    test::expectTypeError({"\\xFF", "UTF-8"}, [&] { programOf(graph, language); });
}

TEST(Code, ReplacesBothFilesOrNone) {
  const test::TemporaryFolder folder;
  const Graph graph = test::buildText(kNet);
  formats::saveProgram(definitionOf(graph), Language::python, folder / "net.py");
  EXPECT_TRUE(std::filesystem::exists(folder / "net.safetensors"));
  test::expectTypeError({"would both be"},
                        [&] { formats::saveProgram(definitionOf(graph), Language::python, folder / "net.safetensors"); });
}

TEST(Code, NamesVariablesAfterOperandsButNeverLikeKeywordsOrMacros) {
  formats::Identifiers identifiers;
  const std::vector<std::pair<std::string, std::string>> names{{"/conv1/Conv_output_0", "conv1_Conv_output_0"},
                                                               {"conv1.Conv.output.0", "conv1_Conv_output_0_2"},
                                                               {"", "relu"},
                                                               {"数", "relu_2"},
                                                               {"class", "class_2"},
                                                               {"lambda", "lambda_2"},
                                                               {"await", "await_2"},
                                                               {"builder", "builder_2"},
                                                               {"EOF", "EOF_"},
                                                               {"X", "X"},
                                                               {"7up", "n7up"},
                                                               {"__init__", "init"},
                                                               {std::string(100, 'a'), std::string(60, 'a')}};
  for (const auto& [wanted, expected] : names) EXPECT_EQ(identifiers.add(wanted, "relu"), expected);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
