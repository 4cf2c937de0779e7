// Operations that move elements by indices, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/gather_scatter.h"

namespace webnn::onnx {

void toOnnx(const ops::Gather& op, Exporter& out);
void toOnnx(const ops::GatherElements& op, Exporter& out);
void toOnnx(const ops::GatherND& op, Exporter& out);
void toOnnx(const ops::ScatterElements& op, Exporter& out);
void toOnnx(const ops::ScatterND& op, Exporter& out);

}  // namespace webnn::onnx
