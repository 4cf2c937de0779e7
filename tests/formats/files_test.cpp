// Tests load() and save() with real files.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "formats/formats_support.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
using test::expectError;

const std::vector<GraphFormat> kFormats{GraphFormat::webnnText, GraphFormat::graphJson,
#ifdef WEBNN_SERVICE
                                        GraphFormat::webnnBinary,
#endif
                                        GraphFormat::onnx};

struct Files : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("webnn_files_" + std::to_string(getpid()) + "_" +
                                                 testing::UnitTest::GetInstance()->current_test_info()->name());
  Context context = test::makeContext();

  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string& name, std::string_view text) { std::ofstream(folder / name, std::ios::binary) << text; }
  std::string read(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return text.str();
  }
  std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const auto& entry : fs::directory_iterator(folder)) result.push_back(entry.path().filename().string());
    std::ranges::sort(result);
    return result;
  }
  // Makes a graph with constants of all types. A constant of 3 bytes makes the next one unaligned.
  Graph makeGraph() {
    test::Fixture fixture;
    std::vector<NamedOperand> outputs;
    for (std::size_t i = 0; i < kDataTypeCount; ++i) {
      const auto type = static_cast<DataType>(i);
      const Operand constant = fixture.constant(type, {3}, {1, 2, 3});
      if (i % 2 == 0) fixture.builder.setName(constant, "layer.\"" + std::string(name(type)) + "\"");
      outputs.emplace_back("y" + std::to_string(i), fixture.builder.identity(constant));
    }
    return fixture.builder.build(std::move(outputs));
  }
};

TEST_F(Files, LoadsContentThatIsInMemory) {
  const Graph graph = makeGraph();
  for (const GraphFormat format : kFormats) {
    save(graph, folder / "inline", {.graph = format, .weights = WeightsFormat::inlineBytes});
    const auto content = std::make_shared<const std::string>(read("inline"));
    const Graph loaded = load(context, ExternalBytes{std::as_bytes(std::span(*content)), content});
    EXPECT_EQ(loaded.inputs(), graph.inputs());
    EXPECT_EQ(loaded.outputs(), graph.outputs());
  }
}

TEST_F(Files, LoadsNothingBesideContentThatIsInMemory) {
  save(makeGraph(), folder / "g.webnn");
  const auto content = std::make_shared<const std::string>(read("g.webnn"));
  const ExternalBytes bytes{std::as_bytes(std::span(*content)), content};
  expectError(ErrorKind::notFoundError, {"weights", "must be named"}, [&] { load(context, bytes); });
  EXPECT_EQ(load(context, bytes, {.weights = folder / "g.safetensors"}).inputs(), load(context, folder / "g.webnn").inputs());
}

TEST_F(Files, LoadRestoresSavedGraphs) {
  const Graph graph = makeGraph();
  for (const GraphFormat format : kFormats) {
    if (format == GraphFormat::onnx) continue;
    for (const WeightsFormat weights : {WeightsFormat::safetensors, WeightsFormat::manifest, WeightsFormat::inlineBytes}) {
      fs::remove_all(folder);
      fs::create_directories(folder);
      save(graph, folder / "net.v1.webnn", {.graph = format, .weights = weights});
      EXPECT_TRUE(definitionOf(load(context, folder / "net.v1.webnn")) == definitionOf(graph)) << read("net.v1.webnn");
      const std::vector<std::string> expected =
          weights == WeightsFormat::safetensors ? std::vector<std::string>{"net.v1.safetensors", "net.v1.webnn"}
          : weights == WeightsFormat::manifest
              ? std::vector<std::string>{"net.v1.manifest.json", "net.v1.webnn", "net.v1.weights"}
              : std::vector<std::string>{"net.v1.webnn"};
      EXPECT_EQ(names(), expected);
    }
  }
}

TEST_F(Files, SaveOverTheFilesThatAGraphWasLoadedFrom) {
  save(makeGraph(), folder / "net.webnn");
  const Graph loaded = load(context, folder / "net.webnn");
  save(loaded, folder / "net.webnn");
  EXPECT_TRUE(definitionOf(load(context, folder / "net.webnn")) == definitionOf(makeGraph()));
}

TEST_F(Files, SaveWritesNoWeightsForAGraphWithoutConstants) {
  test::Fixture fixture;
  const Graph graph = fixture.builder.build({{"y", fixture.builder.relu(fixture.input({2}))}});
  save(graph, folder / "net.webnn");
  EXPECT_EQ(names(), std::vector<std::string>{"net.webnn"});
  EXPECT_TRUE(definitionOf(load(context, folder / "net.webnn")) == definitionOf(graph));
}

TEST_F(Files, SaveRefusesWeightsThatLoadWouldNotFind) {
  write("net.safetensors", "");
  expectError(ErrorKind::operationError, {"net.safetensors"},
              [&] { save(makeGraph(), folder / "net.webnn", {.weights = WeightsFormat::manifest}); });
  EXPECT_EQ(names(), std::vector<std::string>{"net.safetensors"});
}

TEST_F(Files, SaveRefusesNamesThatAreNotUtf8) {
  test::Fixture fixture;
  const Graph graph = fixture.builder.build({{"y", fixture.builder.relu(fixture.input({2}), {.label = "\xFF"})}});
  test::expectTypeError({"label", "\\xFF", "UTF-8"}, [&] { save(graph, folder / "net.webnn"); });
  EXPECT_TRUE(names().empty());
}

