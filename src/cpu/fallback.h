// Operations without a step of their own, computed by the reference.
#pragma once

#include "cpu/step.h"

namespace webnn::cpu {

StepPtr planFallback(const ModuleNode& node, Planner& planner);

}  // namespace webnn::cpu
