// Tests that readers allocate memory in proportion to the size of the file, and check the budget of the call often enough.
#include "formats/document/budget.h"

#include "base/files/file.h"
#include "formats/document/document.h"
#include "formats/document/weights.h"
#include "support/files.h"
#include "support/looks.h"
#include "support/support.h"

namespace webnn::formats {
namespace WEBNN_TEST_FILE {

std::string repeated(std::string_view item, std::size_t count, std::string_view separator = "") {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text.append(i > 0 ? separator : "").append(item);
  return text;
}

std::string textWith(const std::string& nodes, const std::string& consts = "") {
  return "webnn_graph \"g\" v2 { inputs { x: f32[4]; } consts {" + consts + "} nodes {" + nodes + "} outputs { y; } }";
}

void expectTooMuch(const std::string& text) {
  test::expectError(ErrorKind::dataError, {"bytes of memory, too much for its size"}, [&] { readDocument(text); });
}

TEST(ReadBudget, BoundsText) {
  expectTooMuch(textWith(repeated("y=a();", 200'000)));
  expectTooMuch(textWith("y = reshape(x, newShape=[" + repeated("[]", 1'300'000, ",") + "]);"));
  expectTooMuch(textWith("y = concat(" + repeated("x", 600'000, ",") + ");"));
  expectTooMuch("webnn_graph \"g\" v2 { outputs {" + repeated("y", 350'000, ",") + "; } }");
}

TEST(ReadBudget, BoundsJson) {
  const std::string head = R"({"format":"webnn-graph-json","version":2,"inputs":{},"outputs":{},"nodes":)";
  expectTooMuch(head + "[" + repeated("{}", 1'500'000, ",") + "]}");
  expectTooMuch(head + "[" + repeated(R"({"id":"a","op":"b","inputs":[]})", 150'000, ",") + "]}");
  expectTooMuch(
      R"({"operands":[{"kind":"input","name":"x","descriptor":{"data_type":"float32","shape":[]}}],"output_operands":[)" +
      repeated("0", 350'000, ",") + "]}");
}

TEST(ReadBudget, LeavesLongListsOfBytesAlone) {
  const std::string bytes = repeated("255", 3'000'000, ",");
  const auto bytesIn = [](const std::string& text) {
    return std::get<ExternalBytes>(readDocument(text).constants.at(0).source).bytes.size();
  };
  EXPECT_EQ(
      bytesIn(R"({"format":"webnn-graph-json","version":2,"inputs":{},"nodes":[],"outputs":{},"consts":{"w":{"dataType":"uint8",
      "shape":[3000000],"init":{"kind":"inlineBytes","bytes":[)" +
              bytes + "]}}}}"),
      3'000'000u);
  EXPECT_EQ(bytesIn(textWith("", "w: u8[3000000] @bytes([" + bytes + "]);")), 3'000'000u);
}

TEST(ReadBudget, BoundsHeadersOfWeights) {
  std::string header = "{";
  for (int i = 0; i < 500'000; ++i) header += "\"" + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
  header.back() = '}';
  const ExternalBytes file = test::bytesOf(test::raw<std::uint64_t>({header.size()}) + header);
  test::expectError(ErrorKind::dataError, {"too much for its size"}, [&] { readSafetensors(file); });
}

TEST(ReadBudget, BoundsFilledConstantsAndOperations) {
  Context context = test::makeContext();
  const auto build = [&](const std::string& text) { buildGraph(context, readDocument(text), nullptr, {}); };
  test::expectError(ErrorKind::dataError, {"filled with a scalar", "33554432"},
                    [&] { build(textWith("y = add(x, x);", "a: f32[4194304] @scalar(1); b: f32[4194305] @scalar(1);")); });
  std::string chain = "a0 = relu(x);";
  for (int i = 1; i < 75'000; ++i) chain += "a" + std::to_string(i) + "=relu(a" + std::to_string(i - 1) + ");";
  test::expectError(ErrorKind::notSupportedError, {"operations, too many for the size of its file"},
                    [&] { build(textWith(chain)); });
  const std::string split = R"({"id":"p","op":"split","inputs":["x"],"options":{"splits":8192},"outputs":[]})";
  test::expectError(ErrorKind::notSupportedError, {"operands, too many for the size of its file"}, [&] {
    build(
        R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"uint8","shape":[8192]}},"outputs":{},"nodes":[)" +
        repeated(split, 40, ",") + "]}");
  });
}

TEST(ReadBudget, BoundsOutputs) {
  std::string outputs;
  for (int i = 0; i < 220'000; ++i) outputs += "y" + std::to_string(i) + "=x,";
  outputs.back() = ';';
  test::expectError(ErrorKind::dataError, {"too much for its size"}, [&] {
    readDocument("webnn_graph \"g\" v2 { inputs { x: f32[4]; } nodes { } outputs { " + outputs + " } }");
  });
}

TEST(ReadBudget, ErrorsStayShort) {
  Context context = test::makeContext();
  std::string inputs;
  for (int i = 0; i < 5'000; ++i) inputs += "i" + std::to_string(i) + ": f32[dyn(\"d" + std::to_string(i) + "\", 4)];";
  try {
    buildGraph(context, readDocument("webnn_graph \"g\" v2 { inputs {" + inputs + "} }"), nullptr, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_LT(std::string_view(error.what()).size(), 1000u);
    EXPECT_NE(std::string_view(error.what()).find("and 4990 more"), std::string_view::npos) << error.what();
  }
}

// A single constant, name or comment may be as long as the file.
TEST(ReadBudget, LooksAtTheBudgetInsideOfLongItems) {
  constexpr std::size_t kBytes = 1 << 20, kBetween = 1 << 17;
  const auto expectLooks = [&](const std::string& name, const std::string& text) {
    test::expectLooks(name, kBytes, kBetween, [&](const Budget&) { readDocument(text); });
  };
  const std::string graphInfo =
      R"({"operands":[{"kind":"constant","name":"w","descriptor":{"data_type":"uint8","shape":[786432]}}],
      "constant_operand_ids_to_handles":{"0":{"data":")" +
      std::string(kBytes, 'A') + R"("}}})";
  expectLooks("base64", graphInfo);
  const std::string list = repeated("7", kBytes, ",");
  expectLooks("bytes of JSON", R"({"format":"webnn-graph-json","version":2,"inputs":{},"nodes":[],"outputs":{},"consts":{"w":
      {"dataType":"uint8","shape":[1048576],"init":{"kind":"inlineBytes","bytes":[)" +
                                   list + "]}}}}");
  expectLooks("bytes of text", textWith("", "w: u8[1048576] @bytes([" + list + "]);"));
  expectLooks("a comment", "#" + std::string(kBytes, ' ') + "\n" + textWith("y=relu(x);"));
  expectLooks("blanks", std::string(kBytes, ' ') + textWith("y=relu(x);"));
  expectLooks("a name", textWith("y=relu(" + std::string(kBytes, 'x') + ");"));
  expectLooks("a quoted name", textWith("y=relu(\"" + std::string(kBytes, 'x') + "\");"));
}

TEST(ReadBudget, LooksAtTheBudgetWhileWeightsAreWidened) {
  constexpr std::size_t kCount = 1 << 20;
  const std::string header = formatText(R"({{"w":{{"dtype":"BF16","shape":[{}],"data_offsets":[0,{}]}}}})", kCount, 2 * kCount);
  const auto weights =
      readSafetensors(test::bytesOf(test::raw<std::uint64_t>({header.size()}) + header + std::string(2 * kCount, '\1')));
  const OperandDescriptor floats{DataType::float32, {kCount}};
  test::expectLooks("bfloat16", kCount, 1 << 17, [&](const Budget&) { weights->find("w", floats); });
}

TEST(ReadBudget, LooksAtTheBudgetWhileAFileIsRead) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "large";
  test::writeText(path, std::string(std::size_t{1} << 24, ' '));
  test::expectLooks("a file", 4, 1, [&](const Budget&) { mapFile(path, FileAccess::read); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats
