// The activation that a fused operator applies to its result.
#pragma once

#include <span>
#include <string_view>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// The operand itself if there is no name. Parameters that are not given have the values that the operator of that name has.
Operand activate(const NodeContext& node, Operand operand, std::string_view name, std::span<const float> parameters);

}  // namespace webnn::formats::onnx
