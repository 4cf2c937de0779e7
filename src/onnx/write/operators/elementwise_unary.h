// Element-wise operations of one operand, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/elementwise_unary.h"

namespace webnn::onnx {

void toOnnx(const ops::Unary& op, Exporter& out);
void toOnnx(const ops::LogicalUnary& op, Exporter& out);
void toOnnx(const ops::Cast& op, Exporter& out);
void toOnnx(const ops::Clamp& op, Exporter& out);

}  // namespace webnn::onnx
