#pragma once

#include "cpu/runtime/step.h"
#include "ops/quantize.h"

namespace webnn::cpu {

StepPtr plan(const ops::DequantizeLinear& op, Planner& planner);
StepPtr plan(const ops::QuantizeLinear& op, Planner& planner);

}  // namespace webnn::cpu
