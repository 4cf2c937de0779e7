#pragma once

#include "onnx/target.h"

namespace webnn::onnxruntime {

// Returns the ONNX operators and element types for which ONNX Runtime's CPU provider has kernels.
const onnx::Target& onnxruntimeTarget();
// Returns the operators and types for models that run on one of NVIDIA's providers (CUDA, TensorRT, TensorRT RTX).
const onnx::Target& cudaTarget();

}  // namespace webnn::onnxruntime
