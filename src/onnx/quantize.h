// Linear quantization, as ONNX.
#pragma once

#include "onnx/exporter.h"
#include "ops/quantize.h"

namespace webnn::onnx {

void toOnnx(const ops::DequantizeLinear& op, Exporter& out);
void toOnnx(const ops::QuantizeLinear& op, Exporter& out);

}  // namespace webnn::onnx
