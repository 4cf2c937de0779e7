// The activation that a fused operator applies to its result.
#pragma once

#include <span>
#include <string_view>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// Returns the operand itself without a name. Absent parameters get the defaults of the operator with that name.
Operand activate(const NodeContext& node, Operand operand, std::string_view name, std::span<const float> parameters);

}  // namespace webnn::formats::onnx
