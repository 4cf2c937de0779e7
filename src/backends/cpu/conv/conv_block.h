// A block: a depthwise convolution or pooling fused with the convolution before it, the one after it, or both, computed a few
// lines at a time.
#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const ConvolutionBlock& op, Planner& planner);

// Returns whether the block can run as one step and is probably faster that way. Its parts must be float32 with channels last.
bool isBlockWorthwhile(const ConvolutionBlock& op);

}  // namespace webnn::cpu
