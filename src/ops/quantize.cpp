#include "ops/quantize.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// Checks that scale and zeroPoint have the same shape, and that scale is blockwise broadcastable to the input.
void requireBlocks(const auto& op) {
  const Shape &input = op.input.shape(), &scale = op.scale.shape(), &zeroPoint = op.zeroPoint.shape();
  if (!canEqual(scale, zeroPoint)) {
    fail(op, ErrorKind::typeError, "scale shape {} is not that of zeroPoint {}.", toString(scale), toString(zeroPoint));
  }
  if (!isBlockwiseBroadcastable(scale, input)) {
    fail(op, ErrorKind::typeError, "scale shape {} is not blockwise broadcastable to input shape {}.", toString(scale),
         toString(input));
  }
}

}  // namespace

constinit const OperationRow DequantizeLinear::rows[] = {
    {"dequantizeLinear",
     "(input - zeroPoint) * scale",
     {operand("input", kQuantized, kAnyRank), operand("scale", kFloats).ofRankOf("input"), like("zeroPoint", "input"),
      output(like("output", "scale").ofRankOf("input"))}},
};

constinit const OperationRow QuantizeLinear::rows[] = {
    {"quantizeLinear",
     "roundEven(input / scale) + zeroPoint, clamped to the range of the type",
     {operand("input", kFloats, kAnyRank), like("scale", "input"), operand("zeroPoint", kQuantized).ofRankOf("input"),
      output(like("output", "zeroPoint").ofRankOf("input"))}},
};

Outputs infer(DequantizeLinear& op) {
  requireBlocks(op);
  return {{op.scale.dataType(), op.input.shape()}};
}

Outputs infer(QuantizeLinear& op) {
  requireBlocks(op);
  return {{op.zeroPoint.dataType(), op.input.shape()}};
}

}  // namespace webnn::ops
