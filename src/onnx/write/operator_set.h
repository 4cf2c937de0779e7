// Which of ONNX's operator sets a model is written in.
#pragma once

#include <cstdint>

#include "graph/graph_definition.h"

namespace webnn::onnx {

// The set in which everything is written that does not need the later one. ONNX Runtime 1.31 cannot load what it makes itself of
// int8 quantization beside Transpose, Reshape, Slice, Squeeze and Unsqueeze in later ones: it writes output_dtype to
// QuantizeLinear and then changes the zero point's type to uint8.
inline constexpr std::int64_t kOperatorSet = 20;
// That of types of 4 bits.
inline constexpr std::int64_t kLaterOperatorSet = 21;

std::int64_t operatorSetOf(const GraphDefinition& graph);

}  // namespace webnn::onnx
