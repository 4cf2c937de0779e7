#pragma once

#include "backends/cpu/runtime/step.h"
#include "ops/gather_scatter.h"

namespace webnn::cpu {

StepPtr plan(const ops::Gather& op, Planner& planner);
StepPtr plan(const ops::GatherElements& op, Planner& planner);
StepPtr plan(const ops::GatherND& op, Planner& planner);
StepPtr plan(const ops::ScatterElements& op, Planner& planner);
StepPtr plan(const ops::ScatterND& op, Planner& planner);

}  // namespace webnn::cpu
