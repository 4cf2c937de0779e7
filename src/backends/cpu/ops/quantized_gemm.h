#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/bytes/quantized_gemm.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedGemm& op, Planner& planner);

// Plans products of float32 rows and a constant matrix of 4 or 8 bits.
StepPtr planWeightGemm(const QuantizedGemm& op, Planner& planner);

// Returns the kernels for an instruction set that kernelIsa() has chosen. `dots`: use byte dot products.
const QuantizedGemmKernels& byteKernelsFor(Isa isa, bool dots);

}  // namespace webnn::cpu
