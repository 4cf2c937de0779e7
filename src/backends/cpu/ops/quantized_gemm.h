// GEMM of quantized matrices.
#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/bytes/quantized_gemm.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedGemm& op, Planner& planner);

// Of float32 rows and a 4-bit matrix.
StepPtr planInt4Gemm(const QuantizedGemm& op, Planner& planner);

// `isa` as of kernelIsa(), and whether it has products of bytes.
const QuantizedGemmKernels& byteKernelsFor(Isa isa, bool dots);

}  // namespace webnn::cpu
