// Tests the contents of the page that `webnn view` writes. tests/view/ tests the page in a browser.
#include "cli/view/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/tool.h"
#include "support/support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using nlohmann::json;

const std::string kDigits = repositoryFile("examples/digits/digits.webnn");

class ViewTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    const ToolResult result = runTool({"view", kDigits, "-o", path("probe.html")});
    if (result.err.find("was built without the page") != std::string::npos) GTEST_SKIP() << result.err;
    ASSERT_EQ(result.status, 0) << result.err;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(path(name));
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  // Returns the data in the page that `webnn view` writes to standard output.
  json view(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "view");
    arguments.insert(arguments.end(), {"-o", "-"});
    const ToolResult result = runTool(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    const std::string start = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = result.out.find(start) + start.size();
    return json::parse(result.out.substr(begin, result.out.find("</script>", begin) - begin));
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("webnn_view_test_" + std::to_string(::getpid()));
};

std::vector<json> ofKind(const json& data, const std::string& kind) {
  std::vector<json> nodes;
  for (const json& node : data["nodes"]) {
    if (node["kind"] == kind) nodes.push_back(node);
  }
  return nodes;
}

TEST_F(ViewTest, holdsTheGraph) {
  const json data = view({kDigits});
  EXPECT_EQ(data["file"], "digits.webnn");
  const std::vector<json> operations = ofKind(data, "operation");
  ASSERT_EQ(operations.size(), 9);
  EXPECT_EQ(operations[2]["name"], "maxPool2d");
  EXPECT_EQ(operations[2]["label"], "p1");
  EXPECT_EQ(operations[2]["options"]["windowDimensions"], "[2,2]");
  EXPECT_EQ(operations[2]["types"], json::parse(R"([["float32", 1, 16, 14, 14]])"));
  const std::size_t from = operations[2]["inputs"][0][0];
  EXPECT_EQ(data["nodes"][from]["label"], "r1");
  EXPECT_EQ(ofKind(data, "output")[0]["name"], "probabilities");
}

