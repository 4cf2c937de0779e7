#pragma once

#include "cpu/ir/module.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

StepPtr plan(const ops::DequantizeLinear& op, Planner& planner);
StepPtr plan(const ops::QuantizeLinear& op, Planner& planner);
StepPtr plan(const TableLookup& op, Planner& planner);

}  // namespace webnn::cpu
