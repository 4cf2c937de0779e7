// Writes programs with their inputs to the directory WEBNN_COREML_FOLDER. check_programs.py computes them there; then this test
// compares the outputs with the expected ones. Without the directory, tests only which graphs can be exported.
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
#include "onnx/export_cases.h"
#include "random/agreement.h"
#include "random/random_graph.h"

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

// Writes folder/model.mlpackage, folder/case.json, folder/input_0.bin, ... in the order of the graph's inputs. Returns the reason
// if the export refuses the graph.
std::string writeProgram(const Graph& graph, const std::map<std::string, std::vector<std::byte>>& inputs,
                         const fs::path& folder) {
  try {
    const coreml::ExportedModel model = coreml::exportModel(*graph.state()->definition);
    if (!folderOfPrograms()) return {};
    fs::create_directories(folder);
    coreml::savePackage(*graph.state()->definition, folder / "model.mlpackage");
    Object description{{"inputs", Object::array()}, {"outputs", Object::array()}};
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
      const auto [name, descriptor] = graph.inputs()[i];
      description["inputs"].push_back(
          {{"name", model.inputs[i].second}, {"type", std::string(webnn::name(descriptor.dataType))}});
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

// Returns the problem that check_programs.py found with a program, or an empty string.
std::string wrongOf(const Object& wrong, const std::string& folder) { return wrong.contains(folder) ? wrong[folder] : ""; }

void writeResults(const Results& results) { std::ofstream(fs::path(folderOfPrograms()) / "results.json") << Object(results); }

// Returns whether a case needs no test. Operations between quantizations are exported one by one, independently of their
// neighbours, so one of the six groups of these cases is enough.
bool isRepetition(std::string_view name) {
  return name.starts_with("quantized") && !name.starts_with("quantizedAroundEachWeights_");
}

// Calls visit(name, folder, item, fixture, graph, inputs) for each operation in each type of its row.
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
    const std::string reason = writeProgram(graph, inputs, root ? fs::path(root) / folder : fs::path());
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

// Calls visit(name, folder, graph, inputs by name, inputs, seed) for WEBNN_COREML_RANDOM random graphs, with seeds from
// WEBNN_COREML_SEED on.
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
                         std::uint64_t) {
    const std::string reason = writeProgram(made.graph, inputs, root ? fs::path(root) / folder : fs::path());
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
    const std::string reason = writeProgram(graph, inputs, root / folder);
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
