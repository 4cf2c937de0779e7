// Operations that move elements without indices, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/shape.h"

namespace webnn::onnx {

void toOnnx(const ops::Concat& op, Exporter& out);
void toOnnx(const ops::Expand& op, Exporter& out);
void toOnnx(const ops::Pad& op, Exporter& out);
void toOnnx(const ops::Reshape& op, Exporter& out);
void toOnnx(const ops::Reverse& op, Exporter& out);
void toOnnx(const ops::Slice& op, Exporter& out);
void toOnnx(const ops::Split& op, Exporter& out);
void toOnnx(const ops::Tile& op, Exporter& out);
void toOnnx(const ops::Transpose& op, Exporter& out);
void toOnnx(const ops::Triangular& op, Exporter& out);

}  // namespace webnn::onnx
