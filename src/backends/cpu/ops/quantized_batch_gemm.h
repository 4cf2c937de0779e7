#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedBatchGemm& op, Planner& planner);

}  // namespace webnn::cpu
