// Determines which taps of a window lie inside the input. Used by steps that only pool, and by convolution blocks with a pooling.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/cpu/simd/pool.h"
#include "ops/window2d.h"

namespace webnn::cpu {

// Returns, for each position of the window, the taps that are inside the input.
std::vector<PoolTaps> poolTaps(const ops::WindowAxis& axis, std::size_t positions);

}  // namespace webnn::cpu