// Without sizes nothing can be compiled, so the page has the graph only.
TEST_F(ViewTest, holdsTheNamesOfOpenDimensions) {
  const json data = view({write("open.webnn", R"(webnn_graph "open" v2 {
    inputs { x: f32[dyn("n", 64), dyn("m", 9, 0), 4]; }
    nodes { y = reshape(x, newShape=[{name: "= m * n", maxSize: 576, minSize: 0}, 4]); }
    outputs { y; } })")});
  const json operation = ofKind(data, "operation")[0];
  EXPECT_EQ(operation["types"], json::parse(R"x([["float32", "(m * n)", 4]])x"));
  EXPECT_EQ(operation["options"]["newShape"], R"(["m * n",4])");
  EXPECT_EQ(ofKind(data, "input")[0]["types"], json::parse(R"([["float32", "n", "m", 4]])"));
  EXPECT_FALSE(data.contains("compiled"));
}

TEST_F(ViewTest, holdsSamplesOfConstants) {
  const json weights = ofKind(view({write("c.webnn", R"(webnn_graph "c" v1 {
    inputs { x: f32[2]; }
    consts { zero: f32[3, 100] @scalar(0.5); }
    nodes { y = reduceSum(zero); z = add(x, y); }
    outputs { z; } })")}),
                              "constant")[0]["weights"];
  EXPECT_EQ(weights["sampled"], 300);
  EXPECT_EQ(weights["min"], 0.5);
  EXPECT_EQ(weights["max"], 0.5);
  EXPECT_EQ(weights["deviation"], 0);
  EXPECT_EQ(weights["picture"]["rows"], 3);
  EXPECT_EQ(weights["picture"]["columns"], 100);
  EXPECT_EQ(weights["picture"]["width"], 48);
  for (const json& constant : ofKind(view({kDigits}), "constant")) {
    std::uint64_t sum = 0, count = 1;
    for (const json& bin : constant["weights"]["histogram"]) sum += bin.get<std::uint64_t>();
    for (const json& size : constant["types"][0]) count *= size.is_number() ? size.get<std::uint64_t>() : 1;
    EXPECT_EQ(sum, std::min<std::uint64_t>(count, 8192)) << constant["name"];
  }
  EXPECT_FALSE(ofKind(view({kDigits, "--no-weights"}), "constant")[0].contains("weights"));
}

TEST(ViewSample, reachesTheEndOfALargeConstant) {
  std::vector<std::byte> elements(std::size_t{1} << 20);
  std::fill(elements.end() - 128, elements.end(), std::byte{7});
  const formats::Json sample = cli::weightsJson({DataType::uint8, {1 << 20}}, elements, false);
  EXPECT_EQ(sample.find("max")->asDouble(), 7);
}

// Tests the steps in the page with the digits network, a chain in which each step reads the result of the previous one.
TEST_F(ViewTest, holdsTheStepsThatRun) {
  const json data = view({kDigits}),
             placed = json::parse(runTool({"inspect", kDigits, "--placement", "--json", "--backend", "cpu"}).out);
  const json& steps = data["compiled"]["steps"];
  ASSERT_GT(steps.size(), 4);
  EXPECT_EQ(steps[0]["inputs"], json::parse(R"([[1, 0, ["float32", 1, 1, 28, 28]]])"));
  for (std::size_t i = 1; i < steps.size(); ++i) {
    ASSERT_EQ(steps[i]["inputs"].size(), 1) << i;
    EXPECT_EQ(steps[i]["inputs"][0][0], 0);
    EXPECT_EQ(steps[i]["inputs"][0][1], i - 1);
  }
  EXPECT_EQ(data["compiled"]["outputs"][0][0][1], steps.size() - 1);
  for (std::size_t i = 0; i < placed["operations"].size(); ++i) {
    const json& operation = placed["operations"][i];
    EXPECT_EQ(data["placement"][i]["state"], operation["state"]);
    EXPECT_EQ(data["placement"][i].value("steps", json::array()), operation["steps"]);
    for (std::size_t j = 0; j < operation["steps"].size(); ++j)
      EXPECT_EQ(steps[operation["steps"][j].get<std::size_t>()]["kernel"], operation["kernels"][j]);
  }
}

// A concatenation whose parts are computed in place is not a step. Steps that read it are connected to the producers of all
// parts.
TEST_F(ViewTest, stepsReadThePartsOfAConcatenation) {
  const json data = view({write("c.webnn", R"(webnn_graph "c" v1 {
    inputs { x: f32[4, 64]; w: f32[4, 64]; }
    nodes { a = softmax(x, axis=1); b = softmax(w, axis=1); c = concat(a, b, axis=0); y = reduceMax(c, axes=[0]); }
    outputs { y; } })")});
  ASSERT_EQ(data["placement"][2]["state"], "removed") << data["placement"];
  const json& last = data["compiled"]["steps"].back();
  EXPECT_EQ(last["name"], "reduceMax");
  ASSERT_EQ(last["inputs"].size(), 2);
  EXPECT_EQ(last["inputs"][0][1], 0);
  EXPECT_EQ(last["inputs"][1][1], 1);
}

TEST_F(ViewTest, coloursByATrace) {
  ASSERT_EQ(runTool({"bench", kDigits, "--runs", "1", "--no-memory", "--trace", path("t.json"), "--quiet"}).status, 0);
  const json heats = view({kDigits, "--trace", path("t.json")})["heats"];
  ASSERT_EQ(heats.size(), 1);
  std::vector<double> times;
  const json trace = json::parse(read("t.json"));
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") times.push_back(event["dur"]);
  }
  EXPECT_EQ(heats[0]["steps"].get<std::vector<double>>(), times);
  expectMessage(runTool({"view", write("one.webnn", R"(webnn_graph "o" v1 {
    inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } })"),
                         "--trace", path("t.json"), "-o", path("o.html")}),
                1, {"t.json", "7 steps, and the graph 1", "webnn bench"});
  expectMessage(runTool({"view", kDigits, "--graph-only", "--trace", path("t.json"), "-o", "-"}), 2, {"--trace", "--graph-only"});
  expectMessage(runTool({"view", kDigits, "--trace", write("bad.json", "{\"traceEvents\": [{\"ph\": 1}]}"), "-o", "-"}), 1,
                {"bad.json", "traceEvents[0].ph"});
}

