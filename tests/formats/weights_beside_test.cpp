// Tests that saving weights beside a graph does not take over or hide the weights of another graph.
#include "formats/weights_beside.h"

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <random>
#include <tuple>

#include "base/text.h"
#include "formats/formats_support.h"
#include "formats/save_program.h"
#include "support/files.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::readText;
using test::writeText;

// Returns y = x + w and z = relu of a small constant.
Graph sumWith(float w) {
  test::Fixture fixture;
  const std::vector<float> weights(256, w);
  const Operand constant = fixture.builder.constant({DataType::float32, {256}}, std::as_bytes(std::span(weights)));
  fixture.builder.setName(constant, "w");
  const std::vector<float> small{w, w};  // programs have small constants in their text
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
    save(sumWith(3), folder / "m.webnn", {.weights = format});  // m.json has its own weights, inline
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

// Tests that neither a program in another language nor a graph takes over the weights file of a program. The program itself may
// be written again.
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

// Tests that saving does not create a NAME.safetensors beside a graph with a NAME.weights. load() prefers the former, so the
// existing graph would lose its weights.
TEST(WeightsBeside, AreNotHiddenFromAGraph) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.webnn", {.weights = WeightsFormat::manifest});
  test::expectError(ErrorKind::operationError, {"m.webnn would lose its weights", "m.weights"},
                    [&] { save(sumWith(2), folder / "m.json", {.weights = WeightsFormat::safetensors}); });
  formats::saveProgram(definitionOf(sumWith(2)), formats::Language::javaScript, folder / "m.js");
  EXPECT_TRUE(std::filesystem::exists(folder / "m.js.safetensors"));
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(1)));
  save(sumWith(3), folder / "m.webnn");  // m.webnn may replace its own weights
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

// Tests that weights of a graph with any suffix are kept, because load() ignores suffixes and recognizes formats by content.
TEST(WeightsBeside, AreNotTakenFromFilesOfAnySuffix) {
  for (const char* name : {"m.WEBNN", "m.txt", "m"}) {
    const test::TemporaryFolder folder;
    save(sumWith(1), folder / name, {.graph = GraphFormat::webnnText});
    save(sumWith(1), folder / "m.webnn");
    test::expectError(ErrorKind::operationError, {name, "would lose its weights"}, [&] { save(sumWith(2), folder / "m.webnn"); });
    EXPECT_TRUE(reads(folder / name, sumWith(1)) && reads(folder / "m.webnn", sumWith(1)));
  }
}

TEST(WeightsBeside, AreNotTakenFromEditedPrograms) {
  const test::TemporaryFolder folder;
  formats::saveProgram(definitionOf(sumWith(1)), formats::Language::python, folder / "m.py");
  writeText(folder / "m.py", "#!/usr/bin/env python3\n" + readText(folder / "m.py"));
  writeText(folder / "m.webnn",
            "webnn_graph \"m\" v2 { inputs { x: f32[256]; } consts { w: f32[256] @weights(\"w\"); } nodes { y = add(x, w); } "
            "outputs { y; } }");
  test::expectError(ErrorKind::operationError, {"m.py would lose its weights"}, [&] { save(sumWith(2), folder / "m.webnn"); });
}

// Tests that saving does not hide weights that several graphs share: graphs without weights under their own name use
// model.safetensors and manifest.json.
TEST(WeightsBeside, OfAllGraphsAreNotHidden) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "model.webnn");
  std::filesystem::copy(folder / "model.webnn", folder / "x.webnn");
  test::expectError(ErrorKind::operationError, {"x.webnn would lose its weights", "model.safetensors"},
                    [&] { save(sumWith(2), folder / "x.json"); });
  test::expectError(ErrorKind::operationError, {"x.webnn would lose its weights", "model.safetensors"},
                    [&] { save(sumWith(2), folder / "model.webnn"); });
  EXPECT_TRUE(reads(folder / "x.webnn", sumWith(1)));
  const test::TemporaryFolder other;
  save(sumWith(1), other / "x.webnn", {.weights = WeightsFormat::manifest});
  std::filesystem::rename(other / "x.manifest.json", other / "manifest.json");
  test::expectError(ErrorKind::operationError, {"x.webnn would lose its weights"},
                    [&] { save(sumWith(2), other / "x.json", {.weights = WeightsFormat::manifest}); });
  EXPECT_TRUE(reads(other / "x.webnn", sumWith(1)));
}

