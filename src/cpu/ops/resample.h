#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const ops::Resample2d& op, Planner& planner);
StepPtr plan(const QuantizedResample& op, Planner& planner);

}  // namespace webnn::cpu
