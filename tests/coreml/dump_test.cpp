// Writes programs with their inputs to the directory in the environment variable WEBNN_COREML_FOLDER. check_programs.py computes
// them there; then this test compares the outputs with the expected ones. Without the directory, tests only which graphs can be
// exported. With WEBNN_COREML_OPEN, the programs have open dimensions.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "base/text.h"
#include "cli/conformance/conformance_case.h"
#include "context/graph_state.h"
#include "coreml/export.h"
#include "onnx/export/export_cases.h"
#include "open/opened_graph.h"
#include "random/agreement.h"
#include "random/random_graph.h"
#include "webnn/session.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
using Object = nlohmann::json;
using Results = std::map<std::string, std::string>;  // problems by program

const char* folderOfPrograms() { return std::getenv("WEBNN_COREML_FOLDER"); }

std::string readAll(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

void writeBytes(const fs::path& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::vector<std::byte> bytesOf(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

constexpr std::uint32_t kLargest = 1000;  // larger sizes need integers beyond int32 in some programs

// Returns the graph with open dimensions in place of some sizes of its inputs, or null if an operation requires a fixed size.
std::shared_ptr<const OpenGraph> opened(const Graph& graph, std::uint64_t seed) {
  GraphBuilder builder(test::makeContext());
  try {
    return Session::build(builder, test::Opener(builder, seed, kLargest).open(*graph.state()->definition)).openGraph();
  } catch (const Error&) {
    return nullptr;
  }
}

constexpr std::string_view kNotOpened = "not opened";  // a graph that opened() refuses, or does not change

// Writes folder/model.mlpackage, folder/case.json, folder/input_0.bin, ... in the order of the graph's inputs. Returns
// "refused: " and the reason if the export refuses the graph, otherwise an empty string. If `open` is not null, exports `open`
// instead; `graph` is the same graph with fixed sizes.
std::string writeProgram(const Graph& graph, const OpenGraph* open, const std::map<std::string, std::vector<std::byte>>& inputs,
                         const fs::path& folder) {
  try {
    const GraphDefinition& fixed = *graph.state()->definition;
    const coreml::ExportedModel model = open ? coreml::exportModel(*open->definition, *open->sizes) : coreml::exportModel(fixed);
    if (!folderOfPrograms()) return {};
    fs::create_directories(folder);
    const fs::path package = folder / "model.mlpackage";
    open ? coreml::savePackage(*open->definition, *open->sizes, package) : coreml::savePackage(fixed, package);
    Object description{{"inputs", Object::array()}, {"outputs", Object::array()}};
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
      const auto [name, descriptor] = graph.inputs()[i];
      description["inputs"].push_back({{"name", model.inputs[i].second},
                                       {"type", std::string(webnn::name(descriptor.dataType))},
                                       {"shape", descriptor.shape}});
      writeBytes(folder / formatText("input_{}.bin", i), inputs.at(name));
    }
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
      const auto [name, descriptor] = graph.outputs()[i];
      description["outputs"].push_back(
          {{"name", model.outputs[i].second}, {"type", std::string(webnn::name(descriptor.dataType))}});
    }
    std::ofstream(folder / "case.json") << description;
    return {};
  } catch (const Error& error) {
    return formatText("refused: {}", error.what());
  }
}

// Calls the function above for the graph or, with WEBNN_COREML_OPEN, for the opened graph. Returns kNotOpened if there is none.
std::string writeProgram(const Graph& graph, const std::map<std::string, std::vector<std::byte>>& inputs, const fs::path& folder,
                         std::uint64_t seed) {
  if (!std::getenv("WEBNN_COREML_OPEN")) return writeProgram(graph, nullptr, inputs, folder);
  const std::shared_ptr<const OpenGraph> open = opened(graph, seed);
  if (!open || open->sizes->named().empty()) return std::string(kNotOpened);
  return writeProgram(graph, open.get(), inputs, folder);
}

// Returns the problem that check_programs.py found with a program, or an empty string.
std::string wrongOf(const Object& wrong, const std::string& folder) { return wrong.contains(folder) ? wrong[folder] : ""; }

void writeResults(const Results& results) { std::ofstream(fs::path(folderOfPrograms()) / "results.json") << Object(results); }

// Returns whether a case needs no test. Operations between quantizations are exported one by one, independently of their
// neighbours, so one of the six groups of these cases is enough.
bool isRepetition(std::string_view name) {
  return name.starts_with("quantized") && !name.starts_with("quantizedAroundEachWeights_");
}

// Calls visit(name, folder, item, fixture, graph, inputs) for each case of exportCases() that is no repetition, in each of its
// data types. The environment variable WEBNN_COREML_FILTER selects cases by a part of their name.
template <typename Visit>
void forEachCase(Visit visit) {
  std::size_t number = 0;
  const char* const filter = std::getenv("WEBNN_COREML_FILTER");
  for (const test::ExportCase& item : test::exportCases()) {
    for (std::size_t t = 0; t < kDataTypeCount; ++t) {
      const auto type = static_cast<DataType>(t);
      if (!item.types.contains(type) || isRepetition(item.name)) continue;
      const std::string name = item.name + "." + std::string(webnn::name(type));
      const std::string folder = formatText("case_{}", number++);
      if (filter && name.find(filter) == std::string::npos) continue;
      test::Fixture fixture;
      std::vector<NamedOperand> named;
      for (const Operand& output : item.make(fixture, type)) named.emplace_back("output" + std::to_string(named.size()), output);
      const Graph graph = fixture.builder.build(std::move(named));
      std::map<std::string, std::vector<std::byte>> inputs;
      for (const auto& [inputName, descriptor] : graph.inputs()) {
        std::vector<Number> values = test::inputValues(descriptor, item.values, inputs.size());
        // Core ML computes integers as int32, so values are cast to it.
        if (!isFloat(descriptor.dataType)) {
          for (Number& value : values) value = cast(cast(value, DataType::int32), descriptor.dataType);
        }
        inputs[inputName] = test::pack(descriptor, values);
      }
      visit(name, folder, item, fixture, graph, inputs);
    }
  }
}

// Returns whether a case of cases.json pads with the greatest value of its type, which exceeds int32.
bool padsBeyondInt32(const std::string& name) {
  return name == "padWithANumber.int64" || name == "padWithANumber.uint32" || name == "padWithANumber.uint64";
}

TEST(CoreMlCases, AreWritten) {
  const char* const root = folderOfPrograms();
  Results refused;
  forEachCase([&](const std::string& name, const std::string& folder, const test::ExportCase&, test::Fixture&, const Graph& graph,
                  const auto& inputs) {
    const std::string reason =
        writeProgram(graph, inputs, root ? fs::path(root) / folder : fs::path(), std::hash<std::string>()(name));
    if (!reason.empty()) refused[folder] = reason;
    if (!root) {
      EXPECT_EQ(reason.empty(), !padsBeyondInt32(name)) << name << ": " << reason;
    }
  });
  if (root) std::ofstream(fs::path(root) / "refused.json") << Object(refused);
}

std::optional<std::string> difference(const OperandDescriptor& descriptor, std::span<const std::byte> actual,
                                      std::span<const std::byte> expected) {
  if (actual.size() != expected.size()) return formatText("{} bytes, not {}", actual.size(), expected.size());
  const std::vector<Number> a = test::unpack(descriptor, actual), b = test::unpack(descriptor, expected);
  const double tolerance = descriptor.dataType == DataType::float32 ? 1e-5 : descriptor.dataType == DataType::float16 ? 4e-3 : 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i].toDouble(), y = b[i].toDouble();
    if (!isFloat(descriptor.dataType) && cast(b[i], DataType::int32) != b[i]) continue;  // Core ML computes integers as int32
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!(std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y)))) return formatText("[{}] is {}, not {}", i, x, y);
  }
  return std::nullopt;
}

