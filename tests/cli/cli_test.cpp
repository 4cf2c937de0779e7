// Tests the command line tool, with the digits example and with small files.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/tool.h"
#include "support/files.h"
#include "support/onnxruntime.h"
#include "support/openvino.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Json = nlohmann::json;

const std::string kDigits = repositoryFile("examples/digits/digits.webnn");

std::string sample(int digit) { return repositoryFile("examples/digits/samples/" + std::to_string(digit) + ".png"); }

// Makes a directory with a model z = x + y (float32[2]) and other small models.
class SmallModels : public ::testing::Test {
 protected:
  void SetUp() override {
    write("add.webnn",
          "webnn_graph \"adding\" v2 {\n inputs { x: f32[2]; y: f32[2]; }\n nodes { z = add(x, y); }\n outputs { z; }\n}\n");
    write("negate.webnn", "webnn_graph \"n\" v2 {\n inputs { x: i32[2, 3]; }\n nodes { y = neg(x); }\n outputs { y; }\n}\n");
    write("dynamic.webnn",
          "webnn_graph \"d\" v2 {\n inputs { x: f32[dyn(\"batch\", 8), 2]; }\n nodes { y = relu(x); }\n outputs { y; }\n}\n");
    write("broken.webnn", "webnn_graph \"b\" v2 {\n inputs { x: f32[2]; }\n nodes { y = conv2d(x, x); }\n outputs { y; }\n}\n");
  }
  void write(const std::string& name, const std::string& text) { writeText(folder_ / name, text); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string text(const std::string& name) const { return readText(folder_ / name); }

 private:
  TemporaryFolder folder_;
};

Json runJson(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const ToolResult result = runTool(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.status == 0 ? Json::parse(result.out) : Json();
}

TEST(Digits, EverySampleIsRecognisedWithTheExpectedProbabilities) {
  const Json expected = Json::parse(readText(repositoryFile("examples/digits/expected.json")));
  for (int digit = 0; digit < 10; ++digit) {
    const Json result = runJson(
        {"run", kDigits, "--image", sample(digit), "--top", "1", "--labels", repositoryFile("examples/digits/labels.txt")});
    const Json& output = result["outputs"]["probabilities"];
    EXPECT_EQ(output["top"][0][0]["label"], std::to_string(digit));
    const Json& probabilities = expected["samples/" + std::to_string(digit) + ".png"];
    ASSERT_EQ(output["values"].size(), 10u);
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_NEAR(output["values"][i].get<double>(), probabilities[i].get<double>(), 1e-5) << digit << ", " << i;
  }
}

TEST(Digits, TheReadmesCommandPrintsTheThreeBestClasses) {
  const ToolResult result = runTool({"run", kDigits, "--image", "image=" + sample(3), "--top", "3", "--labels",
                                     repositoryFile("examples/digits/labels.txt"), "--quiet"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("probabilities: float32[1, 10]\n   1. 0.99993")) << result.out;
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 4) << result.out;
}

TEST(Digits, ShowDrawsThePictureInAtMost80Columns) {
  const ToolResult ascii = runTool({"run", kDigits, "--image", sample(1), "--show", "--quiet"});
  EXPECT_EQ(ascii.status, 0) << ascii.err;
  std::istringstream lines(ascii.out);
  std::string line;
  std::size_t drawn = 0;
  while (std::getline(lines, line) && line.find("probabilities") == std::string::npos) {
    ++drawn;
    EXPECT_LE(line.size(), 80u);
    EXPECT_EQ(line.find_first_not_of(" .:-=+*#%@"), std::string::npos) << line;
  }
  EXPECT_EQ(drawn, 28u);
  EXPECT_NE(ascii.out.find('@'), std::string::npos);
  const ToolResult blocks = runTool({"run", kDigits, "--image", sample(1), "--show"}, {"LC_ALL=C.UTF-8"});
  EXPECT_NE(blocks.out.find("\u2588"), std::string::npos);
}

TEST(Digits, CheckCountsParametersBytesAndOperations) {
  const Json report = runJson({"check", kDigits});
  EXPECT_EQ(report["parameters"], 20490);
  EXPECT_EQ(report["parameterBytes"], 4 * 20490);
  EXPECT_EQ(report["inputBytes"], 4 * 28 * 28);
  EXPECT_EQ(report["operations"]["conv2d"], 2);
  EXPECT_EQ(report["operations"]["relu"], 2);
  // At the peak, two values of shape [1, 16, 28, 28] are alive: the results of the first convolution and of its relu.
  EXPECT_EQ(report["peakBytes"], 2 * 4 * 16 * 28 * 28);
  const ToolResult text = runTool({"check", kDigits});
  EXPECT_TRUE(text.out.ends_with("OK\n")) << text.out;
  EXPECT_NE(text.out.find("image: float32[1, 1, 28, 28]"), std::string::npos) << text.out;
}

TEST(Digits, ConvertsToEveryFormatWithEqualResults) {
  const TemporaryFolder folder;
  const Json expected = runJson({"run", kDigits, "--input", "random:7"})["outputs"];
  const std::vector<std::vector<std::string>> ways{{"a.json"},
                                                   {"b.json", "--weights-format", "manifest"},
                                                   {"c.json", "--weights-format", "inline"},
                                                   {"d.webnn"},
#ifdef WEBNN_SERVICE
                                                   {"f.webnnb"},
                                                   {"g.webnnb", "--weights-format", "safetensors"},
#endif
                                                   {"e.model", "--to", "text", "--weights-format", "inline"}};
  for (const std::vector<std::string>& way : ways) {
    const std::string file = (folder / way[0]).string();
    std::vector<std::string> arguments{"convert", kDigits, file};
    arguments.insert(arguments.end(), way.begin() + 1, way.end());
    const ToolResult converted = runTool(arguments);
    ASSERT_EQ(converted.status, 0) << way[0] << ": " << converted.err;
    EXPECT_EQ(runJson({"run", file, "--input", "random:7"})["outputs"], expected) << way[0];
  }
}

TEST(Digits, ConvertsToGraphviz) {
  const TemporaryFolder folder;
  EXPECT_EQ(runTool({"convert", kDigits, (folder / "digits.dot").string(), "--quiet"}).status, 0);
  EXPECT_EQ(readText(folder / "digits.dot"), runTool({"inspect", kDigits, "--format=dot"}).out);
  EXPECT_NE(readText(folder / "digits.dot").find("digraph"), std::string::npos);
}

TEST(Digits, ConvertsToProgramsWithTheirWeightsBeside) {
  const TemporaryFolder folder;
  for (const char* name : {"digits.js", "digits.py", "digits.cpp"}) {
    EXPECT_EQ(runTool({"convert", kDigits, (folder / name).string()}).out, "wrote " + (folder / name).string() + "\n");
    EXPECT_NE(readText(folder / name).find("softmax(scores, 1)"), std::string::npos) << name;
    EXPECT_TRUE(std::filesystem::remove(folder / "digits.safetensors")) << name;
  }
  expectMessage(runTool({"convert", kDigits, "-", "--to", "js"}), 2, {"standard output holds one file"});
  expectMessage(runTool({"convert", kDigits, (folder / "a.py").string(), "--weights-format", "inline"}), 2, {"--weights-format"});
}

TEST(Digits, AreDrawnWithoutGraphviz) {
  const TemporaryFolder folder;
  EXPECT_EQ(runTool({"inspect", kDigits, "-o", (folder / "digits.svg").string()}).status, 0);
  EXPECT_EQ(readText(folder / "digits.svg"), runTool({"inspect", kDigits, "--format=svg"}).out);
  EXPECT_TRUE(readText(folder / "digits.svg").starts_with("<svg "));
}

TEST(Digits, KeepTheirResultsWithWeightsOfFloat16) {
  const TemporaryFolder folder;
  const std::string half = (folder / "half.webnn").string();
  const ToolResult converted = runTool({"convert", kDigits, half, "--weights-type", "float16"});
  EXPECT_TRUE(converted.out.starts_with("float16: 3 constants, ")) << converted.out << converted.err;
  const auto valuesOf = [](const std::string& file) {
    return runJson({"run", file, "--input", "random:7"})["outputs"]["probabilities"]["values"].get<std::vector<double>>();
  };
  const std::vector<double> expected = valuesOf(kDigits), actual = valuesOf(half);
  ASSERT_EQ(actual.size(), 10u);
  EXPECT_NE(actual, expected);
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 0.01);
}

TEST_F(SmallModels, RunTakesNpyRawAndGeneratedInputsAndWritesOutputs) {
  const float values[2] = {1.5f, -2};
  write("x.raw", std::string(reinterpret_cast<const char*>(values), sizeof values));
  ASSERT_EQ(runTool({"run", path("add.webnn"), "--input", "x=" + path("x.raw"), "--input", "y=ones", "--output",
                     "z=" + path("z.npy"), "--output", "z=" + path("z.raw"), "--output-dir", path("all")})
                .status,
            0);
  float sum[2];
  ASSERT_EQ(text("z.raw").size(), sizeof sum);
  std::memcpy(sum, text("z.raw").data(), sizeof sum);
  EXPECT_EQ(sum[0], 2.5f);
  EXPECT_EQ(sum[1], -1.0f);
  EXPECT_EQ(text("z.npy"), readText(path("all") + "/z.npy"));
  const Json again = runJson({"run", path("add.webnn"), "--input", "x=" + path("z.npy"), "--input", "y=zeros"});
  EXPECT_EQ(again["outputs"]["z"]["values"], Json({2.5, -1.0}));
  EXPECT_EQ(again["outputs"]["z"]["min"], -1.0);
  EXPECT_EQ(again["outputs"]["z"]["max"], 2.5);
  EXPECT_EQ(again["outputs"]["z"]["mean"], 0.75);
}

TEST_F(SmallModels, RandomInputsAreTheSameForTheSameSeed) {
  const auto values = [&](const std::string& source) {
    return runJson({"run", path("add.webnn"), "--input", "x=" + source, "--input", "y=zeros"})["outputs"]["z"]["values"];
  };
  // This is the first number of the 64-bit Mersenne Twister with its default seed, 5489, cut to 24 bits. The documentation of
  // the standard library and the page of the generator's authors list 14514284786278117030 as the first number.
  const double first = std::floor(14514284786278117030.0 / 0x1p40) * 0x1p-24;
  EXPECT_EQ(values("random:5489")[0].get<double>(), first);
  EXPECT_EQ(values("random:1"), values("random:1"));
  EXPECT_NE(values("random:1"), values("random:2"));
  const Json integers = runJson({"run", path("negate.webnn"), "--input", "random:3"})["outputs"]["y"];
  EXPECT_GE(integers["min"].get<double>(), -7);
  EXPECT_LE(integers["max"].get<double>(), 0);
}

TEST_F(SmallModels, RunSummarisesOutputs) {
  const ToolResult result = runTool({"run", path("add.webnn"), "--input", "x=ones", "--input", "y=ones", "--quiet"});
  EXPECT_EQ(result.out, "z: float32[2]\n  min 2  max 2  mean 2\n  2, 2\n");
  const ToolResult repeated = runTool({"run", path("add.webnn"), "--input", "x=ones", "--input", "y=ones", "--repeat", "3"});
  EXPECT_NE(repeated.out.find("3 runs on backend "), std::string::npos) << repeated.out;
}

TEST_F(SmallModels, RunRefusesWrongInputs) {
  const std::string add = path("add.webnn");
  expectMessage(runTool({"run", add}), 2, {"\"x\" (float32[2])", "\"y\" (float32[2])"});
  expectMessage(runTool({"run", add, "--input", "x=ones"}), 2, {"\"y\" (float32[2])"});
  expectMessage(runTool({"run", add, "--input", "w=ones"}), 2, {"no input \"w\"", "\"x\" (float32[2])"});
  expectMessage(runTool({"run", add, "--input", "ones"}), 2, {"\"ones\" is not NAME=VALUE"});
  expectMessage(runTool({"run", add, "--input", "x=ones", "--input", "x=zeros"}), 2, {"\"x\" is given twice"});
  expectMessage(runTool({"run", add, "--input", "x=ones", "--input", "y=random:a"}), 2, {"\"a\" is not a seed"});
  expectMessage(runTool({"run", add, "--input", "x=ones", "--input", "y=" + path("none.npy")}), 1, {"none.npy"});
  write("short.raw", "1234");
  expectMessage(runTool({"run", add, "--input", "x=ones", "--input", "y=" + path("short.raw")}), 1, {"8 bytes", "has 4 bytes"});
  ASSERT_EQ(runTool({"run", path("negate.webnn"), "--input", "ones", "--output", "y=" + path("wrong.npy")}).status, 0);
  expectMessage(runTool({"run", add, "--input", "x=ones", "--input", "y=" + path("wrong.npy")}), 1,
                {"float32[2]", "int32[2, 3]"});
}

TEST_F(SmallModels, RunRefusesWrongOptions) {
  const std::string negate = path("negate.webnn");
  expectMessage(runTool({"run", negate, "--input", "ones", "--output", "q=" + path("q.npy")}), 2,
                {"no output \"q\"", "\"y\" (int32[2, 3])"});
  expectMessage(runTool({"run", negate, "--input", "ones", "--show"}), 2, {"--show needs --image"});
  expectMessage(runTool({"run", negate, "--input", "ones", "--backend", "nonsense"}), 1, {"\"nonsense\"", "reference"});
  expectMessage(runTool({"run", kDigits, "--image", sample(1), "--mean", "1,2"}), 2, {"--mean", "2 numbers"});
  expectMessage(runTool({"run", negate, "--input", "ones", "--top", "-1"}), 2, {"--top"});
  expectMessage(runTool({"run", kDigits, "--image", path("negate.webnn")}), 1, {"negate.webnn: the file is no"});
  write("labels", "a\nb\n");
  const ToolResult labels = runTool({"run", negate, "--input", "ones", "--top", "1", "--labels", path("labels")});
  expectMessage(labels, 1, {"2 labels for 3 classes"});
}

TEST_F(SmallModels, TopRanksEachRow) {
  write("labels", "a\r\nb\r\nc");
  const std::int32_t values[6] = {3, 1, 2, 5, 5, 6};
  write("x.raw", std::string(reinterpret_cast<const char*>(values), sizeof values));
  const ToolResult result =
      runTool({"run", path("negate.webnn"), "--input", path("x.raw"), "--top", "2", "--labels", path("labels"), "--quiet"});
  EXPECT_EQ(result.out,
            "y: int32[2, 3]\n  row 0\n   1. -1         b\n   2. -2         c\n  row 1\n   1. -5         a\n   2. -5         b\n")
      << result.err;
}

TEST_F(SmallModels, DynamicDimensionsMustBeGiven) {
  expectMessage(runTool({"inspect", path("dynamic.webnn"), "--placement"}), 1, {"\"batch\" has no size", "--dim batch=1"});
  EXPECT_EQ(runTool({"check", path("dynamic.webnn"), "--dim", "batch=9"}).status, 1);
  EXPECT_EQ(runTool({"check", path("dynamic.webnn"), "--dim", "batch=3", "--dim", "other=1"}).status, 1);
  expectMessage(runTool({"check", path("dynamic.webnn"), "--dim", "batch=many"}), 2, {"\"many\" is not a size"});
  const Json report = runJson({"check", path("dynamic.webnn"), "--dim", "batch=3"});
  EXPECT_EQ(report["inputs"]["x"]["shape"], Json({3, 2}));
}

const char* const kOpenGraph =
    "webnn_graph \"open\" v2 {\n inputs { x: f32[dyn(\"n\", 64), dyn(\"a b\", 9, 0), 4]; }\n"
    " nodes { y = reshape(x, newShape=[{name: \"= 'a b' * n\", maxSize: 576, minSize: 0}, 4]); }\n outputs { y; }\n}\n";

TEST_F(SmallModels, OpenDimensionsAreShownByTheirNames) {
  write("open.webnn", kOpenGraph);
  const ToolResult checked = runTool({"check", path("open.webnn")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  for (const char* line : {"x: float32[n, 'a b', 4]", "y: float32['a b' * n, 4]", "n: 1 to 64", "a b: 0 to 9", "OK"})
    EXPECT_NE(checked.out.find(line), std::string::npos) << checked.out;
  const Json report = runJson({"check", path("open.webnn")});
  EXPECT_EQ(report["outputs"]["y"]["shape"], Json({"'a b' * n", 4}));
  EXPECT_EQ(report["dimensions"]["n"], Json({{"minSize", 1}, {"maxSize", 64}}));
  EXPECT_NE(runTool({"inspect", path("open.webnn")}).out.find("x: f32[dyn(\"n\", 64), dyn(\"a b\", 9, 0), 4];"),
            std::string::npos);
  EXPECT_NE(runTool({"inspect", path("open.webnn"), "--format=dot"}).out.find("float32['a b' * n, 4]"), std::string::npos);
  EXPECT_NE(runTool({"inspect", path("open.webnn"), "--format=svg"}).out.find("float32["), std::string::npos);
  EXPECT_EQ(runJson({"check", path("open.webnn"), "--dim", "n=2", "--dim", "a b=3"})["outputs"]["y"]["shape"], Json({6, 4}));
  expectMessage(runTool({"check", path("open.webnn"), "--dim", "n=2"}), 1, {"\"a b\" has no size", "--dim 'a b=1'"});
}

TEST_F(SmallModels, AdvisedSizesFitEachOther) {
  write("twice.webnn",
        "webnn_graph \"t\" v2 {\n inputs { x: f32[dyn(\"n\", 64, 3)]; z: f32[dyn(\"= n * 2\", 128)]; }\n"
        " nodes { y = relu(x); w = relu(z); }\n outputs { y; w; }\n}\n");
  expectMessage(runTool({"check", path("twice.webnn"), "--backend", "cpu"}), 1, {"--dim n=3 --dim 'n * 2=6'."});
  EXPECT_EQ(runTool({"check", path("twice.webnn"), "--dim", "n=3", "--dim", "n * 2=6"}).status, 0);
  const ToolResult all = runTool({"run", path("twice.webnn"), "--all"});
  EXPECT_EQ(all.err.find("--all"), std::string::npos) << all.err;
}

TEST_F(SmallModels, AdvisedNamesAreQuotedForAShell) {
  write("evil.webnn",
        "webnn_graph \"e\" v2 {\n inputs { x: f32[dyn(\"$(id) 'a'\", 4)]; }\n nodes { y = relu(x); }\n outputs { y; }\n}\n");
  const ToolResult result = runTool({"inspect", path("evil.webnn")});
  EXPECT_TRUE(result.out.starts_with("# --dim '$(id) '\\''a'\\''=1' gives sizes.\n")) << result.out;
}

TEST_F(SmallModels, OpenDimensionsAreConvertedWithTheirNames) {
  write("open.webnn", kOpenGraph);
  const auto convert = [&](const char* from, const char* to) {
    const ToolResult result = runTool({"convert", path(from), path(to)});
    EXPECT_EQ(result.status, 0) << result.err;
  };
  convert("open.webnn", "open.webnnb");
  convert("open.webnnb", "open.json");
  convert("open.json", "again.webnn");
  convert("open.webnn", "once.webnn");
  EXPECT_EQ(text("again.webnn"), text("once.webnn"));
  EXPECT_NE(text("again.webnn").find("dyn(\"a b\", 9, 0)"), std::string::npos);
  EXPECT_EQ(runTool({"convert", path("open.webnn"), "-", "--to=text"}).out, text("once.webnn"));
  convert("open.webnn", "open.onnx");
  expectMessage(runTool({"check", path("open.onnx")}), 1, {"--dim n=1 --dim 'a b=1'"});
  EXPECT_EQ(runTool({"convert", path("open.webnn"), path("open.mlpackage")}).out, "wrote " + path("open.mlpackage") + "\n");
  EXPECT_NE(text("open.mlpackage/Data/com.apple.CoreML/model.mlmodel").find("['a b' * n, 4]"), std::string::npos);
}

TEST_F(SmallModels, CheckReportsInvalidGraphs) {
  expectMessage(runTool({"check", path("broken.webnn")}), 1, {"conv2d", "rank (1)"});
  const ToolResult json = runTool({"check", path("broken.webnn"), "--json"});
  EXPECT_EQ(json.status, 1);
  EXPECT_EQ(Json::parse(json.out)["valid"], false);
  EXPECT_EQ(Json::parse(json.out)["kind"], "TypeError");
}

TEST_F(SmallModels, InspectPrintsTheGraphInEachFormat) {
  const ToolResult asText = runTool({"inspect", path("add.webnn")});
  EXPECT_EQ(asText.status, 0) << asText.err;
  EXPECT_NE(asText.out.find("z = add(x, y);"), std::string::npos) << asText.out;
  EXPECT_EQ(Json::parse(runTool({"inspect", path("add.webnn"), "--json"}).out)["nodes"][0]["op"], "add");
  EXPECT_EQ(runTool({"inspect", path("add.webnn"), "-o", path("copy.webnn")}).out, "");
  EXPECT_EQ(text("copy.webnn"), asText.out);
  EXPECT_NE(runTool({"inspect", kDigits}).out.find("@weights(\"conv1_weight\")"), std::string::npos);
}

// Tests that JSON is not mistaken for raw bytes: "[[1,2]]" and a newline have as many bytes as two float32 elements.
TEST_F(SmallModels, RunTakesJsonOfAnyLengthFromAFile) {
  write("two.webnn", "webnn_graph \"two\" v2 {\n inputs { x: f32[1, 2]; }\n nodes { y = relu(x); }\n outputs { y; }\n}\n");
  write("x.json", "[[1,2]]\n");
  write("x.raw", std::string("[\x00\x80\x3f\x00\x00\x00\x40", 8));  // the elements 1.0000108... and 2
  const auto values = [&](const char* file) {
    return Json::parse(runTool({"run", path("two.webnn"), "--input", "x=" + path(file), "--json"}).out)["outputs"]["y"]["values"];
  };
  EXPECT_EQ(values("x.json"), Json({1.0, 2.0}));
  EXPECT_EQ(values("x.raw")[1], 2.0);
}

TEST_F(SmallModels, RunHasOneStandardInput) {
  expectMessage(runTool({"run", path("add.webnn"), "--input", "x=-", "--input", "y=-"}), 2,
                {"standard input is one thing only", "\"x\" (--input)", "\"y\" (--input)"});
}

TEST_F(SmallModels, InspectWritesNoTextWhereAPictureIsWanted) {
  expectMessage(runTool({"inspect", path("add.webnn"), "-o", path("add.png")}), 2, {"add.png", ".svg", "--format"});
  EXPECT_FALSE(std::filesystem::exists(path("add.png")));
  EXPECT_EQ(runTool({"inspect", path("add.webnn"), "-o", path("add.md"), "--format", "text"}).status, 0);
}

// Tests that `webnn inspect` refuses to overwrite the graph that it reads. It prints a graph without the values of its constants,
// so they would be lost.
TEST_F(SmallModels, InspectDoesNotReplaceTheGraph) {
  const std::string before = text("add.webnn");
  expectMessage(runTool({"inspect", path("add.webnn"), "-o", path("add.webnn")}), 2, {"add.webnn", "what the command reads"});
  EXPECT_EQ(text("add.webnn"), before);
}

// Tests that a conversion fails if its new weights would replace another model's weights file, such as model.safetensors in
// directories of Hugging Face.
TEST(Digits, AreConvertedWithoutTakingTheWeightsOfOthers) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return (folder / name).string(); };
  writeText(file("model.safetensors"), "of another program");
  for (const char* name : {"model.webnn", "model.json"})
    expectMessage(runTool({"convert", kDigits, file(name)}), 1, {"model.safetensors", "already with others"});
  EXPECT_EQ(readText(file("model.safetensors")), "of another program");
  ASSERT_EQ(runTool({"convert", kDigits, file("d.webnn")}).status, 0);
  const ToolResult half = runTool({"convert", file("d.webnn"), file("d.json"), "--weights-type", "float16", "--quiet"});
  expectMessage(half, 1, {"d.webnn would lose its weights"});
  EXPECT_EQ(runTool({"run", file("d.webnn"), "--fill", "ones"}).status, 0);
}

TEST_F(SmallModels, AreConvertedToOnnx) {
  EXPECT_EQ(runTool({"convert", path("add.webnn"), path("add.onnx")}).out, "wrote " + path("add.onnx") + "\n");
  EXPECT_NE(text("add.onnx").find("libwebnn"), std::string::npos);
  EXPECT_EQ(runTool({"convert", path("add.webnn"), path("other"), "--to", "onnx", "--quiet"}).status, 0);
  EXPECT_EQ(text("other"), text("add.onnx"));
}

TEST_F(SmallModels, AreConvertedToCoreMl) {
  EXPECT_EQ(runTool({"convert", path("add.webnn"), path("add.mlpackage")}).out, "wrote " + path("add.mlpackage") + "\n");
  EXPECT_NE(text("add.mlpackage/Data/com.apple.CoreML/model.mlmodel").find("libwebnn"), std::string::npos);
  expectMessage(runTool({"convert", path("add.webnn"), "-", "--to", "coreml"}), 2, {"standard output"});
  expectMessage(runTool({"convert", path("add.webnn"), path("b.mlpackage"), "--weights-format", "inline"}), 2,
                {"--weights-format"});
}

TEST_F(SmallModels, ConvertNeedsAFormat) {
  expectMessage(runTool({"convert", path("add.webnn"), path("add.bin")}), 2, {"add.bin", "--to"});
  EXPECT_FALSE(std::filesystem::exists(path("add.bin")));
}

TEST(Tool, ReportsMisuse) {
  expectMessage(runTool({}), 2, {});
  expectMessage(runTool({"fly"}), 2, {"no subcommand \"fly\""});
  expectMessage(runTool({"inspekt"}), 2, {"did you mean inspect?"});
  expectMessage(runTool({"run"}), 2, {"MODEL"});
  expectMessage(runTool({"run", kDigits, "--resize", "magic"}), 2, {"--resize", "magic"});
  expectMessage(runTool({"check", "/nowhere/model.webnn"}), 1, {"/nowhere/model.webnn"});
}

TEST(Tool, RefusesLimitsThatAreNone) {
  for (const char* option : {"--max-memory", "--max-operations", "--max-elements", "--max-compile-work"}) {
    expectMessage(runTool({"check", kDigits, option, "-1"}), 2, {option, "\"-1\" is not a number"});
    expectMessage(runTool({"check", kDigits, option, "99999999999999999999"}), 2,
                  {option, "\"99999999999999999999\" is too large"});
  }
  for (const char* seconds : {"nan", "inf", "-1", "0", "1s"}) {
    expectMessage(runTool({"check", kDigits, "--max-time", seconds}), 2, {"--max-time", "is not a number above 0"});
  }
  EXPECT_EQ(runTool({"check", kDigits, "--max-memory", "4GB", "--max-time", "1e3"}).status, 0);
}

TEST(Tool, HasHelpWithExamplesForEverySubcommand) {
  EXPECT_EQ(runTool({"--help"}).status, 0);
  for (const char* command :
       {"run", "check", "convert", "inspect", "ops", "backends", "conformance", "diff", "verify", "bench", "view"}) {
    const ToolResult help = runTool({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("Examples:\n  webnn " + std::string(command)), std::string::npos) << help.out;
    EXPECT_NE(runTool({"--help"}).out.find("\n  " + std::string(command)), std::string::npos);
  }
}

TEST(Tool, PrintsBackendsAndTheFeaturesOfTheProcessor) {
  const ToolResult result = runTool({"backends"});
  EXPECT_EQ(result.status, 0);
  for (const char* text :
       {"cpu          available\n", "reference    available\n", "onnxruntime  ", "options disable isa memory pin precision\n",
        "\nisa          ", "\nfeatures     ", " KiB first level, ", "\nthreads      "})
    EXPECT_NE(result.out.find(text), std::string::npos) << text << " in " << result.out;
}

TEST(Tool, KnowsItsVersion) {
  const ToolResult version = runTool({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("webnn 0.")) << version.out;
}

TEST(Tool, TakesTheBackendFromTheEnvironment) {
  expectMessage(runTool({"check", kDigits}, {"WEBNN_BACKEND=nonsense"}), 1, {"\"nonsense\""});
  EXPECT_EQ(runTool({"check", kDigits}, {"WEBNN_BACKEND=reference"}).status, 0);
  EXPECT_EQ(runTool({"check", kDigits, "--backend", "reference"}, {"WEBNN_BACKEND=nonsense"}).status, 0);
}

TEST_F(SmallModels, GivesTheBackendItsSettings) {
  const std::vector<std::string> add{"run", path("add.webnn"), "--input", "x=ones", "--input", "y=ones"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), add.begin(), add.end());
    return runTool(more);
  };
  EXPECT_EQ(with({"--backend", "reference", "--threads", "2"}).status, 0);
  expectMessage(with({"--backend", "reference", "--backend-option", "speed=11"}), 1, {"\"reference\" has no option \"speed\""});
  expectMessage(with({"--backend", "onnxruntime", "--backend-option", "speed=11"}), 1,
                {"\"onnxruntime\" has no option \"speed\""});
  expectMessage(with({"--backend-option", "speed"}), 2, {"--backend-option: \"speed\" is not KEY=VALUE"});
  expectMessage(with({"--threads", "9999"}), 2, {"--threads"});
  EXPECT_EQ(with({"--backend", "reference", "--backend-option", "cpu:isa=avx2"}).status, 0);
  expectMessage(with({"--backend-option", "cpu:speed=11"}), 2, {"\"cpu\" has no option \"speed\""});
  expectMessage(with({"--backend", "reference", "--backend-option", "cpu:speed=11"}), 2, {"\"cpu\" has no option \"speed\""});
  expectMessage(with({"--backend-option", "gpu:speed=11"}), 2, {"no backend \"gpu\"", "cpu, reference"});
}

TEST(BackendsSettings, AreThoseOfAllOfTheNameAndTheListsOwn) {
  using Settings = std::map<std::string, std::string>;
  const std::vector<std::string> given{"all=1", "cpu:mine=2", "onnxruntime:other=3", "path=a:b"};
  EXPECT_EQ(cli::settingsOf(given, "cpu"), (Settings{{"all", "1"}, {"mine", "2"}, {"path", "a:b"}}));
  EXPECT_EQ(cli::settingsOf(given, ""), cli::settingsOf(given, "cpu"));  // "": the best backend, which is "cpu" here
  const cli::BackendOptions backend = cli::backendOf("cpu:isa=avx2:pin=true:service", {.settings = given});
  EXPECT_EQ(backend.name, "cpu");
  EXPECT_EQ(backend.service, "private");
  EXPECT_EQ(cli::settingsOf(backend.settings, backend.name),
            (Settings{{"all", "1"}, {"mine", "2"}, {"path", "a:b"}, {"isa", "avx2"}, {"pin", "true"}}));
  const cli::BackendOptions reference = cli::backendOf("reference", {.settings = {"all=1", "reference:mine=2"}});
  EXPECT_EQ(cli::settingsOf(reference.settings, reference.name), (Settings{{"mine", "2"}}));
}

TEST(BackendsSettings, HaveOneFormInEverySubcommand) {
  for (const char* command : {"run", "check", "convert", "inspect", "view", "conformance", "diff", "verify", "bench"})
    EXPECT_NE(runTool({command, "--help"}).out.find("--backend-option [BACKEND:]KEY=VALUE"), std::string::npos) << command;
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check", kDigits},
                                                  {"inspect", kDigits, "--dump-passes"},
                                                  {"bench", kDigits},
                                                  {"diff", kDigits, "--backends", "cpu,reference"},
                                                  {"diff", "--random", "1", "--backends", "cpu"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--backend-option", "cuda:speed=11"});
    expectMessage(runTool(arguments), 2, {"no backend \"cuda\"", "cpu, reference"});
  }
}

TEST_F(SmallModels, VerbosePrintsHowTheBackendDeviates) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  write("bytes.webnn", "webnn_graph \"b\" v2 {\n inputs { x: i8[2]; }\n nodes { y = add(x, x); }\n outputs { y; }\n}\n");
  const std::vector<std::string> command{"run", path("bytes.webnn"), "--input", "x=ones", "--backend", "onnxruntime"};
  const auto with = [&](const std::string& flag) {
    std::vector<std::string> arguments = command;
    arguments.push_back(flag);
    return runTool(arguments).out;
  };
  EXPECT_NE(with("--verbose").find("note: add: int8 is computed as int32.\n"), std::string::npos) << with("--verbose");
  EXPECT_EQ(with("--threads=1").find("note:"), std::string::npos);
  EXPECT_EQ(Json::parse(with("--json"))["notes"], Json::array({"add: int8 is computed as int32."}));
}

