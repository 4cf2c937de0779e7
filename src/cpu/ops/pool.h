#pragma once

#include "cpu/runtime/step.h"
#include "cpu/simd/pool.h"
#include "ops/pool.h"

namespace webnn::cpu {

StepPtr plan(const ops::Pool2d& op, Planner& planner);

}  // namespace webnn::cpu