TEST(CoreMlCases, AreAsExpected) {
  if (!folderOfPrograms()) GTEST_SKIP() << "there is nothing that check_programs.py computed";
  const fs::path root = folderOfPrograms();
  const Object wrong = Object::parse(readAll(root / "wrong.json")), refused = Object::parse(readAll(root / "refused.json"));
  Results results;
  forEachCase([&](const std::string& name, const std::string& folder, const test::ExportCase&, test::Fixture& fixture,
                  const Graph& graph, const auto& inputs) {
    if (wrongOf(refused, folder) == kNotOpened) return;
    std::string& result = results[name] = wrongOf(refused, folder) + wrongOf(wrong, folder);
    if (!result.empty()) return;
    std::vector<NamedTensor> in, out;
    for (const auto& [inputName, descriptor] : graph.inputs()) {
      in.emplace_back(inputName, fixture.context.createTensor(
                                     {.dataType = descriptor.dataType, .shape = descriptor.shape, .writable = true}));
      fixture.context.writeTensor(in.back().second, inputs.at(inputName));
    }
    for (const auto& [outputName, descriptor] : graph.outputs()) {
      out.emplace_back(outputName, fixture.context.createTensor(
                                       {.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = true}));
    }
    fixture.context.dispatch(graph, in, out);
    for (std::size_t i = 0; i < out.size() && result.empty(); ++i) {
      const auto actual = bytesOf(readAll(root / folder / formatText("output_{}.bin", i)));
      const auto found = difference(graph.outputs()[i].second, actual, fixture.context.readTensor(out[i].second).get());
      if (found) result = formatText("output {}{}", i, *found);
    }
  });
  writeResults(results);
}

