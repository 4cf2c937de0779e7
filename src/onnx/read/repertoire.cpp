#include "onnx/read/repertoire.h"

#include <algorithm>
#include <array>

#include "onnx/read/import.h"

namespace webnn::formats::onnx {

namespace {

const auto& families() {
  static const std::array kFamilies{activationOperators(),
                                    arrayOperators(),
                                    attentionOperators(),
                                    bitwiseOperators(),
                                    selectionOperators(),
                                    sequenceOperators(),
                                    trigonometryOperators(),
                                    columnOperators(),
                                    controlFlowOperators(),
                                    convOperators(),
                                    cropOperators(),
                                    deformConvOperators(),
                                    einsumOperators(),
                                    elementwiseBinaryOperators(),
                                    elementwiseUnaryOperators(),
                                    formerOperators(),
                                    gatherScatterOperators(),
                                    lossOperators(),
                                    matmulOperators(),
                                    matMulBnb4Operators(),
                                    matMulNBitsOperators(),
                                    normalizationOperators(),
                                    poolOperators(),
                                    quantizeOperators(),
                                    recurrentOperators(),
                                    reduceOperators(),
                                    regionOperators(),
                                    resampleOperators(),
                                    samplingOperators(),
                                    scatterOperators(),
                                    shapeOperators(),
                                    slicePadOperators(),
                                    sourceOperators(),
                                    spectrumOperators()};
  return kFamilies;
}

std::string keyOf(std::string_view domain, std::string_view opType) { return std::string(domain) + ":" + std::string(opType); }

}  // namespace

Repertoire::Repertoire(std::span<const std::span<const OperatorImport>> all, reference::Compute computes) : compute(computes) {
  for (const auto& family : all) {
    for (const OperatorImport& row : family) rows.emplace(keyOf(row.domain, row.opType), &row);
  }
}

const OperatorImport* Repertoire::find(std::string_view domain, std::string_view opType, std::int64_t version) const {
  const auto found = rows.find(keyOf(domain, opType));
  return found == rows.end() || found->second->last < version ? nullptr : found->second;
}

const Repertoire& wholeRepertoire() {
  static const Repertoire kWhole(families(), reference::compute);
  return kWhole;
}

std::vector<KnownOperator> knownOperators() {
  std::vector<KnownOperator> all;
  for (const auto& family : families()) {
    for (const OperatorImport& row : family) all.push_back({row.domain, row.opType});
  }
  return all;
}

}  // namespace webnn::formats::onnx
