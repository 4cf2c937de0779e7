// Tests malformed, wrong and hostile JSON.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include "rustnn_bridge/bridge_support.h"

namespace bridge {
namespace {

// Returns the message of a build that fails with `expected`.
std::string errorOf(const Context& context, std::string_view json, RustnnStatus expected = RustnnStatus_InvalidArgument) {
  RustnnGraph* graph = reinterpret_cast<RustnnGraph*>(1);
  const RustnnStatus status = rustnn_graph_build(context.get(), json.data(), json.size(), &graph);
  EXPECT_EQ(status, expected) << json << "\n" << rustnn_last_error_message();
  EXPECT_EQ(graph, nullptr);
  return status == RustnnStatus_Success ? "" : rustnn_last_error_message();
}

void expectMessage(const Context& context, std::string_view json, const std::string& text) {
  const std::string message = errorOf(context, json);
  EXPECT_NE(message.find(text), std::string::npos) << message << " does not contain " << text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// A graph with most kinds of fields, in GraphInfo.
std::string graphInfo() {
  GraphInfo info;
  const auto x = info.input("x", "float32", {1, 1, 4, 4});
  const auto w = info.constant("float32", {2, 1, 3, 3}, bytesOf(std::vector<float>(18, 0.5f)));
  const auto conv = info.result("", "float32", {1, 2, 4, 4}), a = info.result("a", "float32", {1, 1, 4, 4});
  const auto b = info.result("b", "float32", {1, 1, 4, 4});
  info.operation("conv2d", {x, w}, {conv}, R"({"padding": [1, 1, 1, 1], "label": "first", "inputLayout": "nchw"})");
  info.operation("split", {conv}, {a, b}, R"({"splits": 2, "axis": 1})");
  info.output(a);
  info.output(b);
  return info.json();
}

// A graph with similar kinds of fields, in the format webnn-graph-json.
const std::string kGraphJson = R"({"format": "webnn-graph-json", "version": 2, "name": "g",
 "inputs": {"x": {"dataType": "float32", "shape": [2, 2]}},
 "consts": {"c": {"dataType": "int8", "shape": [2], "init": {"kind": "inlineBytes", "bytes": [1, 255]}},
            "s": {"dataType": "float32", "shape": [], "init": {"kind": "scalar", "value": 1.5}}},
 "nodes": [{"id": "d", "op": "cast", "inputs": ["c"], "options": {"to": "float32"}},
           {"id": "m", "op": "gemm", "inputs": ["x", "x"], "options": {"c": "d", "alpha": 0.5, "label": "gemm"}},
           {"id": "y", "op": "add", "inputs": ["m", "s"]}],
 "outputs": {"y": "y"}})";

TEST(Json, TextThatIsNoGraph) {
  const Context context = makeContext();
  for (const std::string_view text : {"", " \n", "[]", "null", "7", "\"{}\"", "webnn_graph \"g\" v2 {}", "\xEF\xBB\xBF{}"})
    expectMessage(context, text, "DataError: rustnn_graph_build: the graph is not JSON");
  for (const std::string_view text : {"{}", "{", "{}}", "{\"operands\": 3}", "{\"operands\": []}", "{\"format\": \"other\"}"})
    EXPECT_FALSE(errorOf(context, text).empty());
  EXPECT_EQ(errorOf(context, "{\"operands\": [\xFF]}").substr(0, 9), "DataError");
  const std::string graph = graphInfo();
  EXPECT_FALSE(errorOf(context, graph + std::string(1, '\0')).empty());  // the length counts, not the null
  std::string deep = "{\"operands\": ";
  deep.append(100000, '[');
  expectMessage(context, deep, "nested deeper");
}

TEST(Json, ErrorsNameTheirPlace) {
  const Context context = makeContext();
  const std::string graph = graphInfo();
  EXPECT_NE(build(context, graph), nullptr);
  expectMessage(context, replaced(graph, "\"conv2d\"", "\"convolve\""), "convolve");
  expectMessage(context, replaced(graph, "\"input_operands\": [0, 1]", "\"input_operands\": [0, 9]"), "there is no operand 9");
  expectMessage(context, replaced(graph, "\"input_operands\": [0, 1]", "\"input_operands\": [0, -1]"), "-1");
  expectMessage(context, replaced(graph, "\"input_operands\": [0, 1]", "\"input_operands\": [0]"), "filter");
  expectMessage(context, replaced(graph, "\"output_operand\": 2", "\"output_operand\": 0"), "x");
  expectMessage(context, replaced(graph, "[1, 1, 1, 1]", "[1, 1, 1]"), "padding");
  expectMessage(context, replaced(graph, "[1, 1, 1, 1]", "\"one\""), "padding");
  expectMessage(context, replaced(graph, "\"inputLayout\"", "\"inputLayuot\""), "inputLayuot");
  expectMessage(context, replaced(graph, "\"float32\"", "\"float31\""), "float31");
  expectMessage(context, replaced(graph, "[2, 1, 3, 3]", "[2, 1, 3, 4]"), "96");  // 72 bytes were given
  expectMessage(context, replaced(graph, "[2, 1, 3, 3]", "[2, 2, 3, 3]"), "144");
  expectMessage(context, replaced(graph, "\"data\": \"", "\"data\": \"*"), "base64");
  expectMessage(context, replaced(graph, "\"1\": {\"data\"", "\"3\": {\"data\""), "the constant has no data");
  expectMessage(context, replaced(kGraphJson, "[1, 255]", "[1, 256]"), "256");
  expectMessage(context, replaced(kGraphJson, "[1, 255]", "[1]"), "1");
  expectMessage(context, replaced(kGraphJson, "\"c\": \"d\"", "\"c\": \"nowhere\""), "nowhere");
}

// Returns the first block of JSON on the page docs/guides/firefox.md.
std::string exampleOfThePage() {
  std::ifstream file(WEBNN_SOURCE_DIR "/docs/guides/firefox.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = page.find("```json\n"), end = page.find("```\n", begin + 1);
  EXPECT_TRUE(begin < end && end != page.npos);
  return begin < end && end != page.npos ? page.substr(begin + 8, end - begin - 8) : "";
}

TEST(Json, TheExampleOfThePageAddsOne) {
  const Context context = makeContext();
  const Graph graph = build(context, exampleOfThePage());
  const Tensor x = makeTensor(context, RustnnDataType_Float32, {2}), y = makeTensor(context, RustnnDataType_Float32, {2});
  write(context, x, bytesOf<float>({2.5f, -7}));
  const RustnnNamedTensor inputs[] = {{"x", x.get()}}, outputs[] = {{"y", y.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
  EXPECT_EQ(valuesOf<float>(read(context, y, 8)), (std::vector<float>{3.5f, -6}));
}

TEST(Json, OptionsMayBeInSnakeCase) {
  const Context context = makeContext();
  const std::string graph = replaced(graphInfo(), "\"inputLayout\": \"nchw\"", "\"input_layout\": \"nhwc\"");
  expectMessage(context, graph, "input");  // the option arrived: [1, 1, 4, 4] has four channels in this layout
  EXPECT_NE(build(context, replaced(graph, "nhwc", "nchw")), nullptr);
}

// A page must not make the browser open files.
TEST(Json, WeightsInFilesAreRefused) {
  const Context context = makeContext();
  const std::string json =
      replaced(kGraphJson, R"({"kind": "inlineBytes", "bytes": [1, 255]})", R"({"kind": "weights", "ref": "c"})");
  EXPECT_EQ(errorOf(context, json, RustnnStatus_Error).substr(0, 15), "NotFoundError: ");
}

class Hostile : public testing::TestWithParam<int> {
 protected:
  const std::string json_ = GetParam() == 0 ? graphInfo() : kGraphJson;
  const Context context_ = makeContext();
};

TEST_P(Hostile, TextThatEndsAtEachByte) {
  EXPECT_NE(build(context_, json_), nullptr);
  for (std::size_t size = 0; size < json_.size(); ++size) {
    const std::unique_ptr<char[]> exact(new char[size]);  // a sanitizer sees reads behind the end
    std::copy_n(json_.data(), size, exact.get());
    EXPECT_FALSE(errorOf(context_, {exact.get(), size}).empty()) << size;
  }
}

// Replaces, removes, repeats or inserts up to three parts of the text.
std::string mutated(std::string text, std::mt19937& random) {
  static const std::string kPieces[] = {"{", "}",  "[",     "]",          "\"",   ",",    ":",
                                        "0", "-1", "1e999", "4294967296", "null", "true", "\\u0000"};
  const std::size_t changes = 1 + random() % 3;
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = random() % text.size(), length = std::min<std::size_t>(1 + random() % 8, text.size() - at);
    switch (random() % 5) {
      case 0: text[at] = static_cast<char>(random()); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(random() % text.size(), length)); break;
      case 3: text.insert(at, kPieces[random() % std::size(kPieces)]); break;
      default: text.replace(at, 1, std::to_string(random() % 10)); break;
    }
  }
  return text;
}

TEST_P(Hostile, MutatedText) {
  std::mt19937 random(1);
  int built = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = mutated(json_, random);
    RustnnGraph* made = nullptr;
    const RustnnStatus status = rustnn_graph_build(context_.get(), text.data(), text.size(), &made);
    const Graph graph(made);
    EXPECT_EQ(graph != nullptr, status == RustnnStatus_Success) << text;
    if (status == RustnnStatus_Success) {
      ++built;
    } else {
      EXPECT_STRNE(rustnn_last_error_message(), "") << text;
      EXPECT_NE(status, RustnnStatus_Panic) << text;
    }
  }
  EXPECT_GT(built, 0);  // some changes only make another valid graph
  EXPECT_LT(built, 2000);
  EXPECT_NE(build(context_, json_), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Formats, Hostile, testing::Values(0, 1), [](const testing::TestParamInfo<int>& test) {
  return std::string(test.param == 0 ? "GraphInfo" : "WebnnGraphJson");
});

}  // namespace
}  // namespace bridge