// One step of a decoder: a cache of any length and 1 to 16 new tokens.
std::vector<NamedOperand> attention(test::Fixture& f) {
  GraphBuilder& b = f.builder;
  const auto size = [&](std::string_view text) { return b.openSize(text); };
  const Operand x = b.openInput("x", {DataType::float32, {"batch", {"new", 1, 16}, 8}});
  const Operand past = b.openInput("past", {DataType::float32, {"batch", 2, "past", 4}});
  const Operand mask = b.openInput("mask", {DataType::float32, {"new", "past + new"}});
  const auto heads = [&](std::vector<Number> values) {
    const Operand product = b.matmul(x, f.constant(DataType::float32, {8, 8}, values));
    return b.transpose(b.reshape(product, {size("batch"), size("new"), 2, 4}), {.permutation = Shape{0, 2, 1, 3}});
  };
  const auto weights = [](double step) {
    std::vector<Number> values;
    for (int i = 0; i < 64; ++i) values.emplace_back(std::sin(step * i));
    return values;
  };
  const Operand keys = b.concat({past, heads(weights(0.7))}, 2);
  const Operand products = b.matmul(heads(weights(1.3)), b.transpose(keys, {.permutation = Shape{0, 1, 3, 2}}));
  const Operand rows = b.transpose(b.matmul(b.softmax(b.add(products, mask), 3), keys), {.permutation = Shape{0, 2, 1, 3}});
  const Operand last = b.slice(keys, {0, 0, size("past + new - 1"), 0}, {size("batch"), 2, 1, 4});
  return {{"y", b.reshape(rows, {size("batch * new"), 8})}, {"present", keys}, {"last", last}};
}

// Convolutions, pools and resampling of images of open size.
std::vector<NamedOperand> detector(test::Fixture& f) {
  GraphBuilder& b = f.builder;
  const Operand x = b.openInput("x", {DataType::float32, {"batch", 2, {"height", 6, 1000}, {"width", 6, 1000}}});
  const auto filter = [&](Shape shape) {
    std::vector<Number> values;
    for (std::size_t i = 0; i < elementCount({DataType::float32, shape}); ++i) values.emplace_back(std::cos(double(i)));
    return f.constant(DataType::float32, shape, values);
  };
  const Operand y = b.conv2d(x, filter({3, 2, 3, 3}), {.padding = Shape{1, 1, 1, 1}, .strides = Shape{2, 2}});
  const auto linear = InterpolationMode::linear;
  return {{"conv", y},
          {"dilated", b.maxPool2d(x, {.windowDimensions = Shape{2, 2}, .dilations = Shape{2, 1}})},
          {"pool", b.averagePool2d(y, {.windowDimensions = Shape{2, 2}, .padding = Shape{1, 0, 0, 1}, .strides = Shape{2, 1}})},
          {"mean", b.averagePool2d(x)},
          {"l2", b.l2Pool2d(x)},
          {"transposed", b.convTranspose2d(x, filter({2, 1, 3, 3}), {.padding = Shape{1, 0, 1, 0}, .strides = Shape{2, 2}})},
          {"twice", b.resample2d(y, {.scales = std::vector<float>{2, 2}})},
          {"nearest", b.resample2d(x, {.scales = std::vector<float>{0.7f, 1.5f}})},
          {"linear", b.resample2d(x, {.mode = linear, .scales = std::vector<float>{1.7f, 0.6f}})},
          {"sized", b.resample2d(x, {.mode = linear, .sizes = Shape{b.openSize("height + 1"), 7}})}};
}

