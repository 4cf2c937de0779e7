// Part of webnn-reader.wasm, which reads all formats that load() accepts.
#include "formats/document/document.h"
#include "formats/document/weights.h"
#include "onnx/read/model.h"
#include "reader.h"

namespace webnn::web {

namespace {

std::unique_ptr<formats::WeightsReader> weightsOf(const ReaderModule& module) {
  if (!module.weights) return nullptr;
  const bool isBlob = module.manifest || textOf(*module.weights).starts_with("WGWT");
  if (!isBlob) return formats::readSafetensors(*module.weights);
  if (!module.manifest) fail(ErrorKind::notFoundError, "the weights need a manifest: give it in options.manifest.");
  return formats::readManifest(textOf(*module.manifest), *module.weights);
}

void requireWeights(const ReaderModule& module, const formats::GraphDocument& document) {
  if (module.weights) return;
  for (const formats::ConstantDeclaration& constant : document.constants) {
    if (std::holds_alternative<formats::WeightsReference>(constant.source))
      fail(ErrorKind::notFoundError, "the graph needs weights: give them in options.weights.");
  }
}

}  // namespace

Graph load(ReaderModule& module, const std::shared_ptr<Budget>& budget) {
  if (formats::onnx::looksLikeModel(module.graph.bytes)) return readModel(module, budget, formats::onnx::wholeRepertoire());
  if (!module.options.values.empty()) fail(ErrorKind::typeError, "only inputs of ONNX models can be given values.");
  if (!module.external.empty()) fail(ErrorKind::typeError, "only ONNX models have several files of weights.");
  const formats::GraphDocument document = formats::readDocument(textOf(module.graph));
  requireWeights(module, document);
  return formats::buildGraph(module.context, document, weightsOf(module).get(), module.options.dimensions, budget);
}

}  // namespace webnn::web
