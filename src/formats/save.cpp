#include "onnx/read/save.h"

#include <vector>

#include "base/as_errors.h"
#include "base/file.h"
#include "base/text.h"
#include "context/graph_state.h"
#include "coreml/export.h"
#include "formats/capnp/binary_file.h"
#include "formats/document/document.h"
#include "formats/document/values.h"
#include "formats/document/weights.h"
#include "formats/json/graph_json.h"
#include "formats/suffix.h"
#include "formats/text/writer.h"
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

// The formats are UTF-8; a name that is not would not read back.
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

// Makes every constant a reference to the tensor of its name, and returns those tensors.
std::vector<formats::NamedWeights> detachWeights(formats::GraphDocument& document) {
  std::vector<formats::NamedWeights> weights;
  for (formats::ConstantDeclaration& constant : document.constants) {
    weights.push_back({constant.name, constant.descriptor, std::get<ExternalBytes>(constant.source).bytes});
    constant.source = formats::WeightsReference{constant.name};
  }
  return weights;
}

// NAME.graph -> NAME<suffix>; TypeError if that is the graph itself.
std::filesystem::path beside(const std::filesystem::path& path, std::string_view suffix) {
  std::filesystem::path result = path;
  result.replace_filename(path.stem().string() + std::string(suffix));
  if (result == path) fail(ErrorKind::typeError, "save: the graph and its weights would both be {}.", sanitized(path.string()));
  return result;
}

// load() takes safetensors before other weights of the same name (see openWeights). OperationError if they are there.
void requireNotHidden(const std::filesystem::path& earlier) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(earlier, ignored))) return;
  fail(ErrorKind::operationError,
       "save: load() would read {} instead of the weights of this graph; remove it, or save elsewhere.",
       sanitized(earlier.string()));
}

void writeWeights(Replacement& files, const std::filesystem::path& path, WeightsFormat format,
                  const std::vector<formats::NamedWeights>& weights) {
  if (format == WeightsFormat::safetensors) {
    const std::filesystem::path file = beside(path, ".safetensors");
    formats::writeSafetensors(files, file, weights);
  } else {
    const std::filesystem::path manifest = beside(path, ".manifest.json"), file = beside(path, ".weights");
    requireNotHidden(beside(path, ".safetensors"));
    formats::writeManifest(files, manifest, file, weights);
  }
}

void addBinary(Replacement& files, const std::filesystem::path& path, const GraphDefinition& graph, WeightsFormat format,
               formats::GraphDocument document) {
  const bool isInline = format == WeightsFormat::inlineBytes || document.constants.empty();
  std::vector<std::string> keys;
  if (!isInline) {
    const std::vector<formats::NamedWeights> tensors = detachWeights(document);
    for (const formats::NamedWeights& tensor : tensors) keys.push_back(tensor.key);
    writeWeights(files, path, format, tensors);
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
  Replacement files;
  if (isBinary) {
    addBinary(files, path, definition, weights, std::move(document));
    files.commit();
    return;
  }
  if (weights != WeightsFormat::inlineBytes && !document.constants.empty()) {
    writeWeights(files, path, weights, detachWeights(document));
  }
  const std::string text = format == GraphFormat::webnnText ? formats::writeText(document) : formats::writeGraphJson(document);
  files.add(path, [&](std::ostream& stream) { stream.write(text.data(), static_cast<std::streamsize>(text.size())); });
  files.commit();
}

}  // namespace

void save(const Graph& graph, const std::filesystem::path& path, const SaveOptions& options) try {
  try {
    saveAs(graph, path, options);
  } catch (const Error& error) {  // perhaps of a file beside it
    if (error.kind() != ErrorKind::operationError) throw;
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
} catch (...) {
  throwAsError("save");
}

}  // namespace webnn
