// Opens random graphs of all operations: sizes of inputs get names, and most fields that hold one of these sizes get its name.
// For the original sizes, the sessions must give the same bits as the fixed graphs. WEBNN_OPENED_GRAPHS is the number of graphs
// (default 300), WEBNN_OPENED_SEED the first seed. With WEBNN_OPENED_KEEP=FOLDER, writes the graphs that ONNX can express
// into the folder as .onnx and .webnn; tests/onnx/open_exports_test.py compares the former with models of fixed graphs. Also
// runs the ONNX models in sections (src/onnx/program/sections.h), whose results must be those of one graph up to rounding.
#include <cstdlib>
#include <map>

#include "base/files/file.h"
#include "context/graph_state.h"
#include "formats/graph_source.h"
#include "onnx/program/program.h"
#include "onnx/read/model.h"
#include "open/opened_graph.h"
#include "random/agreement.h"
#include "random/random_graph.h"
#include "support/files.h"
#include "support/support.h"
#include "webnn/session.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Cuts the ONNX model into sections around some of its dimensions, and expects that the sections compute the whole graph's
// results. Returns whether there are several sections.
bool compareSections(const Context& context, const std::filesystem::path& path, const random::RandomGraph& made,
                     random::Choices& choices) {
  const Session whole = Session::load(context, path, {.load = {.mapFiles = false}});
  std::map<std::string, ArrayView> arrays;
  std::map<std::string, formats::onnx::Value> values;
  std::map<std::string, Shape> before, after;
  const std::vector<NamedDescriptor> given = made.graph.inputs();
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [name, descriptor] = given[i];
    const ExternalBytes bytes{made.inputs[i], nullptr};
    arrays.emplace(name, ArrayView(descriptor, bytes.bytes));
    values[name] = {{}, {descriptor.shape.begin(), descriptor.shape.end()}, {}, bytes};
    after[name] = descriptor.shape;
  }
  std::map<std::string, std::uint32_t> others;  // sizes, some of which differ from those of `after`
  for (const DeclaredInput& input : whole.inputs()) {
    Shape& shape = before[input.name] = after.at(input.name);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (input.shape[i].name.empty()) continue;
      shape[i] = others.try_emplace(input.shape[i].name, choices.oneIn(2) ? shape[i] : shape[i] + 1).first->second;
    }
  }
  const formats::onnx::Model model = formats::onnx::readModel(mapFile(path, FileAccess::read));
  formats::onnx::ProgramOptions options;
  options.makeBudget = [&](const CallOptions& call) { return formats::loadBudget(context, {.call = call}); };
  formats::onnx::Program program(context, model, options);
  const std::size_t sections = program.cut(before, after, {}, true);
  if (sections == 0) return false;
  const std::map<std::string, Array> expected = whole.run(arrays);
  const std::vector<formats::onnx::Value> results = program.run(values, {}, {}, true);
  std::map<std::string, random::Bytes> actual;
  bool isEqual = true;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string& name = whole.outputs()[i].name;
    const std::span<const std::byte> bytes = results[i].bytes->bytes;
    actual[name] = {bytes.begin(), bytes.end()};
    isEqual = isEqual && actual[name] == expected.at(name).bytes;
  }
  if (isEqual) return sections > 1;
  // Each section chooses its layouts, so that sums may be rounded differently.
  std::vector<random::Bytes> inOrder;
  for (const NamedDescriptor& output : made.graph.outputs()) inOrder.push_back(actual.at(output.first));
  const GraphDefinition& definition = *made.graph.state()->definition;
  const std::uint64_t seed = choices.below(1000);
  random::Expected limits = random::expect(definition, made.inputs, seed);
  EXPECT_EQ(random::disagreement(definition, made.inputs, seed, inOrder, limits), std::nullopt);
  return sections > 1;
}

TEST(OpenedGraphs, ComputeTheSameResultsAsTheOriginals) {
  const Context context = test::makeContext("cpu");
  const test::TemporaryFolder temporary;
  const char* const kept = std::getenv("WEBNN_OPENED_KEEP");
  const std::filesystem::path folder = kept ? std::filesystem::path(kept) : temporary.path();
  const std::uint64_t first = number("WEBNN_OPENED_SEED", 1), count = number("WEBNN_OPENED_GRAPHS", 300);
  int refused = 0, opened = 0, exported = 0, cut = 0;
  for (std::uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    SCOPED_TRACE("WEBNN_OPENED_SEED=" + std::to_string(seed));
    random::Choices choices(seed);
    const random::RandomGraph made = random::makeRandomGraph(context, choices);
    const GraphDefinition& definition = *made.graph.state()->definition;
    GraphBuilder builder(context);
    test::Opener opener(builder, seed);
    std::optional<Session> session;
    try {
      session = Session::build(builder, opener.open(definition));
    } catch (const Error&) {
      ++refused;  // a named size stands where an operation needs a number, or no input determines it
      continue;
    }
    ++opened;
    const std::filesystem::path path = folder / (std::to_string(seed) + ".onnx");
    try {
      save(*session, path, {.weights = WeightsFormat::inlineBytes});
      ++exported;
      (void)Session::load(context, path, {.load = {.mapFiles = false}});
      if (kept) save(*session, std::filesystem::path(path).replace_extension(".webnn"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::notSupportedError) << error.what();
    }
    std::vector<std::span<const std::byte>> inputs;
    std::map<std::string, Shape> shapes;
    for (std::size_t i = 0; i < made.inputs.size(); ++i) {
      inputs.emplace_back(made.inputs[i]);
      shapes[made.graph.inputs()[i].first] = made.graph.inputs()[i].second.shape;
    }
    std::vector<std::vector<std::byte>> expected, actual;
    const auto run = [&](const Graph& graph, std::vector<std::vector<std::byte>>& results) {
      std::vector<std::span<std::byte>> outputs;
      for (const NamedDescriptor& output : graph.outputs()) results.emplace_back(byteLength(output.second));
      for (std::vector<std::byte>& result : results) outputs.emplace_back(result);
      graph.compute(inputs, outputs);
    };
    run(made.graph, expected);
    run(session->graph(shapes), actual);
    EXPECT_TRUE(actual == expected);
    if (std::filesystem::exists(path) && compareSections(context, path, made, choices)) ++cut;
  }
  RecordProperty("cut", cut);
  RecordProperty("refused", refused);
  RecordProperty("opened", opened);
  RecordProperty("exported", exported);
  if (count < 100) return;
  EXPECT_GT(opened, static_cast<int>(count) / 4);
  EXPECT_GT(exported, static_cast<int>(count) / 8);
  EXPECT_GT(cut, static_cast<int>(count) / 40);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
