// What ONNX Runtime's kernels on the CPU take.
#pragma once

#include "onnx/target.h"

namespace webnn::onnxruntime {

const onnx::Target& onnxruntimeTarget();

}  // namespace webnn::onnxruntime
