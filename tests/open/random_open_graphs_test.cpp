// Tests that random graphs with open dimensions give the same bits as calls with numbers, and that their error messages begin
// like those of calls with numbers. WEBNN_OPEN_GRAPHS is the number of graphs (default 300), WEBNN_OPEN_SEED the first seed. The
// graphs are also exported as ONNX models. With WEBNN_OPEN_KEEP=FOLDER, writes both the .onnx and .webnn files into the folder;
// tests/onnx/open_exports_test.py compares them.
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

#include "builder/builder_state.h"
#include "open/random_steps.h"
#include "support/files.h"
#include "webnn/session.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::Calls;
using test::Random;
using test::Step;

constexpr std::size_t kMaxElements = 20000;  // graphs with larger results are not run

struct Input {
  std::string name;
  std::vector<Dimension> shape;
};

using Sizes = std::map<std::string, std::uint32_t>;

Shape shapeOf(const Input& input, const Sizes& sizes) {
  Shape shape;
  for (const Dimension& dimension : input.shape)
    shape.push_back(dimension.text.empty() ? dimension.size : sizes.at(dimension.text));
  return shape;
}

std::vector<Input> randomInputs(Random& random) {
  const std::vector<Dimension> dimensions{"n", Dimension("m", 0, 6), "k", 2, 3, 1, "n", "m"};
  std::vector<Input> inputs;
  for (int i = 0, count = random.between(2, 4); i < count; ++i) {
    Input input{"x" + std::to_string(i), {}};
    for (int axis = 0, rank = random.between(1, 4); axis < rank; ++axis)
      input.shape.push_back(dimensions[static_cast<std::size_t>(random.below(static_cast<int>(dimensions.size())))]);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::string textOf(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, size] : sizes) text += name + "=" + std::to_string(size) + " ";
  return text;
}

class OneGraph {
 public:
  explicit OneGraph(std::uint64_t seed) : seed_(seed), random_(seed), inputs_(randomInputs(random_)) {}

  // Counts the cases, to show that the test reaches each kind of case.
  struct Counts {
    int equal = 0, failing = 0, refused = 0, empty = 0;
    int exported = 0, notExported = 0;  // graphs that were exported as ONNX models, or could not be
  };

