#pragma once

#include <cstdint>
#include <vector>

#include "onnx/write/exporter.h"

namespace webnn::onnx {

// Adds operators that compute an open size of the current OpenScope from the shapes of the inputs. Returns a 1-D int64 value with
// one element. Throws NotSupportedError if a named dimension of the size's expression is not a dimension of any input.
OnnxValue computeSize(std::uint32_t handle, const std::vector<Operand>& inputs, Exporter& out);

}  // namespace webnn::onnx
