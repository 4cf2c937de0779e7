// GEMM of quantized matrices.
#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedGemm& op, Planner& planner);

// Of float32 rows and a 4-bit matrix.
StepPtr planInt4Gemm(const QuantizedGemm& op, Planner& planner);

}  // namespace webnn::cpu
