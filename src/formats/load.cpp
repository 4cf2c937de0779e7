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

// `path` is empty for content without a file.
Graph loadContent(Context& context, const ExternalBytes& file, const std::filesystem::path& path, const LoadOptions& options) {
  if (formats::onnx::looksLikeModel(file.bytes)) {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : path.empty() ? "" : ".";
    return formats::onnx::importModel(context, file, folder, options);
  }
  if (!options.values.empty()) fail(ErrorKind::typeError, "only inputs of ONNX models can be given values.");
  const std::string_view content(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  const formats::GraphDocument document = formats::readDocument(content);
  const bool needsWeights = refersToWeights(document) || options.weights || options.manifest;
  if (needsWeights && path.empty() && !options.weights)
    fail(ErrorKind::notFoundError, "the weights of a graph that is no file must be named.");
  const auto weights = needsWeights ? formats::openWeights(path, options) : nullptr;
  return formats::buildGraph(context, document, weights.get(), options.dimensions);
}

}  // namespace

Graph load(Context& context, const ExternalBytes& content, const LoadOptions& options) {
  return loadContent(context, content, {}, options);
}

Graph load(Context& context, const std::filesystem::path& path, const LoadOptions& options) {
  const ExternalBytes file = mapFile(path);
  try {
    return loadContent(context, file, path, options);
  } catch (const formats::onnx::ValuesNeeded& error) {
    throw formats::onnx::ValuesNeeded(sanitized(path.string()) + ": " + error.what(), error.inputs());
  } catch (const Error& error) {
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
}

}  // namespace webnn
