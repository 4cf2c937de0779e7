#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const ops::Resample2d& op, Planner& planner);
StepPtr plan(const Resample& op, Planner& planner);

}  // namespace webnn::cpu
