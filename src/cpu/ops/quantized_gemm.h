// Products of quantized matrices.
#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedProduct& op, Planner& planner);

// Of float32 rows and a 4-bit matrix.
StepPtr planNibbleProduct(const QuantizedProduct& op, Planner& planner);

}  // namespace webnn::cpu
