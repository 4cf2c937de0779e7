// Products of batches of quantized matrices, none of which is a constant.
#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedBatchGemm& op, Planner& planner);

}  // namespace webnn::cpu
