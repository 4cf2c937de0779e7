// Element-wise chains.
#pragma once

#include "cpu/step.h"

namespace webnn::cpu {

StepPtr plan(const Chain& op, Planner& planner);

}  // namespace webnn::cpu
