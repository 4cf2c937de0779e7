// Linear quantization, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/quantize.h"

namespace webnn::onnx {

void toOnnx(const ops::DequantizeLinear& op, Exporter& out);
void toOnnx(const ops::QuantizeLinear& op, Exporter& out);

// Protects the operand of a product with weights: ONNX Runtime rounds float weights to 8 bits if the other operand and the result
// are quantized.
OnnxValue multiplicand(const Operand& operand, const Operand& weights, Exporter& out);

// Protects an operand of Where: ONNX Runtime up to 1.31 fuses Where between two DequantizeLinear and a QuantizeLinear, and
// crashes if a zero point is no constant.
OnnxValue choice(const Operand& operand, const Operand& other, Exporter& out);

}  // namespace webnn::onnx
