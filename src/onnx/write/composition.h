// Operators made of others, for types that a target has neither the operator for nor anything that could stand in.
#pragma once

#include "onnx/write/exporter.h"

namespace webnn::onnx {

// Composes the operator of others; nullopt if no composition is known.
std::optional<OnnxValue> decompose(std::string_view opType, const std::vector<OnnxValue>& inputs, Exporter& out);

}  // namespace webnn::onnx
