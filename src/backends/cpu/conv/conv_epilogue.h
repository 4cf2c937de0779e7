// Epilogues that convolution kernels apply themselves.
#pragma once

#include <optional>

#include "backends/cpu/conv/conv_kernel.h"
#include "backends/cpu/runtime/compiler.h"
#include "compiler/ir/operations.h"

namespace webnn::cpu {

// Returns the program as an addition of input 1 followed by clamps, or nullopt. Ignores toHalf if the result is rounded to
// float16 anyway, because rounding is monotonic.
std::optional<ConvActivation> activationOf(const ElementProgram& program, bool isHalf);

}  // namespace webnn::cpu