TEST(WeightsBeside, AreNotReplacedByAGraph) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.webnn", {.weights = WeightsFormat::manifest});
  for (const WeightsFormat format : {WeightsFormat::inlineBytes, WeightsFormat::safetensors})
    test::expectError(ErrorKind::operationError, {"m.webnn would lose its weights", "m.manifest.json"},
                      [&] { save(sumWith(2), folder / "m.manifest.json", {.weights = format}); });
  test::expectError(ErrorKind::operationError, {"m.webnn would lose its weights", "m.weights"},
                    [&] { formats::saveProgram(definitionOf(sumWith(2)), formats::Language::python, folder / "m.weights"); });
  test::expectError(ErrorKind::operationError, {"m.webnn would lose its weights", "m.weights"}, [&] {
    save(sumWith(2), folder / "m.safetensors", {.graph = GraphFormat::onnx, .weights = WeightsFormat::inlineBytes});
  });
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(1)));
}

TEST(WeightsBeside, OfAnotherModelInOnnxStay) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.onnx.data", {.graph = GraphFormat::graphJson});
  test::expectError(ErrorKind::operationError, {"m.onnx.data", "is there already"}, [&] { save(sumWith(2), folder / "m.onnx"); });
  EXPECT_TRUE(reads(folder / "m.onnx.data", sumWith(1)));
  EXPECT_FALSE(std::filesystem::exists(folder / "m.onnx"));
}

// Tests that a copy of a program keeps its weights. Programs contain the name of their weights file, so a copy with another name
// uses the same file.
TEST(WeightsBeside, AreNotTakenFromACopyOfAProgram) {
  const test::TemporaryFolder folder;
  formats::saveProgram(definitionOf(sumWith(1)), formats::Language::javaScript, folder / "m.js");
  std::filesystem::copy(folder / "m.js", folder / "before.js");
  const std::string weights = readText(folder / "m.safetensors");
  for (int time = 0; time < 2; ++time) {
    formats::saveProgram(definitionOf(sumWith(2)), formats::Language::javaScript, folder / "m.js");
    EXPECT_EQ(readText(folder / "m.safetensors"), weights);
    EXPECT_NE(readText(folder / "m.js").find("m.js.safetensors"), std::string::npos);
  }
  test::expectError(ErrorKind::operationError, {"before.js would lose its weights"},
                    [&] { save(sumWith(2), folder / "m.webnn"); });
}

// Tests that weights are not saved through a symbolic link: load() does not follow the link, and the file behind it may belong to
// another graph.
TEST(WeightsBeside, AreNotSavedThroughALink) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.webnn");
  save(sumWith(1), folder / "m.json", {.weights = WeightsFormat::inlineBytes});
  for (const char* target : {"m.safetensors", "nothing"}) {
    for (const char* name : {"n.safetensors", "n.onnx.data"}) {
      std::filesystem::remove(folder / name);
      std::filesystem::create_symlink(target, folder / name);
    }
    for (const float w : {1.f, 2.f}) {
      for (const char* name : {"n.webnn", "n.onnx"}) {
        test::expectError(ErrorKind::operationError, {"where the weights would go, is a symbolic link", "inline"},
                          [&] { save(sumWith(w), folder / name); });
        EXPECT_FALSE(std::filesystem::exists(folder / name));
      }
      formats::saveProgram(definitionOf(sumWith(w)), formats::Language::python, folder / "n.py");
      EXPECT_NE(readText(folder / "n.py").find("n.py.safetensors"), std::string::npos);
    }
  }
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(1)));
  EXPECT_FALSE(std::filesystem::exists(folder / "nothing"));
}

