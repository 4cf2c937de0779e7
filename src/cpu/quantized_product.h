// Products of quantized matrices.
#pragma once

#include "cpu/step.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedProduct& op, Planner& planner);

}  // namespace webnn::cpu
