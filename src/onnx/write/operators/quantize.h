// Linear quantization, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/quantize.h"

namespace webnn::onnx {

void toOnnx(const ops::DequantizeLinear& op, Exporter& out);
void toOnnx(const ops::QuantizeLinear& op, Exporter& out);

// What is multiplied with weights. Weights that are not quantized ONNX Runtime rounds to 8 bits, if it sees that the other
// operand was, and so will be the result.
OnnxValue multiplicand(const Operand& operand, const Operand& weights, Exporter& out);

// What Where chooses, or else the other. Between two DequantizeLinear and a QuantizeLinear, ONNX Runtime up to 1.31 makes one
// operator of it and crashes if a zero point is no constant.
OnnxValue choice(const Operand& operand, const Operand& other, Exporter& out);

}  // namespace webnn::onnx
