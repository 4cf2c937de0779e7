// GEMM of quantized matrices.
#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"
#include "cpu/simd/quantized_gemm.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedGemm& op, Planner& planner);

// Of float32 rows and a 4-bit matrix.
StepPtr planInt4Gemm(const QuantizedGemm& op, Planner& planner);

// `isa` as of kernelIsa(), and whether it has products of bytes.
const QuantizedGemmKernels& byteKernelsFor(Isa isa, bool dots);

}  // namespace webnn::cpu
