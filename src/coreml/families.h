// The export of each operation to MIL: one overload per operation, in the file of its family.
#pragma once

#include "coreml/mil_builder.h"
#include "ops/operation.h"

namespace webnn::coreml {

// activation.cpp
void toMil(const ops::Activation& op, MilBuilder& out);
void toMil(const ops::Elu& op, MilBuilder& out);
void toMil(const ops::LeakyRelu& op, MilBuilder& out);
void toMil(const ops::HardSigmoid& op, MilBuilder& out);
void toMil(const ops::Linear& op, MilBuilder& out);
void toMil(const ops::Prelu& op, MilBuilder& out);
void toMil(const ops::Softmax& op, MilBuilder& out);

// conv.cpp
void toMil(const ops::Conv2d& op, MilBuilder& out);
void toMil(const ops::ConvTranspose2d& op, MilBuilder& out);

// elementwise_binary.cpp
void toMil(const ops::Binary& op, MilBuilder& out);
void toMil(const ops::Where& op, MilBuilder& out);

// elementwise_unary.cpp
void toMil(const ops::Unary& op, MilBuilder& out);
void toMil(const ops::LogicalUnary& op, MilBuilder& out);
void toMil(const ops::Cast& op, MilBuilder& out);
void toMil(const ops::Clamp& op, MilBuilder& out);

// gather_scatter.cpp
void toMil(const ops::Gather& op, MilBuilder& out);
void toMil(const ops::GatherElements& op, MilBuilder& out);
void toMil(const ops::GatherND& op, MilBuilder& out);
void toMil(const ops::ScatterElements& op, MilBuilder& out);
void toMil(const ops::ScatterND& op, MilBuilder& out);

// matmul.cpp
void toMil(const ops::Matmul& op, MilBuilder& out);
void toMil(const ops::Gemm& op, MilBuilder& out);

// normalization.cpp
void toMil(const ops::BatchNormalization& op, MilBuilder& out);
void toMil(const ops::InstanceNormalization& op, MilBuilder& out);
void toMil(const ops::LayerNormalization& op, MilBuilder& out);

// pool.cpp
void toMil(const ops::Pool2d& op, MilBuilder& out);

// quantize.cpp
void toMil(const ops::DequantizeLinear& op, MilBuilder& out);
void toMil(const ops::QuantizeLinear& op, MilBuilder& out);

// recurrent.cpp
void toMil(const ops::Gru& op, MilBuilder& out);
void toMil(const ops::GruCell& op, MilBuilder& out);
void toMil(const ops::Lstm& op, MilBuilder& out);
void toMil(const ops::LstmCell& op, MilBuilder& out);

// reduce.cpp
void toMil(const ops::Reduce& op, MilBuilder& out);
void toMil(const ops::ArgMinMax& op, MilBuilder& out);
void toMil(const ops::CumulativeSum& op, MilBuilder& out);

// resample.cpp
void toMil(const ops::Resample2d& op, MilBuilder& out);

// shape.cpp
void toMil(const ops::Concat& op, MilBuilder& out);
void toMil(const ops::Expand& op, MilBuilder& out);
void toMil(const ops::Pad& op, MilBuilder& out);
void toMil(const ops::Reshape& op, MilBuilder& out);
void toMil(const ops::Reverse& op, MilBuilder& out);
void toMil(const ops::Slice& op, MilBuilder& out);
void toMil(const ops::Split& op, MilBuilder& out);
void toMil(const ops::Tile& op, MilBuilder& out);
void toMil(const ops::Transpose& op, MilBuilder& out);
void toMil(const ops::Triangular& op, MilBuilder& out);

}  // namespace webnn::coreml
