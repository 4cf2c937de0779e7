#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const ops::DequantizeLinear& op, Planner& planner);
StepPtr plan(const ops::QuantizeLinear& op, Planner& planner);
StepPtr plan(const TableLookup& op, Planner& planner);

}  // namespace webnn::cpu
