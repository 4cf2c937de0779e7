#include "base/file.h"
#include "base/text.h"
#include "formats/document.h"
#include "formats/onnx/import.h"
#include "formats/onnx/model.h"
#include "formats/weights.h"
#include "webnn/formats.h"

namespace webnn {

namespace {

bool refersToWeights(const formats::GraphDocument& document) {
  for (const formats::ConstantDeclaration& constant : document.constants) {
    if (std::holds_alternative<formats::WeightsReference>(constant.source)) return true;
  }
  return false;
}

}  // namespace

Graph load(Context& context, const std::filesystem::path& path, const LoadOptions& options) {
  const ExternalBytes file = mapFile(path);
  try {
    if (formats::onnx::looksLikeModel(file.bytes)) {
      return formats::onnx::importModel(context, file, path.parent_path(), options);
    }
    if (!options.values.empty()) fail(ErrorKind::typeError, "only inputs of ONNX models can be given values.");
    const std::string_view content(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    const formats::GraphDocument document = formats::readDocument(content);
    const bool needsWeights = refersToWeights(document) || options.weights || options.manifest;
    const auto weights = needsWeights ? formats::openWeights(path, options) : nullptr;
    return formats::buildGraph(context, document, weights.get(), options.dimensions);
  } catch (const formats::onnx::ValuesNeeded& error) {
    throw formats::onnx::ValuesNeeded(sanitized(path.string()) + ": " + error.what(), error.inputs());
  } catch (const Error& error) {
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
}

}  // namespace webnn
