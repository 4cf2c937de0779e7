#include <vector>

#include "base/as_errors.h"
#include "base/files/file.h"
#include "base/text.h"
#include "context/graph_state.h"
#include "coreml/export.h"
#include "formats/capnp/binary_file.h"
#include "formats/document/document.h"
#include "formats/document/values.h"
#include "formats/json/graph_json.h"
#include "formats/save_onnx.h"
#include "formats/suffix.h"
#include "formats/text/writer.h"
#include "formats/weights_beside.h"
#include "webnn/formats.h"

namespace webnn {

namespace {

GraphFormat formatOf(const std::filesystem::path& path, const SaveOptions& options) {
  if (const auto format = options.graph ? options.graph : formats::formatOfSuffix(path)) return *format;
  fail(ErrorKind::typeError, "save: the suffix of {} is not {}; use one of these, or give the format.",
       webnn::quoted(path.string()), formats::listSuffixes());
}

void requireUtf8(std::string_view what, std::string_view text) {
  if (formats::validUtf8Length(text) != text.size())
    fail(ErrorKind::typeError, "save: {} {} is not UTF-8.", what, webnn::quoted(text));
}

// TypeError for names that are not UTF-8, because the formats are UTF-8, and such names would not read back.
void checkNames(const formats::GraphDocument& document) {
  requireUtf8("the graph's name", document.name);
  for (const auto& input : document.inputs) requireUtf8("the input", input.name);
  for (const auto& constant : document.constants) requireUtf8("the constant", constant.name);
  for (const auto& output : document.outputs) requireUtf8("the output", output.name);
  for (const auto& node : document.nodes) {
    for (const auto& output : node.outputs) requireUtf8("the operand", output);
    if (const formats::Json* const label = node.options.find("label")) requireUtf8("the label", label->asText());
  }
}

// Replaces every constant by a reference to the tensor of its name, and returns these tensors.
std::vector<formats::NamedWeights> detachWeights(formats::GraphDocument& document) {
  std::vector<std::string> names;
  for (const formats::ConstantDeclaration& constant : document.constants) names.push_back(constant.name);
  std::vector<formats::NamedWeights> weights;
  for (formats::ConstantDeclaration& constant : document.constants) {
    const std::string key = formats::safetensorsKey(constant.name, names);
    weights.push_back({key, constant.descriptor, std::get<ExternalBytes>(constant.source).bytes});
    constant.source = formats::WeightsReference{key};
  }
  return weights;
}

void addBinary(Replacement& files, const std::filesystem::path& path, const GraphDefinition& graph, WeightsFormat format,
               formats::GraphDocument document) {
  const bool isInline = format == WeightsFormat::inlineBytes || document.constants.empty();
  std::vector<std::string> keys;
  if (!isInline) {
    const std::vector<formats::NamedWeights> tensors = detachWeights(document);
    for (const formats::NamedWeights& tensor : tensors) keys.push_back(tensor.key);
    formats::addWeightsBeside(files, path, format, tensors);
  }
  files.add(path, [&](std::ostream& stream) {
    if (isInline) {
      formats::writeBinary(stream, graph);
    } else {
      formats::writeBinary(stream, graph, keys);
    }
  });
}

void saveAs(const Graph& graph, const std::filesystem::path& path, const SaveOptions& options) {
  const GraphDefinition& definition = definitionOf(graph, "save");
  formats::GraphDocument document = formats::documentOf(definition);
  checkNames(document);
  const GraphFormat format = formatOf(path, options);
  const bool isBinary = format == GraphFormat::webnnBinary;
  const WeightsFormat weights = options.weights.value_or(isBinary ? WeightsFormat::inlineBytes : WeightsFormat::safetensors);
  if (format == GraphFormat::coreMl) {
    coreml::savePackage(definition, path);
    return;
  }
  if (format == GraphFormat::onnx) {
    formats::saveOnnx(definition, path, weights);
    return;
  }
  formats::requireNobodysWeights(path);
  Replacement files;
  if (isBinary) {
    addBinary(files, path, definition, weights, std::move(document));
    files.commit();
    return;
  }
  if (weights != WeightsFormat::inlineBytes && !document.constants.empty()) {
    formats::addWeightsBeside(files, path, weights, detachWeights(document));
  }
  const std::string text = format == GraphFormat::webnnText ? formats::writeText(document) : formats::writeGraphJson(document);
  files.add(path, [&](std::ostream& stream) { stream.write(text.data(), static_cast<std::streamsize>(text.size())); });
  files.commit();
}

}  // namespace

void save(const Graph& graph, const std::filesystem::path& path, const SaveOptions& options) try {
  try {
    saveAs(graph, path, options);
  } catch (const Error& error) {  // may be about a file beside `path`
    if (error.kind() != ErrorKind::operationError) throw;
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
} catch (...) {
  throwAsError("save");
}

}  // namespace webnn
