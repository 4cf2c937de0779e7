#pragma once

#include "cpu/simd/pool.h"
#include "cpu/step.h"
#include "ops/pool.h"

namespace webnn::cpu {

StepPtr plan(const ops::Pool2d& op, Planner& planner);

// The taps that are inside the input, for each position of the window.
std::vector<PoolTaps> poolTaps(const ops::WindowAxis& axis, std::size_t positions);

}  // namespace webnn::cpu
