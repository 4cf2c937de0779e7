// Convolution and transposed convolution, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/conv.h"

namespace webnn::onnx {

void toOnnx(const ops::Conv2d& op, Exporter& out);
void toOnnx(const ops::ConvTranspose2d& op, Exporter& out);

}  // namespace webnn::onnx
