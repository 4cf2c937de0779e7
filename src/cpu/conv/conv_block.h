// A depthwise convolution or a pooling with the convolutions before and after it, on a few rows at a time.
#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const ConvolutionBlock& op, Planner& planner);

// Whether the block can run as one step, and should: its parts are of float32 with channels last.
bool isBlockWorthwhile(const ConvolutionBlock& op);

}  // namespace webnn::cpu
