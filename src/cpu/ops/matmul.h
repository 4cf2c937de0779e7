#pragma once

#include "cpu/step.h"
#include "ops/matmul.h"

namespace webnn::cpu {

StepPtr plan(const ops::Matmul& op, Planner& planner);
StepPtr plan(const ops::Gemm& op, Planner& planner);
StepPtr plan(const Product& op, Planner& planner);

}  // namespace webnn::cpu
