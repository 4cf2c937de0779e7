#pragma once

#include "backends/cpu/runtime/step.h"
#include "ops/elementwise_unary.h"

namespace webnn::cpu {

StepPtr plan(const ops::Unary& op, Planner& planner);
StepPtr plan(const ops::LogicalUnary& op, Planner& planner);
StepPtr plan(const ops::Cast& op, Planner& planner);
StepPtr plan(const ops::Clamp& op, Planner& planner);

}  // namespace webnn::cpu
