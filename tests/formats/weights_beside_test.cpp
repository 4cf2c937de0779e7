// Weights that are saved beside a graph: nobody else loses theirs.
#include "formats/weights_beside.h"

#include "formats/formats_support.h"
#include "formats/save_program.h"
#include "support/files.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::readText;
using test::writeText;

// y = x + w, z = relu of a small constant.
Graph sumWith(float w) {
  test::Fixture fixture;
  const std::vector<float> weights(256, w);
  const Operand constant = fixture.builder.constant({DataType::float32, {256}}, std::as_bytes(std::span(weights)));
  fixture.builder.setName(constant, "w");
  const std::vector<float> small{w, w};  // which programs have in their text
  const Operand pair = fixture.builder.constant({DataType::float32, {2}}, std::as_bytes(std::span(small)));
  return fixture.builder.build({{"y", fixture.builder.add(fixture.input({256}), constant)}, {"z", fixture.builder.relu(pair)}});
}

bool reads(const std::filesystem::path& path, const Graph& graph) {
  Context context = test::makeContext();
  return definitionOf(load(context, path)) == definitionOf(graph);
}

TEST(WeightsBeside, AreSharedByGraphsThatHaveTheSame) {
  const test::TemporaryFolder folder;
  const Graph graph = sumWith(1);
  for (const char* name : {"m.webnn", "m.json", "m.webnn"}) save(graph, folder / name);
  formats::saveProgram(definitionOf(graph), formats::Language::python, folder / "m.py");
  formats::saveProgram(definitionOf(graph), formats::Language::javaScript, folder / "m.js");
  EXPECT_TRUE(reads(folder / "m.webnn", graph) && reads(folder / "m.json", graph));
}

TEST(WeightsBeside, AreNotTakenFromAGraphOfTheSameName) {
  for (const WeightsFormat format : {WeightsFormat::safetensors, WeightsFormat::manifest}) {
    const test::TemporaryFolder folder;
    save(sumWith(1), folder / "m.webnn", {.weights = format});
    test::expectError(ErrorKind::operationError, {"m.json", "m.webnn would lose its weights", "another name", "inline"},
                      [&] { save(sumWith(2), folder / "m.json", {.weights = format}); });
    EXPECT_FALSE(std::filesystem::exists(folder / "m.json"));
    EXPECT_TRUE(reads(folder / "m.webnn", sumWith(1)));
    save(sumWith(2), folder / "m.json", {.weights = WeightsFormat::inlineBytes});
    EXPECT_TRUE(reads(folder / "m.json", sumWith(2)));
    save(sumWith(3), folder / "m.webnn", {.weights = format});  // the other one has its own, inline
    EXPECT_TRUE(reads(folder / "m.webnn", sumWith(3)) && reads(folder / "m.json", sumWith(2)));
  }
}

TEST(WeightsBeside, AreNotTakenByAProgram) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.webnn");
  formats::saveProgram(definitionOf(sumWith(2)), formats::Language::python, folder / "m.py");
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(1)));
  EXPECT_NE(readText(folder / "m.py").find("m.py.safetensors"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "m.py.safetensors"));
}

// Neither by programs in other languages nor by a graph, also when one that is there already is written again.
TEST(WeightsBeside, AreNotTakenFromAProgram) {
  const test::TemporaryFolder folder;
  const auto write = [&](float w, formats::Language language, const char* name) {
    formats::saveProgram(definitionOf(sumWith(w)), language, folder / name);
  };
  write(1, formats::Language::javaScript, "m.js");
  const std::string weights = readText(folder / "m.safetensors");
  for (const float w : {2.f, 3.f}) {
    write(w, formats::Language::python, "m.py");
    EXPECT_EQ(readText(folder / "m.safetensors"), weights);
    EXPECT_TRUE(std::filesystem::exists(folder / "m.py.safetensors"));
  }
  test::expectError(ErrorKind::operationError, {"m.js would lose its weights"}, [&] { save(sumWith(2), folder / "m.webnn"); });
  EXPECT_EQ(readText(folder / "m.safetensors"), weights);
  EXPECT_FALSE(std::filesystem::exists(folder / "m.webnn"));
}

// load() takes NAME.safetensors before NAME.weights, so that a new one would hide what a graph has there.
TEST(WeightsBeside, AreNotHiddenFromAGraph) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.webnn", {.weights = WeightsFormat::manifest});
  test::expectError(ErrorKind::operationError, {"m.webnn would lose its weights", "m.weights"},
                    [&] { save(sumWith(2), folder / "m.json", {.weights = WeightsFormat::safetensors}); });
  formats::saveProgram(definitionOf(sumWith(2)), formats::Language::javaScript, folder / "m.js");
  EXPECT_TRUE(std::filesystem::exists(folder / "m.js.safetensors"));
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(1)));
  save(sumWith(3), folder / "m.webnn");  // its own it may
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(3)));
}

TEST(WeightsBeside, OfSomebodyElseStay) {
  const test::TemporaryFolder folder;
  writeText(folder / "model.safetensors", "a network in another program's layout");
  for (const char* name : {"model.webnn", "model.json"}) {
    test::expectError(ErrorKind::operationError, {"model.safetensors", "already with others", "another name"},
                      [&] { save(sumWith(1), folder / name); });
    EXPECT_FALSE(std::filesystem::exists(folder / name));
  }
  for (int time = 0; time < 2; ++time)
    formats::saveProgram(definitionOf(sumWith(1)), formats::Language::cpp, folder / "model.cpp");
  EXPECT_TRUE(std::filesystem::exists(folder / "model.cpp.safetensors"));
  writeText(folder / "page.manifest.json", "{}");
  test::expectError(ErrorKind::operationError, {"page.manifest.json", "is there already with others"},
                    [&] { save(sumWith(1), folder / "page.webnn", {.weights = WeightsFormat::manifest}); });
  EXPECT_EQ(readText(folder / "page.manifest.json"), "{}");
  writeText(folder / "model.py.safetensors", "another's");
  test::expectError(ErrorKind::operationError, {"model.py.safetensors", "is there already with others"},
                    [&] { formats::saveProgram(definitionOf(sumWith(1)), formats::Language::python, folder / "model.py"); });
  EXPECT_EQ(readText(folder / "model.py.safetensors"), "another's");
  EXPECT_FALSE(std::filesystem::exists(folder / "model.py"));
  EXPECT_EQ(readText(folder / "model.safetensors"), "a network in another program's layout");
}

TEST(WeightsBeside, AreReplacedWithTheirGraph) {
  const test::TemporaryFolder folder;
  for (const float w : {1.f, 2.f}) {
    save(sumWith(w), folder / "m.webnn");
    EXPECT_TRUE(reads(folder / "m.webnn", sumWith(w)));
    formats::saveProgram(definitionOf(sumWith(w)), formats::Language::python, folder / "p.py");
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
