#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"
#include "ops/matmul.h"

namespace webnn::cpu {

StepPtr plan(const ops::Matmul& op, Planner& planner);
StepPtr plan(const ops::Gemm& op, Planner& planner);
StepPtr plan(const BatchGemm& op, Planner& planner);

}  // namespace webnn::cpu
