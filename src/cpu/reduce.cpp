#include "cpu/reduce.h"

namespace webnn::cpu {

StepPtr plan(const ops::Reduce&, Planner&) { return nullptr; }
StepPtr plan(const ops::ArgMinMax&, Planner&) { return nullptr; }
StepPtr plan(const ops::CumulativeSum&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
