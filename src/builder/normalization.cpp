#include "ops/operation.h"
#include "webnn/graph_builder.h"

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
