// Writes each exported model with inputs and the reference backend's results to a directory, for scripts/check_onnx_exports.py,
// which runs it in ONNX Runtime. Unless WEBNN_EXPORT_FOLDER names the directory, tests only that every case can be exported.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "backends/onnxruntime/kernel_types.h"
#include "base/text.h"
#include "context/graph_state.h"
#include "formats/npy/npy.h"
#include "onnx/export/export_cases.h"
#include "onnx/write/export.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;

void writeArray(const fs::path& path, const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  std::ofstream stream(path, std::ios::binary);
  formats::writeNpy(stream, descriptor, bytes);
}

// Writes folder/model.onnx, folder/input_0.npy, ..., folder/output_0.npy, ... in the order of the graph.
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
      for (const bool isCuda : {false, true}) {
        // onnxruntimeTarget() is also the target of saved files.
        const onnx::Target& target = isCuda ? onnxruntime::cudaTarget() : onnxruntime::onnxruntimeTarget();
        const onnx::ExportedModel model = onnx::exportModel(*graph.state()->definition, {.target = target});
        EXPECT_FALSE(model.proto.empty());
        if (folder) dump(fixture, graph, item.values, model, fs::path(folder) / (isCuda ? name + ".cuda" : name));
      }
    }
  }
}

// Writes one line per operator: its name, a bit mask of the inputs that have its type T, and the types that T may be.
TEST(OnnxExport, WritesEveryCaseOfTheTableOfTypes) {
  std::string table;
  for (const onnx::TypeRule& rule : onnx::standardTarget().rules) {
    table += formatText("{}\t{}\t", rule.opType, rule.inputs);
    for (std::int32_t type = 0; type < 27; ++type) {
      const auto element = static_cast<onnx::ElementType>(type);
      if (rule.types.contains(element)) table += std::string(onnx::name(element)) + " ";
    }
    table += "\n";
  }
  EXPECT_GT(table.size(), 1000u);
  if (const char* const folder = std::getenv("WEBNN_EXPORT_FOLDER")) std::ofstream(fs::path(folder) / "types.tsv") << table;
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
