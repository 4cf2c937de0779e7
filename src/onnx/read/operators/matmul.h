// Matrix products for other operators.
#pragma once

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// NumPy's matmul for operands of any rank and, unlike WebNN's, any numeric type.
Operand multiplyMatrices(NodeContext& node, const Operand& a, const Operand& b);

// The operand with its last two dimensions swapped.
Operand transposeMatrices(NodeContext& node, const Operand& operand);

}  // namespace webnn::formats::onnx