// Operations whose options or indices depend on the sizes.
std::vector<NamedOperand> movements(test::Fixture& f) {
  GraphBuilder& b = f.builder;
  const auto size = [&](std::string_view text) { return b.openSize(text); };
  const Operand x = b.openInput("x", {DataType::float32, {{"n", 3, 20}, "m"}});
  const Operand places = b.openInput("places", {DataType::int32, {"k", 2}});
  const Operand updates = b.openInput("updates", {DataType::float32, {"k"}});
  const Operand row = b.openInput("row", {DataType::float32, {1, "m"}});
  const auto indices = [&](std::vector<Number> values) {
    const auto count = static_cast<std::uint32_t>(values.size());
    return f.constant(DataType::int64, {count}, values);
  };
  const std::vector<Operand> parts = b.split(b.tile(x, {3, 1}), Shape{size("n"), size("2 * n")});
  return {{"part", parts[1]},
          {"half", b.slice(x, {size("floor(n / 2)"), 0}, {size("ceil(n / 2)"), size("m")}, {.strides = Shape{2, 1}})},
          {"edge", b.pad(x, {2, 1}, {1, 0}, {.mode = PaddingMode::edge})},
          {"reflection", b.pad(x, {2, 0}, {1, 0}, {.mode = PaddingMode::reflection})},
          {"constant", b.pad(x, {size("n"), 0}, {0, size("m - 1")}, {.value = 2})},
          {"first", b.gather(x, indices({0, 2}))},
          {"last", b.gather(x, indices({-1, 9, std::int64_t{1} << 40}))},
          {"at", b.gatherND(x, places)},
          {"scattered", b.scatterND(x, places, updates)},
          {"expanded", b.expand(row, {size("scaled(n, 0.7)"), size("m")})},
          {"wide", b.expand(row, {size("scaled(n, 2.3)"), size("m")})},
          {"below", b.triangular(x, {.upper = false, .diagonal = -1})},
          {"sum", b.add(x, row)},
          {"rows", b.reshape(b.concat({x, row}, 0), {size("(n + 1) * m")})}};
}

struct SizesCase {
  std::string name;
  std::vector<NamedOperand> (*make)(test::Fixture&);
  std::vector<std::map<std::string, Shape>> shapes;  // for each run, the shapes of the inputs
};

const std::vector<SizesCase>& sizesCases() {
  static const std::vector<SizesCase> cases{
      {"attention",
       attention,
       {{{"x", {1, 1, 8}}, {"past", {1, 2, 1, 4}}, {"mask", {1, 2}}},
        {{"x", {2, 3, 8}}, {"past", {2, 2, 5, 4}}, {"mask", {3, 8}}},
        {{"x", {3, 16, 8}}, {"past", {3, 2, 2, 4}}, {"mask", {16, 18}}}}},
      {"detector", detector, {{{"x", {1, 2, 6, 6}}}, {{"x", {2, 2, 7, 10}}}, {{"x", {1, 2, 13, 8}}}}},
      {"movements",
       movements,
       {{{"x", {3, 1}}, {"places", {1, 2}}, {"updates", {1}}, {"row", {1, 1}}},
        {{"x", {10, 4}}, {"places", {2, 2}}, {"updates", {2}}, {"row", {1, 4}}},
        {{"x", {20, 2}}, {"places", {1, 2}}, {"updates", {1}}, {"row", {1, 2}}}}},
  };
  return cases;
}

// Calls visit(name, folder, open graph, graph, inputs) for each graph of sizesCases() and each of its lists of shapes.
template <typename Visit>
void forEachSizes(Visit visit) {
  for (const SizesCase& item : sizesCases()) {
    test::Fixture fixture;
    const Session session = Session::build(fixture.builder, item.make(fixture));
    for (std::size_t i = 0; i < item.shapes.size(); ++i) {
      const Graph graph = session.graph(item.shapes[i]);
      std::map<std::string, std::vector<std::byte>> inputs;
      for (const auto& [name, descriptor] : graph.inputs())
        inputs[name] = test::pack(descriptor, test::inputValues(descriptor, test::Values::plain, inputs.size()));
      visit(formatText("{} {}", item.name, i), formatText("{}_{}", item.name, i), *session.openGraph(), graph, inputs);
    }
  }
}

