// Writes each export with inputs and the reference backend's results into a folder, for scripts/check_onnx_exports.py,
// which runs the models elsewhere. Without the folder it only checks that every case can be exported.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/text.h"
#include "context/graph_state.h"
#include "formats/npy/npy.h"
#include "onnx/export.h"
#include "onnx/export_cases.h"

namespace webnn {
namespace {

namespace fs = std::filesystem;

void writeArray(const fs::path& path, const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  std::ofstream stream(path, std::ios::binary);
  formats::writeNpy(stream, descriptor, bytes);
}

// folder/model.onnx, folder/input_0.npy, ..., folder/output_0.npy, ... in the order of the graph.
void dump(test::Fixture& fixture, const Graph& graph, test::Values values, const onnx::ExportedModel& model,
          const fs::path& folder) {
  fs::create_directories(folder);
  std::ofstream(folder / "model.onnx", std::ios::binary) << model.proto;
  std::vector<NamedTensor> inputs, outputs;
  for (const auto& [name, descriptor] : graph.inputs()) {
    const auto bytes = test::pack(descriptor, test::inputValues(descriptor, values, inputs.size()));
    writeArray(folder / ("input_" + std::to_string(inputs.size()) + ".npy"), descriptor, bytes);
    const TensorDescriptor tensor{.dataType = descriptor.dataType, .shape = descriptor.shape, .writable = true};
    inputs.emplace_back(name, fixture.context.createTensor(tensor));
    fixture.context.writeTensor(inputs.back().second, bytes);
  }
  for (const auto& [name, descriptor] : graph.outputs()) {
    const TensorDescriptor tensor{.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = true};
    outputs.emplace_back(name, fixture.context.createTensor(tensor));
  }
  fixture.context.dispatch(graph, inputs, outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& tensor = outputs[i].second;
    writeArray(folder / ("output_" + std::to_string(i) + ".npy"), tensor.descriptor(), fixture.context.readTensor(tensor).get());
  }
}

// What ONNX Runtime 1.31 does wrong on x86 where an int64 is beyond 32 bits, or what it computes as double.
bool badForInt64(std::string_view opType) {
  return opType.starts_with("Reduce") || opType == "Clip" || opType == "Max" || opType == "Min" || opType == "Sign";
}

// The standard without most types, so that they are computed in others.
const onnx::Target& narrowTarget() {
  using enum onnx::ElementType;
  static const std::vector<onnx::TypeRule> rules = [] {
    std::vector<onnx::TypeRule> result;
    for (onnx::TypeRule rule : onnx::standardTarget().rules) {
      onnx::ElementTypeSet types;
      for (const auto type : {float32, float64, int32, int64, boolean}) {
        if (rule.types.contains(type) && !(type == int64 && badForInt64(rule.opType))) types = types | onnx::ElementTypeSet{type};
      }
      rule.types = types;
      result.push_back(rule);
    }
    return result;
  }();
  static const onnx::Target target{"narrow", rules};
  return target;
}

TEST(OnnxExport, ExportsEveryCaseInEveryType) {
  const char* const folder = std::getenv("WEBNN_EXPORT_FOLDER");
  for (const test::ExportCase& item : test::exportCases()) {
    for (std::size_t t = 0; t < kDataTypeCount; ++t) {
      const auto type = static_cast<DataType>(t);
      if (!item.types.contains(type)) continue;
      const std::string name = item.name + "." + std::string(webnn::name(type));
      SCOPED_TRACE(name);
      test::Fixture fixture;
      std::vector<NamedOperand> named;
      for (const Operand& output : item.make(fixture, type)) named.emplace_back("output" + std::to_string(named.size()), output);
      const Graph graph = fixture.builder.build(std::move(named));
      for (const onnx::Target* target : {&onnx::standardTarget(), &narrowTarget()}) {
        const onnx::ExportedModel model = onnx::exportModel(*graph.state()->definition, {.target = *target});
        EXPECT_FALSE(model.proto.empty());
        const std::string suffix = target == &narrowTarget() ? ".narrow" : "";
        if (folder) dump(fixture, graph, item.values, model, fs::path(folder) / (name + suffix));
      }
    }
  }
}

// A line for each operator: its name, which inputs are of its type T (a number of bits), and the types.
TEST(OnnxExport, WritesEveryCaseOfTheTableOfTypes) {
  std::string table;
  for (const onnx::TypeRule& rule : onnx::standardTarget().rules) {
    table += webnn::format("{}\t{}\t", rule.opType, rule.inputs);
    for (std::int32_t type = 0; type < 27; ++type) {
      const auto element = static_cast<onnx::ElementType>(type);
      if (rule.types.contains(element)) table += std::string(onnx::name(element)) + " ";
    }
    table += "\n";
  }
  EXPECT_GT(table.size(), 1000u);
  if (const char* const folder = std::getenv("WEBNN_EXPORT_FOLDER")) std::ofstream(fs::path(folder) / "types.tsv") << table;
}

}  // namespace
}  // namespace webnn
