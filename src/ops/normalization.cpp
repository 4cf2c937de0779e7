#include "ops/normalization.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kBatchNormalizationRows[] = {
    {"batchNormalization", "Normalizes by given means and variances", "dom-mlgraphbuilder-batchnormalization",
     {operand("input", kFloats, rankFrom(1)),
      like("mean", "input").ofRank(rank(1)),
      like("variance", "input").ofRank(rank(1)),
      like("scale", "input").ofRank(rank(1)),
      like("bias", "input").ofRank(rank(1)),
      output(like("output", "input"))}},
};

constexpr OperationRow kInstanceNormalizationRows[] = {
    {"instanceNormalization", "Normalizes each plane of each image", "dom-mlgraphbuilder-instancenormalization",
     {operand("input", kFloats, rank(4)),
      like("scale", "input").ofRank(rank(1)),
      like("bias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(4)))}},
};

constexpr OperationRow kLayerNormalizationRows[] = {
    {"layerNormalization", "Normalizes over axes", "dom-mlgraphbuilder-layernormalization",
     {operand("input", kFloats, kAnyRank),
      like("scale", "input").ofRank(kAnyRank),
      like("bias", "input").ofRank(kAnyRank),
      output(like("output", "input"))}},
};

}  // namespace

std::span<const OperationRow> BatchNormalization::rows() { return kBatchNormalizationRows; }
std::span<const OperationRow> InstanceNormalization::rows() { return kInstanceNormalizationRows; }
std::span<const OperationRow> LayerNormalization::rows() { return kLayerNormalizationRows; }

Outputs infer(BatchNormalization& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(InstanceNormalization& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(LayerNormalization& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

namespace webnn {

Operand GraphBuilder::batchNormalization(Operand input, Operand mean, Operand variance, BatchNormalizationOptions options) {
  return appendOne(ops::BatchNormalization{std::move(input), std::move(mean), std::move(variance), std::move(options)});
}

Operand GraphBuilder::instanceNormalization(Operand input, InstanceNormalizationOptions options) {
  return appendOne(ops::InstanceNormalization{std::move(input), std::move(options)});
}

Operand GraphBuilder::layerNormalization(Operand input, LayerNormalizationOptions options) {
  return appendOne(ops::LayerNormalization{std::move(input), std::move(options)});
}

}  // namespace webnn
