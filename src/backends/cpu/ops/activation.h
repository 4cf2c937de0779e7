#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"
#include "ops/activation.h"

namespace webnn::cpu {

StepPtr plan(const ops::Activation& op, Planner& planner);
StepPtr plan(const ops::Elu& op, Planner& planner);
StepPtr plan(const ops::LeakyRelu& op, Planner& planner);
StepPtr plan(const ops::HardSigmoid& op, Planner& planner);
StepPtr plan(const ops::Linear& op, Planner& planner);
StepPtr plan(const ops::Prelu& op, Planner& planner);
StepPtr plan(const ops::Softmax& op, Planner& planner);
StepPtr plan(const QuantizedSoftmax& op, Planner& planner);

}  // namespace webnn::cpu
