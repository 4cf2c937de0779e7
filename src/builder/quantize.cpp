#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::dequantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options) {
  return appendOne(ops::DequantizeLinear{std::move(input), std::move(scale), std::move(zeroPoint), std::move(options)});
}

Operand GraphBuilder::quantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options) {
  return appendOne(ops::QuantizeLinear{std::move(input), std::move(scale), std::move(zeroPoint), std::move(options)});
}

}  // namespace webnn