TEST_F(Files, SaveTakesTheFormatFromTheSuffix) {
  const Graph graph = makeGraph();
  for (const auto& [name, format] : std::vector<std::pair<std::string, GraphFormat>>{{"a.webnn", GraphFormat::webnnText},
                                                                                     {"a.json", GraphFormat::graphJson},
#ifdef WEBNN_SERVICE
                                                                                     {"a.webnnb", GraphFormat::webnnBinary},
#endif
                                                                                     {"a.ONNX", GraphFormat::onnx}}) {
    save(graph, folder / name, {.weights = WeightsFormat::inlineBytes});
    save(graph, folder / "same", {.graph = format, .weights = WeightsFormat::inlineBytes});
    EXPECT_EQ(read(name), read("same")) << name;
  }
  // The format in the options takes precedence over the suffix.
  save(graph, folder / "b.onnx", {.graph = GraphFormat::webnnText});
  EXPECT_TRUE(read("b.onnx").starts_with("webnn_graph"));
}

TEST_F(Files, SaveRefusesASuffixThatItDoesNotKnow) {
  const Graph graph = makeGraph();
  for (const char* name : {"x.h5", "x", "x.webnn.bak", ".onnx"}) {
    test::expectTypeError({name, ".webnn, .webnnb, .json, .onnx or .mlpackage", "give the format"},
                          [&] { save(graph, folder / name); });
  }
  EXPECT_EQ(names(), std::vector<std::string>());
}

TEST_F(Files, ErrorsOfSaveNameTheFileThatWasAskedFor) {
  for (const char* name : {"absent/net.webnn", "absent/net.json", "absent/net.onnx"}) {
    const std::string path = (folder / name).string();
    test::expectError(ErrorKind::operationError, {path + ": ", "No such file"}, [&] { save(makeGraph(), path); });
    try {
      save(makeGraph(), path);
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find(".tmp"), std::string_view::npos) << error.what();
    }
  }
}

TEST_F(Files, SaveRefusesToWriteTheWeightsOverTheGraph) {
  test::expectTypeError({"net.safetensors"},
                        [&] { save(makeGraph(), folder / "net.safetensors", {.graph = GraphFormat::webnnText}); });
  EXPECT_TRUE(names().empty());
}

TEST_F(Files, LoadSaysWhichFileIsWrongAndWhere) {
  write("net.webnn", "webnn_graph \"g\" v2 {\n inputs { x; } }");
  expectError(ErrorKind::dataError, {"net.webnn: line 2, column 12: "}, [&] { load(context, folder / "net.webnn"); });
  write("net.webnn", "webnn_graph \"g\" v2 { consts { w: f32[1]; } nodes { y = relu(w); } outputs { y; } }");
  expectError(ErrorKind::notFoundError, {"net.webnn: ", "constant \"w\""}, [&] { load(context, folder / "net.webnn"); });
  expectError(ErrorKind::notFoundError, {"none.webnn"}, [&] { load(context, folder / "none.webnn"); });
}

TEST_F(Files, LoadTakesAnyFormatUnderAnyName) {
  write("graph.txt",
        R"({"format": "webnn-graph-json", "version": 1, "inputs": {"x": {"dataType": "float32",
        "shape": [{"name": "n", "maxSize": 4}]}},
                         "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}], "outputs": {"y": "y"}})");
  EXPECT_EQ(load(context, folder / "graph.txt", {.dimensions = {{"n", 3}}}).outputs()[0].second.shape, Shape{3});
}

TEST(Digits, LoadsTheExample) {
  Context context = test::makeContext();
  const Graph graph = load(context, fs::path(WEBNN_SOURCE_DIR) / "examples/digits/digits.webnn");
  ASSERT_EQ(graph.outputs().size(), 1u);
  EXPECT_EQ(graph.outputs()[0].first, "probabilities");
  EXPECT_EQ(graph.outputs()[0].second.shape, (Shape{1, 10}));
  test::expectRoundTrip(graph);
}

// Tests the voice example against probabilities that are computed in double precision. Two tensors hold the state of the network;
// each is input and output alternately.
TEST(Voice, HearsWithTheProbabilitiesComputedInDoublePrecision) {
  const fs::path folder = fs::path(WEBNN_SOURCE_DIR) / "examples/voice";
  const auto expected = nlohmann::json::parse(std::ifstream(folder / "expected.json"));
  Context context = test::makeContext();
  const Graph graph = load(context, folder / "voice.webnn");
  test::expectRoundTrip(graph);
  Tensor features = context.createTensor({.dataType = DataType::float32, .shape = {1, 40}, .writable = true});
  Tensor before = context.createTensor({DataType::float32, {1, 64}}), after = context.createTensor({DataType::float32, {1, 64}});
  Tensor probability = context.createTensor({.dataType = DataType::float32, .shape = {1, 1}, .readable = true});
  std::size_t silent = 0, spoken = 0;
  for (std::size_t i = 0; i < expected["features"].size(); ++i) {
    context.write(features, expected["features"][i].get<std::vector<float>>());
    context.dispatch(graph, {{"features", features}, {"state", before}}, {{"probability", probability}, {"next_state", after}});
    std::swap(before, after);
    const auto value = expected["probabilities"][i].get<double>();
    EXPECT_NEAR(context.read<float>(probability)[0], value, 1e-4) << "frame " << i;
    ++(value < 0.5 ? silent : spoken);
  }
  EXPECT_GE(std::min(silent, spoken), 20u);  // the recording has both silence and speech
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