  void check(Counts& counts) {
    Context context = test::makeContext("cpu");
    GraphBuilder builder(context);
    Calls open{builder, true};
    for (const Input& input : inputs_) open.values.push_back(builder.openInput(input.name, {DataType::float32, input.shape}));
    makeSteps(open);
    std::vector<NamedOperand> outputs;
    for (const int index : leaves_)
      outputs.emplace_back("y" + std::to_string(index), open.values[static_cast<std::size_t>(index)]);
    if (outputs.empty()) return;
    const Session session = Session::build(builder, outputs);
    exportToOnnx(context, session, counts);
    const std::uint32_t choices[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 2, 4}, {0, 3, 2}, {5, 1, 3}};
    for (const auto& [n, m, k] : choices) checkSizes(context, session, {{"n", n}, {"m", m}, {"k", k}}, counts);
  }

 private:
  void exportToOnnx(Context& context, const Session& session, Counts& counts) {
    const test::TemporaryFolder temporary;
    const char* const kept = std::getenv("WEBNN_OPEN_KEEP");
    const std::filesystem::path path =
        (kept ? std::filesystem::path(kept) : temporary.path()) / (std::to_string(seed_) + ".onnx");
    try {
      save(session, path, {.weights = WeightsFormat::inlineBytes});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::notSupportedError) << error.what();
      EXPECT_FALSE(std::filesystem::exists(path));
      ++counts.notExported;
      return;
    }
    ++counts.exported;
    exported_ = Session::load(context, path, {.load = {.mapFiles = false}});
    if (kept) save(session, std::filesystem::path(path).replace_extension(".webnn"));
  }

  // Results of the ONNX model may be rounded differently.
  void compareExported(const std::map<std::string, ArrayView>& arrays, const std::map<std::string, Array>& expected) const {
    if (!exported_) return;
    const std::map<std::string, Array> results = exported_->run(arrays);
    for (const auto& [name, array] : expected) {
      const Array& actual = results.at(name);
      ASSERT_EQ(actual.descriptor, array.descriptor) << name;
      if (array.descriptor.dataType != DataType::float32) continue;
      for (std::size_t i = 0; i < array.as<float>().size(); ++i) {
        const float value = array.as<float>()[i];
        if (std::isfinite(value)) {
          ASSERT_NEAR(actual.as<float>()[i], value, 1e-4 * std::max(1.0f, std::abs(value))) << name;
        }
      }
    }
  }

  void makeSteps(Calls& open) {
    for (int i = 0; i < 10; ++i) {
      const Step step = test::randomStep(random_, open);
      if (!step) continue;
      open.used.clear();
      const std::size_t nodes = open.builder.state().nodes.size();
      try {
        const std::vector<Operand> results = step(open);
        for (int index : open.used) std::erase(leaves_, index);
        for (const Operand& result : results) {
          leaves_.push_back(static_cast<int>(open.values.size()));
          open.values.push_back(result);
        }
        steps_.push_back(step);
      } catch (const Error& error) {
        refusals_.push_back({steps_.size(), step, error.what(), open.builder.state().nodes.size() > nodes});
      }
    }
  }

  void checkSizes(Context& context, const Session& session, const Sizes& sizes, Counts& counts) {
    SCOPED_TRACE(textOf(sizes));
    std::map<std::string, std::vector<float>> numbers;
    std::map<std::string, ArrayView> arrays;
    std::set<std::string> declared;
    for (const DeclaredInput& input : session.inputs()) declared.insert(input.name);
    bool hasZero = false;
    for (const Input& input : inputs_) {
      hasZero = hasZero || std::ranges::count(shapeOf(input, sizes), 0u) > 0;
      if (!declared.contains(input.name)) continue;
      const Shape shape = shapeOf(input, sizes);
      std::size_t count = 1;
      for (std::uint32_t size : shape) count *= size;
      std::vector<float>& values = numbers[input.name];
      for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>((i * 7 + 3) % 11) * 0.5f - 2.0f);
      arrays.emplace(input.name, ArrayView(values, shape));
    }
    std::string message;
    std::map<std::string, Array> results;
    try {
      results = session.run(arrays);
    } catch (const Error& error) {
      message = error.what();
    }
    if (hasZero) {  // there is no fixed graph for sizes of 0; open_graph_test.cpp tests the results
      ++counts.empty;
      for (const auto& [name, result] : results)
        EXPECT_EQ(result.bytes.size() == 0, std::ranges::count(result.descriptor.shape, 0u) > 0);
      return;
    }
    compareWithFixed(context, sizes, arrays, results, message, counts);
  }

  void compareWithFixed(Context& context, const Sizes& sizes, const std::map<std::string, ArrayView>& arrays,
                        const std::map<std::string, Array>& results, const std::string& message, Counts& counts) {
    GraphBuilder builder(context);
    Calls fixed{builder};
    for (const Input& input : inputs_)
      fixed.values.push_back(builder.input(input.name, {DataType::float32, shapeOf(input, sizes)}));
    std::size_t refusal = 0;
    bool checksRefusals = true;
    for (std::size_t i = 0; i <= steps_.size(); ++i) {
      for (; refusal < refusals_.size() && refusals_[refusal].before == i; ++refusal) {
        if (!checksRefusals) continue;
        Calls attempt{builder, false, fixed.values};
        try {
          (void)refusals_[refusal].step(attempt);
          if (!attempt.hasBadSize) ADD_FAILURE() << "refused although these sizes are valid: " << refusals_[refusal].message;
        } catch (const Error&) {
          ++counts.refused;
          checksRefusals = !refusals_[refusal].isPartial;
        }
      }
      if (i == steps_.size()) break;
      try {
        for (const Operand& result : steps_[i](fixed)) {
          if (elementCount(result.descriptor()) > kMaxElements) return;
          fixed.values.push_back(result);
        }
      } catch (const Error& error) {
        if (fixed.hasBadSize) return;  // the field's size is 0 or negative
        EXPECT_EQ(message.substr(0, std::string(error.what()).size()), error.what());
        ++counts.failing;
        return;
      }
      if (fixed.hasBadSize) return;
    }
    ASSERT_EQ(message, "");
    std::vector<NamedOperand> outputs;
    for (const int index : leaves_)
      outputs.emplace_back("y" + std::to_string(index), fixed.values[static_cast<std::size_t>(index)]);
    const Graph graph = builder.build(outputs);
    std::vector<std::span<const std::byte>> inputBytes;
    for (const NamedDescriptor& input : graph.inputs()) inputBytes.push_back(arrays.at(input.first).bytes);
    std::vector<std::vector<std::byte>> bytes;
    for (const NamedDescriptor& output : graph.outputs()) bytes.emplace_back(byteLength(output.second));
    const std::vector<std::span<std::byte>> outputBytes(bytes.begin(), bytes.end());
    graph.compute(inputBytes, outputBytes);
    ASSERT_EQ(results.size(), graph.outputs().size());
    compareExported(arrays, results);
    std::size_t i = 0;
    for (const NamedDescriptor& output : graph.outputs()) {
      const Array& actual = results.at(output.first);
      EXPECT_EQ(actual.descriptor, output.second);
      EXPECT_TRUE(actual.bytes == bytes[i]) << output.first;
      ++i;
    }
    ++counts.equal;
  }

  struct Refusal {
    std::size_t before = 0;  // the number of steps that succeeded before this one
    Step step;
    std::string message;
    // The builder accepted the first call of a step that later failed, so the conditions of this call remain.
    bool isPartial = false;
  };

  const std::uint64_t seed_;
  Random random_;
  std::optional<Session> exported_;
  const std::vector<Input> inputs_;
  std::vector<Step> steps_;
  std::vector<Refusal> refusals_;
  std::vector<int> leaves_;  // results that no step uses
};

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(RandomOpenGraphs, ComputeTheSameResultsAsFixedGraphs) {
  const std::uint64_t first = fromEnvironment("WEBNN_OPEN_SEED", 1), count = fromEnvironment("WEBNN_OPEN_GRAPHS", 300);
  OneGraph::Counts counts;
  for (std::uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    SCOPED_TRACE("WEBNN_OPEN_SEED=" + std::to_string(seed));
    OneGraph(seed).check(counts);
  }
  RecordProperty("equal", counts.equal);
  RecordProperty("failing", counts.failing);
  RecordProperty("refused", counts.refused);
  RecordProperty("empty", counts.empty);
  RecordProperty("exported", counts.exported);
  RecordProperty("notExported", counts.notExported);
  if (count < 100) return;
  EXPECT_GT(counts.equal, static_cast<int>(count));
  EXPECT_GT(counts.failing, 0);
  EXPECT_GT(counts.refused, 0);
  EXPECT_GT(counts.empty, 0);
  EXPECT_GT(counts.exported, static_cast<int>(count) / 6);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
