#include "cpu/normalization.h"

namespace webnn::cpu {

StepPtr plan(const ops::BatchNormalization&, Planner&) { return nullptr; }
StepPtr plan(const ops::InstanceNormalization&, Planner&) { return nullptr; }
StepPtr plan(const ops::LayerNormalization&, Planner&) { return nullptr; }
StepPtr plan(const RowNormalization&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
