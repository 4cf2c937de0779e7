#include "cpu/gather_scatter.h"

namespace webnn::cpu {

StepPtr plan(const ops::Gather&, Planner&) { return nullptr; }
StepPtr plan(const ops::GatherElements&, Planner&) { return nullptr; }
StepPtr plan(const ops::GatherND&, Planner&) { return nullptr; }
StepPtr plan(const ops::ScatterElements&, Planner&) { return nullptr; }
StepPtr plan(const ops::ScatterND&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