TEST_F(SmallModels, SaysWhereOperationsRun) {
  write("two.webnn",
        "webnn_graph \"t\" v2 {\n inputs { x: f32[2, 2]; }\n nodes { a = exp(x); b = add(a, x, label=\"sum\"); c = identity(b); "
        "y = matmul(c, x); }\n outputs { y; }\n}\n");
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"inspect", path("two.webnn"), "--placement"});
    return runTool(arguments);
  };
  const std::string text = run({}).out;
  EXPECT_EQ(text.substr(0, text.find("step 0")),
            "4 operations on backend cpu: 3 run in 2 steps, 0 constant, 1 removed\n\n"
            "operation  label or result  where    as\n"
            "exp        a                ");
  EXPECT_NE(text.find("\nadd        sum              step 0   "), std::string::npos) << text;
  EXPECT_NE(text.find("\nidentity   c                removed\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nmatmul     y                step 1   gemm f32 2x2x2 "), std::string::npos) << text;
  const auto json = Json::parse(run({"--json", "--backend", "cpu"}).out);
  EXPECT_EQ(json["backend"], "cpu");
  ASSERT_EQ(json["operations"].size(), 4u);
  EXPECT_EQ(json["operations"][2], (Json{{"operation", "identity"},
                                         {"label", ""},
                                         {"outputs", {"c"}},
                                         {"state", "removed"},
                                         {"device", ""},
                                         {"kernels", Json::array()},
                                         {"steps", Json::array()},
                                         {"notes", Json::array()}}));
  EXPECT_EQ(json["operations"][1]["steps"], Json::array({0}));
  EXPECT_EQ(json["operations"][1]["label"], "sum");
  EXPECT_EQ(run({"--backend", "reference"}).out,
            "4 operations on backend reference: 4 run, 0 constant, 0 removed\n\n"
            "operation  label or result  where      as\n"
            "exp        a                reference\n"
            "add        sum              reference\n"
            "identity   c                reference\n"
            "matmul     y                reference\n");
  expectMessage(run({"--format=dot"}), 2, {"--placement"});
  expectMessage(run({"--backend", "gpu"}), 1, {"gpu"});
  EXPECT_NE(run({"--dump-passes"}).status, 0);
}

