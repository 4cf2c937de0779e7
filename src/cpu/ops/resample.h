#pragma once

#include "cpu/runtime/step.h"
#include "ops/resample.h"

namespace webnn::cpu {

StepPtr plan(const ops::Resample2d& op, Planner& planner);

}  // namespace webnn::cpu
