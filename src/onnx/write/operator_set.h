#pragma once

#include <cstdint>

#include "graph/graph_definition.h"

namespace webnn::onnx {

// The default operator set. With later sets, ONNX Runtime 1.31 rewrites int8 quantization beside Transpose, Reshape, Slice,
// Squeeze and Unsqueeze into operators that it cannot load: it writes output_dtype to QuantizeLinear and then changes the zero
// point's type to uint8.
inline constexpr std::int64_t kOperatorSet = 20;
// The operator set for 4-bit types.
inline constexpr std::int64_t kLaterOperatorSet = 21;

std::int64_t operatorSetOf(const GraphDefinition& graph);

}  // namespace webnn::onnx
