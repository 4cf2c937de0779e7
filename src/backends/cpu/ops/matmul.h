#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"
#include "ops/matmul.h"

namespace webnn::cpu {

StepPtr plan(const ops::Matmul& op, Planner& planner);
StepPtr plan(const ops::Gemm& op, Planner& planner);
StepPtr plan(const BatchGemm& op, Planner& planner);

}  // namespace webnn::cpu
