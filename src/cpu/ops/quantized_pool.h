#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedPool& op, Planner& planner);

}  // namespace webnn::cpu
