// Activation functions, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/activation.h"

namespace webnn::onnx {

void toOnnx(const ops::Activation& op, Exporter& out);
void toOnnx(const ops::Elu& op, Exporter& out);
void toOnnx(const ops::LeakyRelu& op, Exporter& out);
void toOnnx(const ops::HardSigmoid& op, Exporter& out);
void toOnnx(const ops::Linear& op, Exporter& out);
void toOnnx(const ops::Prelu& op, Exporter& out);
void toOnnx(const ops::Softmax& op, Exporter& out);

}  // namespace webnn::onnx
