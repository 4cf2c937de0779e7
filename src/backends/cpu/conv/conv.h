#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"
#include "ops/conv.h"

namespace webnn::cpu {

StepPtr plan(const ops::Conv2d& op, Planner& planner);
StepPtr plan(const ops::ConvTranspose2d& op, Planner& planner);
StepPtr plan(const Convolution& op, Planner& planner);

}  // namespace webnn::cpu
