// Emulates operators with other operators, for types that the target's operator does not take and that no other type can replace.
#pragma once

#include "onnx/write/exporter.h"

namespace webnn::onnx {

// Emulates `opType` with other operators. Returns nullopt if no emulation is known.
std::optional<OnnxValue> decompose(std::string_view opType, const std::vector<OnnxValue>& inputs, Exporter& out);

}  // namespace webnn::onnx
