// Composes operators of other operators, for types that the target's operator does not take and that no other type can stand in
// for.
#pragma once

#include "onnx/write/exporter.h"

namespace webnn::onnx {

// Composes `opType` of other operators; returns nullopt if no composition is known.
std::optional<OnnxValue> decompose(std::string_view opType, const std::vector<OnnxValue>& inputs, Exporter& out);

}  // namespace webnn::onnx
