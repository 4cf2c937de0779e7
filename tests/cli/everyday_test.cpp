// Tests what new users try first: help, completion, mistyped names, missing inputs, several images, pipes.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "cli/tool.h"
#include "support/files.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Json = nlohmann::json;

const std::string kDigits = repositoryFile("examples/digits/digits.webnn");

std::string sample(int digit) { return repositoryFile("examples/digits/samples/" + std::to_string(digit) + ".png"); }

struct Everyday : ::testing::Test {
  void SetUp() override {
    writeText(
        folder / "open.webnn",
        "webnn_graph \"o\" v2 { inputs { x: f32[dyn(\"batch\", 8), 2]; y: f32[dyn(\"batch\", 8), 2]; } nodes { z = add(x, y); } "
        "outputs { z; } }");
    writeText(folder / "relu.webnn", "webnn_graph \"r\" v2 { inputs { x: f32[1, 4]; } nodes { y = relu(x); } outputs { y; } }");
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  // Returns the output of a shell command in which "webnn" is the tool.
  std::string shell(const std::string& line, int status = 0) const {
    writeText(folder / "script",
              "webnn() { '" + std::string(WEBNN_TOOL) + "' \"$@\"; }\ncd '" + folder.path().string() + "'\n" + line);
    const int result = std::system(("bash '" + path("script") + "' >'" + path("out") + "' 2>&1 </dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(result), status) << readText(folder / "out");
    return readText(folder / "out");
  }

  std::string onTerminal(int columns, const std::string& variables, const std::string& arguments) const {
    return shell("script -qec \"stty cols " + std::to_string(columns) + "; " + variables + " '" + std::string(WEBNN_TOOL) + "' " +
                 arguments + "\" /dev/null | tr -d '\\r'");
  }

  TemporaryFolder folder;
};

Json outputOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  const ToolResult result = runTool(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.status == 0 ? Json::parse(result.out) : Json();
}

TEST_F(Everyday, MistypedNamesGetASuggestion) {
  expectMessage(runTool({"rnu"}), 2, {"no subcommand \"rnu\"; did you mean run?"});
  expectMessage(runTool({"service", "stauts"}), 2, {"\"stauts\"; did you mean status?"});
  expectMessage(runTool({"run", kDigits, "--tpo", "3"}), 2, {"run has no option \"--tpo\"; did you mean --top?"});
  // The unknown option is reported before the missing MODEL.
  expectMessage(runTool({"run", "--imgae=x.png"}), 2, {"\"--imgae\"; did you mean --image?"});
  expectMessage(runTool({"bench", kDigits, "--backend", "cpu"}), 2, {"\"--backend\"; did you mean --backends"});
  expectMessage(runTool({"help", "chek"}), 2, {"did you mean check?"});
}

TEST_F(Everyday, HelpPrintsTheSameAsTheOption) {
  EXPECT_EQ(runTool({"help"}).out, runTool({"--help"}).out);
  EXPECT_EQ(runTool({"help", "run"}).out, runTool({"run", "--help"}).out);
  EXPECT_EQ(runTool({"help", "service", "status"}).out, runTool({"service", "status", "--help"}).out);
}

const std::vector<std::string> kCommands{"run",         "check", "convert", "inspect", "ops",  "info", "backends",
                                         "conformance", "diff",  "verify",  "bench",   "view", "help", "completion"};

TEST_F(Everyday, HelpHasAnExampleForEverySubcommandAndEveryValue) {
  for (const std::string& command : kCommands) {
    const std::string help = runTool({command, "--help"}).out;
    const std::size_t examples = help.find("\nExamples:\n");
    ASSERT_NE(examples, std::string::npos) << command;
    EXPECT_NE(help.find("webnn " + command, examples), std::string::npos) << command;
    // Options are indented by two columns, and their text is indented further.
    const std::regex entry("\n  ( *-[-a-z,]*) ([^ \n]+)  ?[ \n][^\n]*((\n {20,}[^\n]*)*)");
    const std::string options = help.substr(0, examples);
    for (std::sregex_iterator match(options.begin(), options.end(), entry), end; match != end; ++match) {
      const std::string name = (*match)[1].str().substr((*match)[1].str().rfind('-') == 0 ? 0 : (*match)[1].str().find('-'));
      const bool isShown =
          match->str().find("e.g.") != std::string::npos || help.find(" " + name + " ", examples) != std::string::npos;
      EXPECT_TRUE(isShown) << command << ": " << match->str();
      const std::string value = (*match)[2];
      EXPECT_EQ(std::ranges::count(value, '['), std::ranges::count(value, ']')) << command << ": " << match->str();
    }
  }
}

TEST_F(Everyday, HelpFits) {
  for (const std::string& command : kCommands) {
    std::istringstream lines(runTool({command, "--help"}).out);
    bool isExample = false;
    for (std::string line; std::getline(lines, line);) {
      isExample = isExample || line == "Examples:";
      if (isExample) continue;
      EXPECT_LE(line.size(), 100u) << line;
    }
  }
}

TEST_F(Everyday, PagesForManHaveNoMistake) {
  if (std::system("command -v mandoc >/dev/null") != 0) GTEST_SKIP() << "there is no mandoc";
  for (const std::string& command : kCommands) {
    const std::string found =
        shell("webnn help --man " + command + " | mandoc -T lint -W warning | grep -v 'missing date' || true");
    EXPECT_EQ(found, "") << command;
  }
  EXPECT_NE(shell("webnn help --man run | mandoc -T ascii | col -b").find("WEBNN-RUN(1)"), std::string::npos);
}

TEST_F(Everyday, BashCompletes) {
  const auto completes = [&](const std::string& words, int current) {
    return shell("eval \"$(webnn completion bash)\"; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(current) +
                 "; _webnn; echo \"${COMPREPLY[@]}\"");
  };
  EXPECT_EQ(completes("webnn ru", 1), "run\n");
  EXPECT_EQ(completes("webnn run --so", 2), "--softmax\n");
  EXPECT_EQ(completes("webnn inspect --format ''", 3), "text json svg dot\n");
  EXPECT_EQ(completes("webnn inspect --format = j", 4), "json\n");
  EXPECT_EQ(completes("webnn completion ''", 2), "bash\n");
  EXPECT_EQ(completes("webnn help ben", 2), "bench\n");
  EXPECT_EQ(completes("webnn run x", 2), "\n");  // the shell itself completes file names
}

TEST_F(Everyday, InputsAreFilledOnRequest) {
  expectMessage(runTool({"run", path("relu.webnn")}), 2, {"\"x\" (float32[1, 4])", "--input x=FILE.npy", "--fill random"});
  const ToolResult filled = runTool({"run", path("relu.webnn"), "--fill", "random"});
  EXPECT_NE(filled.out.find("filled x with random:1\n"), std::string::npos) << filled.out;
  const Json by = outputOf({path("relu.webnn"), "--input", "x=random:1"})["outputs"];
  EXPECT_EQ(outputOf({path("relu.webnn"), "--fill", "random"})["outputs"], by);
  EXPECT_EQ(outputOf({path("relu.webnn"), "--input", "x=random"})["outputs"], by);
  EXPECT_EQ(outputOf({path("relu.webnn"), "--fill", "random:7"})["inputs"]["x"], "random:7");
  EXPECT_EQ(outputOf({path("relu.webnn"), "--fill", "ones"})["outputs"]["y"]["values"], Json({1, 1, 1, 1}));
  expectMessage(runTool({"run", path("relu.webnn"), "--fill", "rnadom"}), 2, {"--fill", "\"rnadom\"", "random:SEED"});
}

TEST_F(Everyday, OpenDimensionsAreThoseOfTheInputs) {
  const Json result = outputOf({path("open.webnn"), "--input", "x=[[1, 2], [3, -4], [5, 6]]", "--fill", "zeros"});
  EXPECT_EQ(result["outputs"]["z"]["shape"], Json({3, 2}));
  EXPECT_EQ(result["outputs"]["z"]["values"], Json({1, 2, 3, -4, 5, 6}));
  ASSERT_EQ(runTool({"run", path("open.webnn"), "--dim", "batch=4", "--fill", "ones", "--output", "z=" + path("z.npy")}).status,
            0);
  EXPECT_EQ(
      outputOf({path("open.webnn"), "--input", "x=" + path("z.npy"), "--input", "y=" + path("z.npy")})["outputs"]["z"]["shape"],
      Json({4, 2}));
  expectMessage(runTool({"run", path("open.webnn")}), 1, {"\"batch\" has no size", "--dim batch=1"});
  for (const char* command : {"check", "inspect"})
    EXPECT_NE(runTool({command, path("open.webnn")}).out.find("batch"), std::string::npos);
  expectMessage(runTool({"run", path("open.webnn"), "--input", "x=[[1, 2]]", "--input", "y=[[1, 2], [3, 4]]"}), 1,
                {"\"batch\"", "1", "2", "\"y\""});
}

TEST_F(Everyday, NumbersMayBeGivenAsJson) {
  writeText(folder / "x.json", "[[-1, 2.5, 3, 4e0]]");
  const Json expected({0, 2.5, 3, 4});
  for (const std::string& source : {path("x.json"), std::string("[-1, 2.5, 3, 4]"), std::string("[[-1, 2.5, 3, 4.0]]")})
    EXPECT_EQ(outputOf({path("relu.webnn"), "--input", "x=" + source})["outputs"]["y"]["values"], expected) << source;
  expectMessage(runTool({"run", path("relu.webnn"), "--input", "x=[1, 2]"}), 1, {"float32[1, 4]", "[2]"});
  expectMessage(runTool({"run", path("relu.webnn"), "--input", "x=[[1], [2, 3]]"}), 1, {"differ in length"});
  expectMessage(runTool({"run", path("relu.webnn"), "--input", "x=[1, 2, \"a\", 4]"}), 1, {"no array of numbers"});
  writeText(folder / "bytes.webnn",
            "webnn_graph \"b\" v2 { inputs { x: u8[1]; h: f16[1]; } nodes { y = neg(h); z = cast(x, dataType=f32); } "
            "outputs { y; z; } }");
  for (const char* value : {"300", "-1", "1.5", "256"}) {
    expectMessage(runTool({"run", path("bytes.webnn"), "--fill", "ones", "--input", std::string("x=") + value}), 1,
                  {"\"x\" is uint8[1], which cannot hold", value});
  }
  expectMessage(runTool({"run", path("bytes.webnn"), "--fill", "ones", "--input", "h=[7e4]"}), 1,
                {"\"h\" is float16[1]", "70000"});
  EXPECT_EQ(outputOf({path("bytes.webnn"), "--input", "x=255", "--input", "h=65504"})["outputs"]["z"]["values"], Json({255}));
  writeText(folder / "long.webnn",
            "webnn_graph \"l\" v2 { inputs { u: u64[1]; i: i64[1]; } nodes { y = cast(u, dataType=u64); z = identity(i); } "
            "outputs { y; z; } }");
  for (const char* value : {"u=18446744073709551616", "u=18446744073709551617", "u=-1", "i=9223372036854775808",
                            "i=-9223372036854775809", "i=-9223372036854776832"})
    expectMessage(runTool({"run", path("long.webnn"), "--fill", "ones", "--input", value}), 1, {"64[1], which cannot hold"});
  const ToolResult limits =
      runTool({"run", path("long.webnn"), "--json", "--input", "u=18446744073709551615", "--input", "i=-9223372036854775808"});
  EXPECT_NE(limits.out.find("18446744073709551615"), std::string::npos) << limits.err;
  EXPECT_NE(limits.out.find("-9223372036854775808"), std::string::npos) << limits.err;
}

TEST_F(Everyday, SoftmaxShowsProbabilities) {
  const Json top =
      outputOf({path("relu.webnn"), "--input", "x=[1, 2, 3, 0]", "--softmax", "--top", "2"})["outputs"]["y"]["top"][0];
  const double sum = std::exp(1) + std::exp(2) + std::exp(3) + 1;
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0]["index"], 2);
  EXPECT_NEAR(top[0]["value"].get<double>(), std::exp(3) / sum, 1e-12);
  EXPECT_NEAR(top[1]["value"].get<double>(), std::exp(2) / sum, 1e-12);
  EXPECT_NE(runTool({"run", path("relu.webnn"), "--input", "x=[1, 2, 3, 0]", "--softmax"}).out.find("1. 64.39%     class 2\n"),
            std::string::npos);
}

TEST_F(Everyday, SeveralPicturesRunOneAfterTheOther) {
  const auto best = [](const Json& json) {
    std::vector<std::size_t> digits;
    for (const Json& picture : json["pictures"]) digits.push_back(picture["outputs"]["probabilities"]["top"][0][0]["index"]);
    return digits;
  };
  const std::vector<std::size_t> digits{1, 2, 3};
  EXPECT_EQ(best(outputOf({kDigits, "--top", "1", "--image", sample(1), sample(2), sample(3)})),
            digits);  // the same as after a shell has expanded a pattern
  EXPECT_EQ(best(outputOf({kDigits, "--top", "1", "--image", sample(1), "--image", sample(2), "--image", sample(3)})), digits);
  EXPECT_EQ(best(outputOf({kDigits, "--top", "1", "--image", repositoryFile("examples/digits/samples/[1-3].png")})), digits);
  const ToolResult text = runTool({"run", kDigits, "--image", sample(1), sample(2), "--output-dir", path("all"), "--top", "1"});
  EXPECT_NE(text.out.find("samples/2.png\nprobabilities"), std::string::npos) << text.out;
  EXPECT_TRUE(std::filesystem::exists(path("all") + "/2/probabilities.npy"));
  expectMessage(runTool({"run", kDigits, "--image", sample(1), sample(2), "--output", "probabilities=p.npy"}), 2,
                {"--output-dir"});
  expectMessage(runTool({"run", kDigits, "--image", path("*.png")}), 2, {"there is no file", "*.png"});
  expectMessage(runTool({"run", kDigits, sample(1)}), 2, {"1.png", "an input is given as --image "});
}

TEST_F(Everyday, JsonIsShortUnlessAllIsAskedFor) {
  writeText(folder / "wide.webnn", "webnn_graph \"w\" v2 { inputs { x: f32[100]; } nodes { y = relu(x); } outputs { y; } }");
  const Json brief = outputOf({path("wide.webnn"), "--fill", "ones"})["outputs"]["y"];
  EXPECT_EQ(brief["firstValues"].size(), 8u);
  EXPECT_FALSE(brief.contains("values"));
  EXPECT_EQ(outputOf({path("wide.webnn"), "--fill", "ones", "--full"})["outputs"]["y"]["values"].size(), 100u);
}

TEST_F(Everyday, StandardInputAndOutputAreFiles) {
  const std::string image = sample(4);
  EXPECT_EQ(shell("echo '[1, -2, 3, 4]' | webnn run relu.webnn --input x=- --output y=- > y.npy; webnn run relu.webnn --input "
                  "y.npy --quiet"),
            "y: float32[1, 4]\n  min 0  max 4  mean 2\n  1, 0, 3, 4\n");
  for (const char* format : {"text", "json", "onnx"}) {
    const std::string out =
        shell("webnn convert '" + kDigits + "' - --to " + format + " | webnn run - --image '" + image + "' --top 1 --quiet");
    EXPECT_NE(out.find("class 4\n"), std::string::npos) << out;
  }
  EXPECT_NE(shell("webnn run '" + kDigits + "' --image - --top 1 < '" + image + "'").find("class 4\n"), std::string::npos);
  EXPECT_NE(shell("webnn run - --input x='[[1, 2]]' --fill ones < open.webnn").find("z: float32[1, 2]"), std::string::npos);
  expectMessage(runTool({"convert", kDigits, "-"}), 2, {"--to"});
}

TEST_F(Everyday, ConvertNamesTheSuffixesThatItKnows) {
  expectMessage(runTool({"convert", kDigits, path("x.h5")}), 2, {"x.h5", ".webnn, .webnnb, .json, .onnx or .mlpackage", "--to"});
  expectMessage(runTool({"convert", kDigits, path("absent/x.onnx")}), 1, {path("absent/x.onnx") + ": ", "No such file"});
  for (const char* name : {"X.PY", "X.SVG", "X.WEBNN"}) EXPECT_EQ(runTool({"convert", kDigits, path(name)}).status, 0) << name;
  EXPECT_TRUE(readText(folder / "X.SVG").starts_with("<svg"));
  outputOf({kDigits, "--fill", "ones", "--output", "probabilities=" + path("Y.NPY")});
  EXPECT_TRUE(readText(folder / "Y.NPY").starts_with("\x93NUMPY"));
}

TEST_F(Everyday, InfoPrintsVersionProcessorAndBackends) {
  const ToolResult info = runTool({"info"});
  for (const char* part :
       {"version      0.", "\nprocessor    ", "\nfeatures     ", "\ncpu          available\n", "\nonnxruntime  "})
    EXPECT_NE(info.out.find(part), std::string::npos) << info.out;
  const Json json = Json::parse(runTool({"info", "--json"}, {"WEBNN_CPU_ISA=sse4"}).out);
  EXPECT_EQ(json["backends"]["cpu"]["available"], true);
  EXPECT_EQ(json["backends"]["coreml"]["available"], false);
  EXPECT_NE(json["backends"]["coreml"]["reason"], "");
  EXPECT_EQ(json["environment"]["WEBNN_CPU_ISA"], "sse4");
}

bool hasTerminals() { return std::system("script -qec true /dev/null >/dev/null 2>&1") == 0; }

TEST_F(Everyday, TablesAndColoursAreThoseOfTheTerminal) {
  if (!hasTerminals()) GTEST_SKIP() << "there is no script(1)";
  const std::string bench = "bench '" + path("relu.webnn") + "' --runs 3 --no-memory";
  for (const int columns : {80, 100, 120}) {
    const std::string table = onTerminal(columns, "TERM=dumb", bench);
    const std::string line = table.substr(0, table.find('\n'));
    EXPECT_TRUE(line.starts_with("| model | backend |")) << table;
    EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << table;
    EXPECT_NE(line.find("| ratio |"), std::string::npos) << table;
    EXPECT_NE(table.find("not shown: runs"), std::string::npos) << table;
  }
  EXPECT_NE(runTool({"bench", path("relu.webnn"), "--runs", "3", "--full"}).out.find("| runs |"), std::string::npos);
  EXPECT_NE(onTerminal(80, "TERM=xterm", "run --help").find("\x1b[1mUsage:"), std::string::npos);
  EXPECT_EQ(onTerminal(80, "TERM=xterm NO_COLOR=1", "run --help").find('\x1b'), std::string::npos);
  EXPECT_EQ(runTool({"run", "--help"}, {"TERM=xterm"}).out.find('\x1b'), std::string::npos);
}

// Tests that printed lines fit the terminal, except lines that begin with a long name.
TEST_F(Everyday, ResultsFitTheTerminal) {
  if (!hasTerminals()) GTEST_SKIP() << "there is no script(1)";
  const std::string name = "encoder.layers.0.self_attention.query_projection.MatMul_output_of_the_first_head_0";
  writeText(path("long.webnn"), "webnn_graph \"g\" v2 { inputs { x: f32[64]; } consts {} nodes { y = sin(x); \"" + name +
                                    "\" = cos(y); } outputs { \"" + name + "\"; } }");
  for (const int columns : {60, 80, 120}) {
    const std::string model = " '" + path("long.webnn") + "' ";
    std::istringstream lines(onTerminal(columns, "TERM=dumb", "diff --all --backends cpu,reference" + model) +
                             onTerminal(columns, "TERM=dumb", "run --fill random" + model));
    std::size_t rows = 0, names = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(name)) ++names;
      EXPECT_LE(line.starts_with(name) ? 0 : line.size(), static_cast<std::size_t>(columns)) << line;
      if (std::regex_search(line, std::regex("float32\\[64\\]( +[0-9.e-]+){3}$"))) ++rows;
    }
    EXPECT_EQ(rows, 2u);
    EXPECT_EQ(names, 2u);
  }
  EXPECT_NE(onTerminal(60, "TERM=dumb", "run --fill ones '" + path("long.webnn") + "'").find(", ...\n"), std::string::npos);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
