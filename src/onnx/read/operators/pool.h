// Pools for other operators.
#pragma once

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// AveragePool of [N, C, ...] by the node's attributes.
Operand averagePool(NodeContext& node, const Operand& input);

// The mean over all spatial dimensions of [N, C, ...], which are kept.
Operand globalAveragePool(NodeContext& node, const Operand& input);

}  // namespace webnn::formats::onnx
