#include <optional>
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
#include "formats/open_graph_source.h"
#include "formats/save_onnx.h"
#include "formats/suffix.h"
#include "formats/text/writer.h"
#include "formats/weights_beside.h"
#include "webnn/formats.h"
#include "webnn/session.h"

namespace webnn {

namespace {

GraphFormat formatOf(const std::filesystem::path& path, const SaveOptions& options) {
  if (const auto format = options.graph ? options.graph : formats::formatOfSuffix(path)) return *format;
  fail(ErrorKind::typeError, "save: the suffix of {} is not {}; use one of these, or give the format.",
       webnn::quoted(path.string()), formats::listSuffixes());
}

WeightsFormat weightsOf(GraphFormat format, const SaveOptions& options) {
  return options.weights.value_or(format == GraphFormat::webnnBinary ? WeightsFormat::inlineBytes : WeightsFormat::safetensors);
}

void requireUtf8(std::string_view what, std::string_view text) {
  if (formats::validUtf8Length(text) != text.size())
    fail(ErrorKind::typeError, "save: {} {} is not UTF-8.", what, webnn::quoted(text));
}

// Throws TypeError for names that are not UTF-8, because the formats are UTF-8, and such names would not read back.
void checkNames(const formats::GraphDocument& document) {
  requireUtf8("the graph's name", document.name);
  for (const auto& input : document.inputs) {
    requireUtf8("the input", input.name);
    for (const auto& dimension : input.shape) requireUtf8("the dimension", dimension.name);
  }
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

// Saves a graph as .webnnb. `sizes` resolves the handles of open dimensions; null if the graph has none.
void saveBinary(const GraphDefinition& graph, const OpenSizes* sizes, formats::GraphDocument document,
                const std::filesystem::path& path, WeightsFormat format) {
  Replacement files;
  const bool isInline = format == WeightsFormat::inlineBytes || document.constants.empty();
  std::vector<std::string> keys;
  if (!isInline) {
    const std::vector<formats::NamedWeights> tensors = detachWeights(document);
    for (const formats::NamedWeights& tensor : tensors) keys.push_back(tensor.key);
    formats::addWeightsBeside(files, path, format, tensors);
  }
  files.add(path, [&](std::ostream& stream) {
    if (isInline) {
      formats::writeBinary(stream, graph, sizes);
    } else {
      formats::writeBinary(stream, graph, keys, sizes);
    }
  });
  files.commit();
}

// Writes a document as .webnn text or JSON.
void saveDocument(formats::GraphDocument document, const std::filesystem::path& path, GraphFormat format, WeightsFormat weights) {
  Replacement files;
  if (weights != WeightsFormat::inlineBytes && !document.constants.empty()) {
    formats::addWeightsBeside(files, path, weights, detachWeights(document));
  }
  const std::string text = format == GraphFormat::webnnText ? formats::writeText(document) : formats::writeGraphJson(document);
  files.add(path, [&](std::ostream& stream) { stream.write(text.data(), static_cast<std::streamsize>(text.size())); });
  files.commit();
}

void saveAs(const Graph& graph, const std::filesystem::path& path, const SaveOptions& options) {
  const GraphDefinition& definition = definitionOf(graph, "save");
  formats::GraphDocument document = formats::documentOf(definition);
  checkNames(document);
  const GraphFormat format = formatOf(path, options);
  const WeightsFormat weights = weightsOf(format, options);
  if (format == GraphFormat::coreMl) {
    coreml::savePackage(definition, path);
    return;
  }
  if (format == GraphFormat::onnx) {
    formats::saveOnnx(definition, path, weights);
    return;
  }
  formats::requireNobodysWeights(path);
  if (format == GraphFormat::webnnBinary) return saveBinary(definition, nullptr, std::move(document), path, weights);
  saveDocument(std::move(document), path, format, weights);
}

void saveAs(const OpenGraph& graph, const std::filesystem::path& path, const SaveOptions& options) {
  const GraphFormat format = formatOf(path, options);
  formats::GraphDocument document = formats::documentOf(graph);
  checkNames(document);
  if (format == GraphFormat::coreMl) {
    coreml::savePackage(*graph.definition, *graph.sizes, path);
    return;
  }
  const WeightsFormat weights = weightsOf(format, options);
  if (format == GraphFormat::onnx) {
    formats::saveOnnx(graph, path, weights);
    return;
  }
  formats::requireNobodysWeights(path);
  if (format == GraphFormat::webnnBinary)
    return saveBinary(*graph.definition, graph.sizes.get(), std::move(document), path, weights);
  saveDocument(std::move(document), path, format, weights);
}

// Calls `saveIt`. Prefixes an OperationError with `path`, because the error may be about another file beside it.
void saving(const std::filesystem::path& path, const auto& saveIt) try {
  try {
    saveIt();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::operationError) throw;
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
} catch (...) {
  throwAsError("save");
}

}  // namespace

void save(const Graph& graph, const std::filesystem::path& path, const SaveOptions& options) {
  saving(path, [&] { saveAs(graph, path, options); });
}

void formats::saveOpen(const OpenGraph& graph, const std::filesystem::path& path, const SaveOptions& options) {
  saving(path, [&] { saveAs(graph, path, options); });
}

void save(const Session& session, const std::filesystem::path& path, const SaveOptions& options) {
  saving(path, [&] {
    std::optional<Graph> graph;
    try {
      graph = session.graph({});
    } catch (const Error& error) {  // TypeError if a dimension has no size: save the graph with open dimensions
      if (error.kind() != ErrorKind::typeError) throw;
    }
    if (graph) return saveAs(*graph, path, options);
    if (const auto open = session.openGraph()) return saveAs(*open, path, options);
    fail(ErrorKind::typeError, "an ONNX model with open dimensions has no graph to save; load it with sizes for all of them.");
  });
}

}  // namespace webnn
