// Copies and changes of storage.
#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const Copy& op, Planner& planner);
StepPtr plan(const Repack& op, Planner& planner);

}  // namespace webnn::cpu
