#pragma once

#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/pool.h"
#include "ops/pool.h"

namespace webnn::cpu {

StepPtr plan(const ops::Pool2d& op, Planner& planner);

}  // namespace webnn::cpu
