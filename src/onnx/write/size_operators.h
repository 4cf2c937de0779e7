#pragma once

#include <cstdint>
#include <vector>

#include "onnx/write/exporter.h"

namespace webnn::onnx {

// Adds operators that compute an open size of the current OpenScope from the shapes of the inputs. Returns a 1-D int64 value with
// one element. NotSupportedError if no input has one of the size's named dimensions by itself.
OnnxValue computeSize(std::uint32_t handle, const std::vector<Operand>& inputs, Exporter& out);

}  // namespace webnn::onnx
