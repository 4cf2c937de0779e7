#pragma once

#include "backends/cpu/runtime/step.h"
#include "ops/elementwise_binary.h"

namespace webnn::cpu {

StepPtr plan(const ops::Binary& op, Planner& planner);
StepPtr plan(const ops::Where& op, Planner& planner);

}  // namespace webnn::cpu
