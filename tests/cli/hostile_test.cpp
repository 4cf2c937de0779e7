// Tests how the tool prints names and errors of hostile files, how it converts a file to standard output, and that --no-mmap
// reads files instead of mapping them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/tool.h"
#include "support/files.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

class Hostile : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    writeText(folder_ / name, text);
    return path(name);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Expects no characters that control a terminal or deceive a reader: escape, bell, CSI, bidirectional controls, invisible tags.
  static void expectHarmless(const std::string& text) {
    for (const char* harm : {"\x1b", "\xc2\x9b", "\u202e", "\u2066", "\x07", "\U000E0041"})
      EXPECT_EQ(text.find(harm), std::string::npos) << text;
  }

  TemporaryFolder folder_;
};

const std::string kEvil = "\x1b[31m\u202e\xc2\x9b\x07\U000E0041";

TEST_F(Hostile, NamesAreEscapedInAllThatIsPrinted) {
  const std::string graph =
      write("g.webnn", "webnn_graph \"" + kEvil + "\" v2 { inputs { \"" + kEvil + "x\": f32[2]; } consts { \"" + kEvil +
                           "c\": f32[2] @bytes([0,0,0,0,0,0,0,0]); } nodes { \"" + kEvil + "a\" = add(\"" + kEvil + "x\", \"" +
                           kEvil + "c\", label=\"" + kEvil + "\"); } outputs { \"" + kEvil + "y\" = \"" + kEvil + "a\"; } }");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"inspect", graph},
                                             {"inspect", graph, "--format=json"},
                                             {"inspect", graph, "--format=dot"},
                                             {"inspect", graph, "--format=svg"},
                                             {"inspect", graph, "--dump-passes"},
                                             {"check", graph},
                                             {"check", graph, "--json"},
                                             {"run", graph, "--input", "zeros"},
                                             {"run", graph, "--input", "zeros", "--json"},
                                             {"diff", graph, "--backends", "cpu,reference"}}) {
    SCOPED_TRACE(arguments[0] + " " + arguments.back());
    const ToolResult result = runTool(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out, "");
    expectHarmless(result.out);
  }
  // JSON escapes the values; when it is parsed, they equal the originals.
  const auto json = nlohmann::json::parse(runTool({"inspect", graph, "--format=json"}).out);
  EXPECT_EQ(json["inputs"].begin().key(), kEvil + "x");
}

TEST_F(Hostile, FileNamesAreEscapedInMessages) {
  const std::string graph =
      write("g.webnn", "webnn_graph \"g\" v2 { inputs { x: f32[1, 3, 2, 2]; } nodes { y = relu(x); } outputs { y; } }");
  const std::string file = write(kEvil + ".png", "no picture");
  for (const ToolResult& result :
       {runTool({"run", graph, "--image", "x=" + file}), runTool({"run", graph, "--input", "x=" + file}),
        runTool({"run", graph, "--input", "zeros", "--output", kEvil + "=" + file}), runTool({"check", path(kEvil)}),
        runTool({kEvil}), runTool({"check", graph, "--" + kEvil})}) {
    EXPECT_NE(result.status, 0);
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    expectHarmless(result.err);
  }
}

TEST_F(Hostile, MessagesAreShortWhateverTheFileHolds) {
  std::string inputs;
  for (int i = 0; i < 5000; ++i) inputs += "a_long_name_of_an_input_" + std::to_string(i) + ": f32[2]; ";
  const std::string graph = write("g.webnn", "webnn_graph \"g\" v2 { inputs { " + inputs +
                                                 "} nodes { y = relu(a_long_name_of_an_input_0); } outputs { y; } }");
  std::string sum = "webnn_graph \"g\" v2 { inputs { " + inputs + "} nodes { s0 = relu(a_long_name_of_an_input_0); ";
  for (int i = 1; i < 5000; ++i)
    sum +=
        "s" + std::to_string(i) + " = add(s" + std::to_string(i - 1) + ", a_long_name_of_an_input_" + std::to_string(i) + "); ";
  const std::string all = write("all.webnn", sum + "} outputs { s4999; } }");
  for (const ToolResult& result : {runTool({"run", all}), runTool({"run", all, "--input", "nonsense=zeros"}),
                                   runTool({"check", graph, "--dim", std::string(100'000, 'd') + "=1"})}) {
    EXPECT_NE(result.status, 0);
    EXPECT_LT(result.err.size(), 3000u);
  }
  EXPECT_NE(runTool({"run", all}).err.find("and 4990 more"), std::string::npos);
}

TEST_F(Hostile, ErrorsOfFoldersAreOurs) {
  const std::string graph =
      write("g.webnn", "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } }");
  write("file", "");
  expectMessage(runTool({"run", graph, "--input", "zeros", "--quiet", "--output-dir", path("file/folder")}), 1,
                {"file/folder\" cannot be created (Not a directory)"});
  const ToolResult result = runTool({"run", graph, "--input", std::string(10'000, 'x')});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("cannot be opened (File name too long)"), std::string::npos) << result.err;
}

TEST_F(Hostile, ConvertWritesToStandardOutputWhereOneFileIsEnough) {
  const std::string graph = write(
      "g.webnn",
      "webnn_graph \"g\" v2 { inputs { x: f32[2]; } consts { c: f32[] @scalar(2); } nodes { y = mul(x, c); } outputs { y; } }");
  for (const char* format : {"text", "json", "dot"}) {
    const ToolResult result = runTool({"convert", graph, "-", "--to", format, "--weights-format", "inline"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("mul"), std::string::npos);
    EXPECT_EQ(result.out.find("wrote"), std::string::npos);
  }
  const std::string text = runTool({"convert", graph, "-", "--to", "text", "--weights-format", "inline"}).out;
  EXPECT_EQ(runTool({"check", write("again.webnn", text), "--quiet"}).out, "OK\n");
  EXPECT_EQ(runTool({"convert", graph, "-", "--to", "text"}).out, text);
  expectMessage(runTool({"convert", graph, "-", "--to", "text", "--weights-format", "safetensors"}), 2,
                {"standard output holds one file"});
  expectMessage(runTool({"convert", graph, "-"}), 2, {"--to"});
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(Hostile, FilesAreReadInsteadOfMappedIfAsked) {
  const std::string header = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  write("g.safetensors", raw<std::uint64_t>({header.size()}) + header + raw<float>({3, 4}));
  const std::string graph = write("g.webnn",
                                  "webnn_graph \"g\" v2 { inputs { x: f32[2]; } consts { w: f32[2] @weights(\"w\"); } nodes { y "
                                  "= add(x, w); } outputs { y; } }");
  const ToolResult result = runTool({"run", graph, "--no-mmap", "--input", "zeros", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["outputs"]["y"]["values"], nlohmann::json({3.0, 4.0}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
