// Element-wise operations of two operands, and `where`, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/elementwise_binary.h"

namespace webnn::onnx {

void toOnnx(const ops::Binary& op, Exporter& out);
void toOnnx(const ops::Where& op, Exporter& out);

}  // namespace webnn::onnx
