// Recurrent networks and their single steps, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/recurrent.h"

namespace webnn::onnx {

void toOnnx(const ops::Gru& op, Exporter& out);
void toOnnx(const ops::GruCell& op, Exporter& out);
void toOnnx(const ops::Lstm& op, Exporter& out);
void toOnnx(const ops::LstmCell& op, Exporter& out);

}  // namespace webnn::onnx
