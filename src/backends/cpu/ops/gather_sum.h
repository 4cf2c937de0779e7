// Sums of gathered rows.
#pragma once

#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const GatherSum& op, Planner& planner);

}  // namespace webnn::cpu
