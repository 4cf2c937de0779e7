#include "ops/quantize.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kDequantizeLinearRows[] = {
    {"dequantizeLinear", "(input - zeroPoint) * scale", "dom-mlgraphbuilder-dequantizelinear",
     {operand("input", kQuantized, kAnyRank),
      operand("scale", kFloats).ofRankOf("input"),
      like("zeroPoint", "input"),
      output(like("output", "scale").ofRankOf("input"))}},
};

constexpr OperationRow kQuantizeLinearRows[] = {
    {"quantizeLinear", "roundEven(input / scale) + zeroPoint, saturated", "dom-mlgraphbuilder-quantizelinear",
     {operand("input", kFloats, kAnyRank),
      like("scale", "input"),
      operand("zeroPoint", kQuantized).ofRankOf("input"),
      output(like("output", "zeroPoint").ofRankOf("input"))}},
};

}  // namespace

std::span<const OperationRow> DequantizeLinear::rows() { return kDequantizeLinearRows; }
std::span<const OperationRow> QuantizeLinear::rows() { return kQuantizeLinearRows; }

Outputs infer(DequantizeLinear& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(QuantizeLinear& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

namespace webnn {

Operand GraphBuilder::dequantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options) {
  return appendOne(ops::DequantizeLinear{std::move(input), std::move(scale), std::move(zeroPoint), std::move(options)});
}

Operand GraphBuilder::quantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options) {
  return appendOne(ops::QuantizeLinear{std::move(input), std::move(scale), std::move(zeroPoint), std::move(options)});
}

}  // namespace webnn
