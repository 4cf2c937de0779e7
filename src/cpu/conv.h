// Convolution and transposed convolution.
#pragma once

#include "cpu/step.h"
#include "ops/conv.h"

namespace webnn::cpu {

StepPtr plan(const ops::Conv2d& op, Planner& planner);
StepPtr plan(const ops::ConvTranspose2d& op, Planner& planner);
StepPtr plan(const Convolution& op, Planner& planner);

// Whether the convolution (whose own epilogue does not count) can do `epilogue`: clamps, and before them one addition of
// a float32 operand of the output's shape.
bool canFuse(const Convolution& op, const Epilogue& epilogue);

}  // namespace webnn::cpu
