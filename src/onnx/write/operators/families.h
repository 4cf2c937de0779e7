#pragma once

#include "onnx/write/exporter.h"
#include "ops/operation.h"

namespace webnn::onnx {

// activation.cpp
void toOnnx(const ops::Activation& op, Exporter& out);
void toOnnx(const ops::Elu& op, Exporter& out);
void toOnnx(const ops::LeakyRelu& op, Exporter& out);
void toOnnx(const ops::HardSigmoid& op, Exporter& out);
void toOnnx(const ops::Linear& op, Exporter& out);
void toOnnx(const ops::Prelu& op, Exporter& out);
void toOnnx(const ops::Softmax& op, Exporter& out);

// conv.cpp
void toOnnx(const ops::Conv2d& op, Exporter& out);
void toOnnx(const ops::ConvTranspose2d& op, Exporter& out);

// elementwise_binary.cpp
void toOnnx(const ops::Binary& op, Exporter& out);
void toOnnx(const ops::Where& op, Exporter& out);

// elementwise_unary.cpp
void toOnnx(const ops::Unary& op, Exporter& out);
void toOnnx(const ops::LogicalUnary& op, Exporter& out);
void toOnnx(const ops::Cast& op, Exporter& out);
void toOnnx(const ops::Clamp& op, Exporter& out);

// gather_scatter.cpp
void toOnnx(const ops::Gather& op, Exporter& out);
void toOnnx(const ops::GatherElements& op, Exporter& out);
void toOnnx(const ops::GatherND& op, Exporter& out);
void toOnnx(const ops::ScatterElements& op, Exporter& out);
void toOnnx(const ops::ScatterND& op, Exporter& out);

// matmul.cpp
void toOnnx(const ops::Matmul& op, Exporter& out);
void toOnnx(const ops::Gemm& op, Exporter& out);

// normalization.cpp
void toOnnx(const ops::BatchNormalization& op, Exporter& out);
void toOnnx(const ops::InstanceNormalization& op, Exporter& out);
void toOnnx(const ops::LayerNormalization& op, Exporter& out);

// pool.cpp
void toOnnx(const ops::Pool2d& op, Exporter& out);

// quantize.cpp
void toOnnx(const ops::DequantizeLinear& op, Exporter& out);
void toOnnx(const ops::QuantizeLinear& op, Exporter& out);

// Returns the value of `operand`, a factor of a product with `weights`. The value is fenced if `operand` is dequantized and
// `weights` are not: otherwise ONNX Runtime rounds the weights and the result to 8 bits.
OnnxValue multiplicand(const Operand& operand, const Operand& weights, Exporter& out);

// Returns the value of `operand`, one of the two values of a Where. The value is fenced if both values are dequantized and the
// zero point of `operand` is not constant: otherwise ONNX Runtime up to 1.31 fuses DequantizeLinear, Where and QuantizeLinear
// into one that crashes.
OnnxValue choice(const Operand& operand, const Operand& other, Exporter& out);

// dataflow.cpp
// Returns the value of an operand, fenced (see Exporter::fenced) if ONNX Runtime may find a Pad before it.
OnnxValue fencedIfPadded(const Operand& operand, Exporter& out);

// recurrent.cpp
void toOnnx(const ops::Gru& op, Exporter& out);
void toOnnx(const ops::GruCell& op, Exporter& out);
void toOnnx(const ops::Lstm& op, Exporter& out);
void toOnnx(const ops::LstmCell& op, Exporter& out);

// reduce.cpp
void toOnnx(const ops::Reduce& op, Exporter& out);
void toOnnx(const ops::ArgMinMax& op, Exporter& out);
void toOnnx(const ops::CumulativeSum& op, Exporter& out);

// resample.cpp
void toOnnx(const ops::Resample2d& op, Exporter& out);

// shape.cpp
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
