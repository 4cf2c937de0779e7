#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/operations.h"
#include "ops/reduce.h"

namespace webnn::cpu {

StepPtr plan(const ops::Reduce& op, Planner& planner);
StepPtr plan(const ops::ArgMinMax& op, Planner& planner);
StepPtr plan(const ops::CumulativeSum& op, Planner& planner);
StepPtr plan(const TopPositions& op, Planner& planner);

}  // namespace webnn::cpu