TEST(WeightsBeside, AreNotReplacedByAGraphThroughALink) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.webnn");
  std::filesystem::create_symlink("m.safetensors", folder / "n.json");
  test::expectError(ErrorKind::operationError, {"m.webnn would lose its weights"},
                    [&] { save(sumWith(2), folder / "n.json", {.weights = WeightsFormat::inlineBytes}); });
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(1)));
}

// Tests that weights do not replace a graph whose file has the name that the weights would get.
TEST(WeightsBeside, DoNotReplaceAGraphUnderTheirName) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.webnn");
  save(sumWith(2), folder / "other.webnnb");
  std::filesystem::rename(folder / "other.webnnb", folder / "m.safetensors");
  test::expectError(ErrorKind::operationError, {"m.safetensors", "is there already"},
                    [&] { save(sumWith(1), folder / "m.webnn"); });
  EXPECT_TRUE(reads(folder / "m.safetensors", sumWith(2)));
}

// Tests that saving through a link is refused if the file behind the link would get this graph's operations but keep its own
// weights.
TEST(WeightsBeside, AreNotKeptByAGraphThatIsReplacedThroughALink) {
  const test::TemporaryFolder folder;
  save(sumWith(1), folder / "m.webnn");
  std::filesystem::create_symlink("m.webnn", folder / "link.webnn");
  test::expectError(ErrorKind::operationError, {"m.webnn would lose its weights"},
                    [&] { save(sumWith(2), folder / "link.webnn"); });
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(1)));
  save(sumWith(2), folder / "link.webnn", {.weights = WeightsFormat::inlineBytes});
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(2)));
  test::expectError(ErrorKind::operationError, {"m.webnn would lose its weights", "beside a symbolic link"},
                    [&] { save(sumWith(3), folder / "link.webnn"); });
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(2)));
  std::filesystem::remove(folder / "m.safetensors");
  std::filesystem::create_symlink("m.webnn", folder / "m.json");  // a graph that has the same weights
  save(sumWith(3), folder / "m.json");
  EXPECT_TRUE(reads(folder / "m.webnn", sumWith(3)));
}

// Saves graphs and programs randomly under a few names in one directory.
class Folder {
 public:
  explicit Folder(std::uint32_t seed) : random_(seed) {}

  // Saves one of three graphs under a random name. If saving is refused, no file may have changed. All saved graphs must still
  // have their weights.
  void step() {
    const std::map<std::string, std::string> before = files();
    const auto [graph, stem, weights] = std::tuple(1 + pick(3), any({"m", "m", "M", "model", "m.b", "m.manifest"}), pick(4));
    std::string what = formatText("graph {} weights {} ", graph, weights);
    std::string name;
    try {
      if (pick(3) == 0) {
        name = stem + any({".js", ".py", ".cpp", ".PY", ".txt", "", ".webnn.safetensors"});
        formats::saveProgram(definitionOf(sumWith(float(graph))), static_cast<formats::Language>(pick(3)), folder_ / name);
      } else {
        name = stem + any({".webnn", ".json", ".onnx", ".WEBNN", ".txt", "", ".data", ".onnx.data", ".weights", ".safetensors"});
        SaveOptions options{.graph = any({GraphFormat::webnnText, GraphFormat::graphJson, GraphFormat::onnx})};
        if (weights < 3) options.weights = static_cast<WeightsFormat>(weights);
        save(sumWith(float(graph)), folder_ / name, options);
      }
      saved_[name] = float(graph);
      for (auto& [file, w] : saved_) {  // also for links that lead to the saved file
        if (std::filesystem::canonical(folder_ / file) == std::filesystem::canonical(folder_ / name)) w = float(graph);
      }
    } catch (const Error& error) {
      EXPECT_EQ(files(), before) << name << ": " << error.what();
      what += "refused ";
    }
    log_ += what + name + "\n";
    copyFromModel();
    linkOrCopy();
    for (const auto& [file, w] : saved_) EXPECT_TRUE(has(file, w)) << file << " has lost its weights:\n" << log_;
  }

