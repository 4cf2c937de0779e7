// Convolution of 8-bit images.
#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedConvolution& op, Planner& planner);

}  // namespace webnn::cpu
