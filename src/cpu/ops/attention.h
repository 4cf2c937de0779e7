// Attention.
#pragma once

#include "cpu/step.h"

namespace webnn::cpu {

StepPtr plan(const Attention& op, Planner& planner);

}  // namespace webnn::cpu
