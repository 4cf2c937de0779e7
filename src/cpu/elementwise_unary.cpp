#include "cpu/elementwise_unary.h"

namespace webnn::cpu {

StepPtr plan(const ops::Unary&, Planner&) { return nullptr; }
StepPtr plan(const ops::LogicalUnary&, Planner&) { return nullptr; }
StepPtr plan(const ops::Cast&, Planner&) { return nullptr; }
StepPtr plan(const ops::Clamp&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
