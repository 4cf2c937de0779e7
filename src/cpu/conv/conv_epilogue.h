// The epilogues that convolutions know.
#pragma once

#include <optional>

#include "cpu/conv/conv_kernel.h"
#include "cpu/ir/operations.h"

namespace webnn::cpu {

// The program as an addition of input 1 and clamps, or nullopt. toHalf is passed over where the result is rounded to
// float16 anyway, as rounding keeps the order of numbers.
std::optional<ConvActivation> activationOf(const ElementProgram& program, bool isHalf);

}  // namespace webnn::cpu
