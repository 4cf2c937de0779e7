#include "formats/save_onnx.h"

#include <limits>

#include "backends/onnxruntime/kernel_types.h"
#include "base/files/file.h"
#include "base/text.h"
#include "formats/weights_beside.h"
#include "onnx/write/export.h"

namespace webnn::formats {

namespace {

constexpr std::uint64_t kMaxModel = std::numeric_limits<std::int32_t>::max();  // protobuf's limit in bytes

void requireFits(std::uint64_t bytes) {
  if (bytes <= kMaxModel) return;
  fail(ErrorKind::operationError,
       "save: an ONNX file holds at most {} bytes, not the {} of this graph; save its weights beside it.", kMaxModel, bytes);
}

void write(std::ostream& stream, const char* data, std::size_t size) { stream.write(data, static_cast<std::streamsize>(size)); }

// Writes the constants at their offsets, with zeros between them.
void writeExternal(std::ostream& stream, const std::vector<webnn::onnx::ExternalConstant>& constants) {
  std::uint64_t at = 0;
  for (const webnn::onnx::ExternalConstant& constant : constants) {
    const std::string padding(constant.offset - at, '\0');
    write(stream, padding.data(), padding.size());
    write(stream, reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size());
    at = constant.offset + constant.bytes.size();
  }
}

}  // namespace

std::vector<std::string> saveOnnx(const GraphDefinition& graph, const std::filesystem::path& path, WeightsFormat weights) {
  std::filesystem::path dataPath = path;
  dataPath += ".data";
  // The target is ONNX Runtime, because a model whose operators it cannot run would be of little use.
  webnn::onnx::ExportOptions options{.target = onnxruntime::onnxruntimeTarget(), .externalFile = dataPath.filename().string()};
  if (weights == WeightsFormat::inlineBytes) {
    options.externalFrom = std::numeric_limits<std::size_t>::max();
    std::uint64_t bytes = 0;  // cannot overflow: all constants are in memory, or mapped
    for (const Operand& constant : graph.constants) bytes += constant.record().bytes.size();
    requireFits(bytes);
  }
  webnn::onnx::ExportedModel model = webnn::onnx::exportModel(graph, options);
  requireFits(model.proto.size());
  requireNobodysWeights(path);
  Replacement files;
  if (!model.external.empty()) {
    if (const std::string loser = whoLoses(path, dataPath); !loser.empty())
      fail(ErrorKind::operationError, "save: {}; save under another name, or with the weights inline.", loser);
    files.add(dataPath, [&](std::ostream& stream) { writeExternal(stream, model.external); });
  }
  files.add(path, [&](std::ostream& stream) { write(stream, model.proto.data(), model.proto.size()); });
  files.commit();
  return std::move(model.notes);
}

std::vector<std::string> saveOnnx(const OpenGraph& graph, const std::filesystem::path& path, WeightsFormat weights) {
  return printed(graph, [&](const GraphDefinition& definition) { return saveOnnx(definition, path, weights); });
}

}  // namespace webnn::formats