TEST(CoreMlSizes, AreWritten) {
  const char* const root = folderOfPrograms();
  std::set<std::string> models;
  forEachSizes(
      [&](const std::string& name, const std::string& folder, const OpenGraph& open, const Graph& graph, const auto& inputs) {
        EXPECT_EQ(writeProgram(graph, &open, inputs, root ? fs::path(root) / folder : fs::path()), "") << name;
        models.insert(coreml::exportModel(*open.definition, *open.sizes).proto);
      });
  EXPECT_EQ(models.size(), sizesCases().size());  // runs with other sizes do not change the program
}

TEST(CoreMlSizes, AreAsExpected) {
  if (!folderOfPrograms()) GTEST_SKIP() << "there is nothing that check_programs.py computed";
  const fs::path root = folderOfPrograms();
  const Object wrong = Object::parse(readAll(root / "wrong.json"));
  Results results;
  forEachSizes([&](const std::string& name, const std::string& folder, const OpenGraph&, const Graph& graph, const auto& inputs) {
    std::string& result = results[name] = wrongOf(wrong, folder);
    std::vector<std::span<const std::byte>> in;
    std::vector<std::span<std::byte>> out;
    std::vector<std::vector<std::byte>> expected;
    for (const NamedDescriptor& input : graph.inputs()) in.emplace_back(inputs.at(input.first));
    for (const NamedDescriptor& output : graph.outputs()) expected.emplace_back(byteLength(output.second));
    for (std::vector<std::byte>& bytes : expected) out.emplace_back(bytes);
    graph.compute(in, out);
    for (std::size_t i = 0; i < out.size() && result.empty(); ++i) {
      const auto actual = bytesOf(readAll(root / folder / formatText("output_{}.bin", i)));
      const auto [outputName, descriptor] = graph.outputs()[i];
      if (const auto found = difference(descriptor, actual, expected[i])) result = outputName + *found;
    }
  });
  writeResults(results);
}

// Calls visit(name, folder, random graph, inputs by name, seed) for WEBNN_COREML_RANDOM random graphs (default 20), with seeds
// from WEBNN_COREML_SEED (default 1) on.
template <typename Visit>
void forEachRandomGraph(Visit visit) {
  const char* const count = std::getenv("WEBNN_COREML_RANDOM");
  Context context = test::makeContext();
  const char* const from = std::getenv("WEBNN_COREML_SEED");
  const std::uint64_t first = from ? std::stoull(from) : 1;
  for (std::uint64_t seed = first; seed < first + (count ? std::stoull(count) : 20); ++seed) {
    random::Choices choices(seed);
    const random::RandomGraph made = random::makeRandomGraph(context, choices);
    std::map<std::string, std::vector<std::byte>> inputs;
    const auto ports = made.graph.inputs();
    for (std::size_t i = 0; i < ports.size(); ++i) inputs[ports[i].first] = made.inputs[i];
    visit(formatText("seed {}", seed), formatText("random_{}", seed), made, inputs, seed);
  }
}

TEST(CoreMlRandom, AreWritten) {
  const char* const root = folderOfPrograms();
  Results refused;
  forEachRandomGraph([&](const std::string& name, const std::string& folder, const random::RandomGraph& made, const auto& inputs,
                         std::uint64_t seed) {
    const std::string reason = writeProgram(made.graph, inputs, root ? fs::path(root) / folder : fs::path(), seed);
    if (!reason.empty()) refused[folder] = reason;
    if (!root) {
      EXPECT_TRUE(reason.empty()) << name << ": " << reason;
    }
  });
  if (root) std::ofstream(fs::path(root) / "refused.json") << Object(refused);
}

// Returns the names of the graph's operations without duplicates. Some deviations are only excused for certain operations.
std::string operationsOf(const GraphDefinition& graph) {
  std::set<std::string_view> names;
  for (const Node& node : graph.nodes) names.insert(name(node.operation));
  std::string text;
  for (const std::string_view one : names) text += (text.empty() ? "" : " ") + std::string(one);
  return text;
}

