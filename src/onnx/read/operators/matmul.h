#pragma once

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// Computes NumPy's matmul for operands of any rank except 0 and any numeric type; WebNN's takes only floats.
Operand multiplyMatrices(NodeContext& node, const Operand& a, const Operand& b);

// Swaps the last two dimensions.
Operand transposeMatrices(NodeContext& node, const Operand& operand);

}  // namespace webnn::formats::onnx
