// A depthwise convolution or pooling fused with the convolutions before and after it, a few rows at a time.
#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const ConvolutionBlock& op, Planner& planner);

// Returns whether the block can and should run as one step. Its parts must be float32 with channels last.
bool isBlockWorthwhile(const ConvolutionBlock& op);

}  // namespace webnn::cpu
