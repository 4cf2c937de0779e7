// Copies and changes of storage.
#pragma once

#include "cpu/step.h"

namespace webnn::cpu {

StepPtr plan(const Copy& op, Planner& planner);
StepPtr plan(const Repack& op, Planner& planner);

}  // namespace webnn::cpu
