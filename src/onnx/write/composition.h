// Operators made of others, for types that a target has neither the operator for nor anything that could stand in.
#pragma once

#include "onnx/write/exporter.h"

namespace webnn::onnx {

// What the operator computes of `inputs`; nullopt if nothing is known to compose it of.
std::optional<OnnxValue> decompose(std::string_view opType, const std::vector<OnnxValue>& inputs, Exporter& out);

}  // namespace webnn::onnx
