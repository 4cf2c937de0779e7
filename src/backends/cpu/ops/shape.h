#pragma once

#include "backends/cpu/runtime/step.h"
#include "ops/shape.h"

namespace webnn::cpu {

StepPtr plan(const ops::Concat& op, Planner& planner);
StepPtr plan(const ops::Expand& op, Planner& planner);
StepPtr plan(const ops::Pad& op, Planner& planner);
StepPtr plan(const ops::Reshape& op, Planner& planner);
StepPtr plan(const ops::Reverse& op, Planner& planner);
StepPtr plan(const ops::Slice& op, Planner& planner);
StepPtr plan(const ops::Split& op, Planner& planner);
StepPtr plan(const ops::Tile& op, Planner& planner);
StepPtr plan(const ops::Transpose& op, Planner& planner);
StepPtr plan(const ops::Triangular& op, Planner& planner);

}  // namespace webnn::cpu
