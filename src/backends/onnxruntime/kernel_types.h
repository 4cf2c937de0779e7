#pragma once

#include "onnx/target.h"

namespace webnn::onnxruntime {

// The operators and types that ONNX Runtime has kernels for on the CPU.
const onnx::Target& onnxruntimeTarget();
// The same for NVIDIA's providers.
const onnx::Target& cudaTarget();

}  // namespace webnn::onnxruntime
