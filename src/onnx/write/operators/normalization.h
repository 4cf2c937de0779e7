// Batch, instance and layer normalization, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/normalization.h"

namespace webnn::onnx {

void toOnnx(const ops::BatchNormalization& op, Exporter& out);
void toOnnx(const ops::InstanceNormalization& op, Exporter& out);
void toOnnx(const ops::LayerNormalization& op, Exporter& out);

}  // namespace webnn::onnx