 private:
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  template <typename T>
  T any(std::initializer_list<T> items) {
    return items.begin()[pick(static_cast<std::uint32_t>(items.size()))];
  }
  std::string any(std::initializer_list<const char*> items) { return items.begin()[pick(std::uint32_t(items.size()))]; }

  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      files[entry.path().filename().string()] = readText(entry.path());
    return files;
  }

  // Copies model.webnn. The copy uses model.safetensors, unless there are weights under its own name.
  void copyFromModel() {
    if (pick(4) != 0 || !saved_.contains("model.webnn")) return;
    const float w = saved_["model.webnn"];
    const std::string name = any({"m.json", "x.webnn", "y.b.webnn"});
    if (std::filesystem::exists(folder_ / name)) return;
    std::filesystem::copy(folder_ / "model.webnn", folder_ / name);
    if (!has(name, w)) {
      std::filesystem::remove(folder_ / name);
      return;
    }
    saved_[name] = w;
    log_ += "copy of model.webnn " + name + "\n";
  }

  // Links or copies any file to another name. Under the new name, graphs and programs may have no weights, the same weights, or
  // others.
  void linkOrCopy() {
    const std::map<std::string, std::string> all = files();
    if (pick(3) != 0 || all.empty()) return;
    const std::string from = std::next(all.begin(), pick(std::uint32_t(all.size())))->first;
    const std::string to =
        any({"m", "M", "model", "n", "m.b"}) + any({".webnn", ".onnx.data", ".safetensors", ".weights", ".js", ".py"});
    if (std::filesystem::exists(std::filesystem::symlink_status(folder_ / to))) return;
    const std::uint32_t way = pick(3);
    if (way == 0) std::filesystem::copy(folder_ / from, folder_ / to);
    if (way == 1) std::filesystem::create_hard_link(folder_ / from, folder_ / to);
    if (way == 2) std::filesystem::create_symlink(from, folder_ / to);
    log_ += formatText("{} {} {}\n", std::vector<std::string>{"copy", "hard link", "link"}[way], from, to);
    // a new weights file may hide the weights of other graphs
    std::erase_if(saved_, [&](const auto& item) { return !has(item.first, item.second); });
    if (way != 2 && saved_.contains(from) && has(to, saved_[from])) saved_[to] = saved_[from];
  }

  bool has(const std::string& name, float w) const {
    const std::vector<float> weights(256, w);
    const std::string bytes = test::raw(weights);
    const std::string text = readText(folder_ / name);
    constexpr std::string_view kNote = "Its weights are in \"";
    if (const std::size_t note = text.substr(0, text.find('\n')).find(kNote); note != std::string::npos) {
      const std::size_t start = note + kNote.size();
      return readText(folder_ / text.substr(start, text.find('"', start) - start)).find(bytes) != std::string::npos;
    }
    try {
      Context context = test::makeContext();
      const Graph graph = load(context, folder_ / name);
      return std::ranges::any_of(definitionOf(graph).constants,
                                 [&](const Operand& constant) { return test::textOf(constant.record().bytes) == bytes; });
    } catch (const Error&) {
      return false;
    }
  }

  std::mt19937 random_;
  test::TemporaryFolder folder_;
  std::map<std::string, float> saved_;
  std::string log_;
};

// The environment variable WEBNN_EVERYDAY multiplies the number of directories.
TEST(WeightsBeside, AreKeptInAnyOrder) {
  const char* const times = std::getenv("WEBNN_EVERYDAY");
  const std::uint32_t count = 15 * std::uint32_t(times ? std::atoi(times) : 1);
  for (std::uint32_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Folder folder(seed);
    for (int step = 0; step < 15 && !testing::Test::HasFailure(); ++step) folder.step();
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