TEST(CoreMlRandom, AreAsExpected) {
  if (!folderOfPrograms()) GTEST_SKIP() << "there is nothing that check_programs.py computed";
  const fs::path root = folderOfPrograms();
  const Object wrong = Object::parse(readAll(root / "wrong.json")), refused = Object::parse(readAll(root / "refused.json"));
  Results results;
  forEachRandomGraph(
      [&](const std::string& name, const std::string& folder, const random::RandomGraph& made, const auto&, std::uint64_t seed) {
        if (wrongOf(refused, folder) == kNotOpened) return;
        std::string& result = results[name] = wrongOf(refused, folder) + wrongOf(wrong, folder);
        if (!result.empty()) return;
        const GraphDefinition& graph = *made.graph.state()->definition;
        random::Expected expected = random::expect(graph, made.inputs, seed);
        std::vector<random::Bytes> actual;
        for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
          actual.push_back(bytesOf(readAll(root / folder / formatText("output_{}.bin", i))));
        }
        result = random::disagreement(graph, made.inputs, seed, actual, expected).value_or("");
        if (!result.empty()) result += " [" + operationsOf(graph) + "]";
      });
  writeResults(results);
}

// Calls visit(name, folder, case) for each conformance vector.
template <typename Visit>
void forEachVector(Visit visit) {
  const char* const folder = std::getenv("WEBNN_COREML_VECTORS");
  const char* const filter = std::getenv("WEBNN_COREML_FILTER");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::size_t number = 0;
    for (cli::ConformanceCase& item : cli::readCases(readAll(file))) {
      const std::string name = file.stem().string() + ": " + item.name;
      const std::string place = formatText("{}_{}", file.stem().string(), number++);
      if (filter && name.find(filter) == std::string::npos) continue;
      visit(name, place, item);
    }
  }
}

TEST(CoreMlVectors, AreWritten) {
  if (!folderOfPrograms() || !std::getenv("WEBNN_COREML_VECTORS")) GTEST_SKIP() << "check_programs.py calls this";
  const fs::path root = folderOfPrograms();
  Context context = test::makeContext();
  Results refused;
  forEachVector([&](const std::string&, const std::string& folder, cli::ConformanceCase& item) {
    formats::GraphDocument document = cli::documentOf(item);
    const Graph graph = formats::buildGraph(context, document, nullptr, {});
    std::map<std::string, std::vector<std::byte>> inputs;
    for (const cli::CaseInput& input : item.inputs) {
      if (input.constant) continue;
      std::vector<Number> values = input.values;
      for (Number& value : values) value = cli::asWritten(input.descriptor.dataType, value);
      inputs[input.name] = test::pack(input.descriptor, values);
    }
    const std::string reason = writeProgram(graph, inputs, root / folder, 0);
    if (!reason.empty()) refused[folder] = reason;
  });
  std::ofstream(root / "refused.json") << Object(refused);
}

TEST(CoreMlVectors, AreAsExpected) {
  if (!folderOfPrograms() || !std::getenv("WEBNN_COREML_VECTORS")) GTEST_SKIP() << "check_programs.py calls this";
  const fs::path root = folderOfPrograms();
  const Object wrong = Object::parse(readAll(root / "wrong.json")), refused = Object::parse(readAll(root / "refused.json"));
  Context context = test::makeContext();
  Results results;
  forEachVector([&](const std::string& name, const std::string& folder, cli::ConformanceCase& item) {
    std::string result = wrongOf(refused, folder) + wrongOf(wrong, folder);
    if (result.empty()) {
      const Graph graph = formats::buildGraph(context, cli::documentOf(item), nullptr, {});
      for (std::size_t i = 0; i < graph.outputs().size() && result.empty(); ++i) {
        const auto output = std::ranges::find(item.outputs, graph.outputs()[i].first, &cli::CaseOutput::name);
        const auto actual = bytesOf(readAll(root / folder / formatText("output_{}.bin", i)));
        const auto mismatch = cli::compare(output->expected, actual, item.tolerance);
        if (mismatch) {
          result = formatText("{}[{}] is {}, expected {} ({})", output->name, mismatch->index, mismatch->actual,
                              mismatch->expected, mismatch->distance);
        }
      }
    }
    std::string unique = name;
    while (results.contains(unique)) unique += "'";
    results[unique] = result;
  });
  writeResults(results);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
