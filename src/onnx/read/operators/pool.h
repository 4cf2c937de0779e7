#pragma once

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// Applies AveragePool to [N, C, ...] with the node's attributes.
Operand averagePool(NodeContext& node, const Operand& input);

// Returns the mean over all spatial dimensions of [N, C, ...], kept with size 1.
Operand globalAveragePool(NodeContext& node, const Operand& input);

}  // namespace webnn::formats::onnx
