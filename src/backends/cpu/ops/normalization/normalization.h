#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"
#include "ops/normalization.h"

namespace webnn::cpu {

StepPtr plan(const ops::BatchNormalization& op, Planner& planner);
StepPtr plan(const ops::InstanceNormalization& op, Planner& planner);
StepPtr plan(const ops::LayerNormalization& op, Planner& planner);
StepPtr plan(const RowNormalization& op, Planner& planner);
StepPtr plan(const WrittenNormalization& op, Planner& planner);

}  // namespace webnn::cpu