TEST_F(SmallModels, NamesUnsupportedOperationsInsteadOfAPlacement) {
  WEBNN_REQUIRE_OPENVINO();
  write("wide.webnn",
        "webnn_graph \"w\" v2 {\n inputs { x: i64[2]; }\n nodes { y = add(x, x); z = mul(y, x); }\n outputs { z; }\n}\n");
  expectMessage(runTool({"inspect", path("wide.webnn"), "--placement", "--backend", "openvino"}), 1,
                {"\"openvino\" does not support: add", "; mul"});
}

TEST_F(SmallModels, PlacementShowsCastsOfOnnxRuntime) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  write("bytes.webnn", "webnn_graph \"b\" v2 {\n inputs { x: i8[2]; }\n nodes { y = add(x, x); }\n outputs { y; }\n}\n");
  EXPECT_EQ(runTool({"inspect", path("bytes.webnn"), "--placement", "--backend", "onnxruntime"}).out,
            "1 operations on backend onnxruntime: 1 run, 0 constant, 0 removed\n\n"
            "operation  label or result  where                 as\n"
            "add        y                CPUExecutionProvider  Cast x3, Add\n"
            "                                                  note: int8 is computed as int32.\n");
}

TEST(Tool, FailsIfItsOutputCannotBeWritten) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const int status = std::system((std::string(WEBNN_TOOL) + " ops >/dev/full 2>/dev/null").c_str());
  EXPECT_NE(status, 0);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
