// Matrix products, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/matmul.h"

namespace webnn::onnx {

void toOnnx(const ops::Matmul& op, Exporter& out);
void toOnnx(const ops::Gemm& op, Exporter& out);

}  // namespace webnn::onnx
