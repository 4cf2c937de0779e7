// Epilogues that convolution kernels apply themselves.
#pragma once

#include <optional>

#include "backends/cpu/conv/conv_kernel.h"
#include "backends/cpu/runtime/compiler.h"
#include "compiler/ir/operations.h"

namespace webnn::cpu {

// Returns the program as a ConvActivation if it is at most one addition of input 1, followed by clamps; otherwise nullopt. With
// `isHalf`, the caller rounds the result to float16. Additions are then refused, and the instruction toHalf is ignored: because
// rounding is monotonic, it gives the same result before and after a clamp.
std::optional<ConvActivation> activationOf(const ElementProgram& program, bool isHalf);

}  // namespace webnn::cpu
