#pragma once

#include "backends/cpu/runtime/step.h"
#include "ops/recurrent.h"

namespace webnn::cpu {

StepPtr plan(const ops::Gru& op, Planner& planner);
StepPtr plan(const ops::GruCell& op, Planner& planner);
StepPtr plan(const ops::Lstm& op, Planner& planner);
StepPtr plan(const ops::LstmCell& op, Planner& planner);

}  // namespace webnn::cpu
