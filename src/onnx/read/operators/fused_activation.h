#pragma once

#include <span>
#include <string_view>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// Applies the activation of a fused operator. An empty name means no activation. Absent parameters have the defaults of ONNX's
// operator `name`.
Operand activate(const NodeContext& node, Operand operand, std::string_view name, std::span<const float> parameters);

}  // namespace webnn::formats::onnx