TEST_F(ViewTest, coloursByDifferences) {
  const std::string diff = write("d.json", R"({"trusted": "reference", "comparisons": [{"backend": "cpu", "operands": [
      {"name": "p1", "relative": 0.5, "absolute": 2, "ulp": 9, "agrees": false},
      {"name": "probabilities", "relative": "Infinity", "absolute": 2, "ulp": 9, "agrees": true}]}]})");
  const json heat = view({kDigits, "--diff", diff, "--graph-only"})["heats"][0];
  EXPECT_EQ(heat["backend"], "cpu");
  EXPECT_EQ(heat["operations"][2]["relative"], 0.5);
  EXPECT_EQ(heat["operations"][2]["agrees"], false);
  EXPECT_EQ(heat["operations"][8]["relative"], "Infinity");
  EXPECT_TRUE(heat["operations"][0].is_null());
  const std::string other = write("o.json", R"({"trusted": "r", "comparisons": [{"backend": "c", "operands": [{"name": "p7",
      "relative": 0, "absolute": 0, "ulp": 0, "agrees": true}]}]})");
  expectMessage(runTool({"view", kDigits, "--diff", other, "-o", "-"}), 1, {"o.json", "comparisons[0].operands[0].name", "p7"});
}

TEST_F(ViewTest, namesEndNoScript) {
  const std::string page = runTool({"view", write("h.webnn", R"(webnn_graph "</script><script>alert(1)</script>" v1 {
    inputs { "<img src=x onerror=alert(1)>": f32[2]; }
    nodes { y = relu("<img src=x onerror=alert(1)>", label="]]>\u2028<!--<script>"); }
    outputs { y; } })"),
                                    "-o", "-"})
                               .out;
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("<!--<"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"), std::string::npos);
}

TEST_F(ViewTest, cutsLongNames) {
  std::string name;
  for (int i = 0; i < 100'000; ++i) name += "é";  // two bytes, so that the limit of 4096 bytes is inside a character
  const std::string model =
      write("long.webnn", "webnn_graph \"a" + name + "\" v1 { inputs { \"b" + name + "\": f32[2]; } nodes { \"c" + name +
                              "\" = relu(\"b" + name + "\", label=\"d" + name + "\"); } outputs { \"c" + name + "\"; } }");
  const json data = view({model});
  EXPECT_LT(data.dump().size(), 50'000);
  const std::string cut = "d" + name.substr(0, 4094) + "…";
  EXPECT_EQ(ofKind(data, "operation")[0]["label"], cut);
}

TEST_F(ViewTest, refusesDifferencesThatAreNone) {
  for (const std::string relative : {"\"NaN\"", "-1", "\"-Infinity\""}) {
    const std::string diff = write("d.json", R"({"trusted": "reference", "comparisons": [{"backend": "cpu", "operands": [
      {"name": "c1", "ulp": 1, "absolute": 0, "relative": )" +
                                                 relative + R"(, "agrees": true}]}]})");
    expectMessage(runTool({"view", kDigits, "--diff", diff, "-o", "-"}), 1, {"comparisons[0].operands[0].relative", "0 or more"});
  }
}

TEST_F(ViewTest, replacesNothingThatIsRead) {
  const std::string text = R"(webnn_graph "m" v1 { inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } })";
  const std::string model = write("m.webnn", text);
  std::filesystem::create_symlink(model, path("link"));
  expectMessage(runTool({"view", model, "-o", path("link")}), 2, {"--out", "link"});
  expectMessage(runTool({"bench", model, "--runs", "1", "--trace", model}), 2, {"--trace", "m.webnn"});
  expectMessage(runTool({"bench", model, "--runs", "1", "-o", model}), 2, {"--out", "m.webnn"});
  EXPECT_EQ(read("m.webnn"), text);
}

TEST_F(ViewTest, printsThePathAndDoesNotOverwriteForeignFiles) {
  const std::string program = "#!/bin/sh\nprintf %s \"$1\" > " + path("opened") + "\n";
  std::filesystem::permissions(write("xdg-open", program), std::filesystem::perms::owner_all);
  const auto inFolder = [&](const std::string& display) {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(path("."));
    const ToolResult result =
        runTool({"view", kDigits}, {"PATH=" + path(".") + ":/usr/bin:/bin", "DISPLAY=" + display, "WAYLAND_DISPLAY="});
    std::filesystem::current_path(before);
    return result;
  };
  EXPECT_EQ(inFolder("").out, "wrote digits.html\n");
  EXPECT_FALSE(std::filesystem::exists(path("opened")));
  EXPECT_EQ(inFolder(":0").out, "wrote digits.html\n");
  EXPECT_EQ(std::filesystem::path(read("opened")).filename(), "digits.html");
  write("digits.html", "mine");
  expectMessage(inFolder(""), 2, {"digits.html", "-o"});
  EXPECT_EQ(read("digits.html"), "mine");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
