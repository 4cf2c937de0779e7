#include "cpu/shape.h"

namespace webnn::cpu {

StepPtr plan(const ops::Concat&, Planner&) { return nullptr; }
StepPtr plan(const ops::Expand&, Planner&) { return nullptr; }
StepPtr plan(const ops::Pad&, Planner&) { return nullptr; }
StepPtr plan(const ops::Reshape&, Planner&) { return nullptr; }
StepPtr plan(const ops::Reverse&, Planner&) { return nullptr; }
StepPtr plan(const ops::Slice&, Planner&) { return nullptr; }
StepPtr plan(const ops::Split&, Planner&) { return nullptr; }
StepPtr plan(const ops::Tile&, Planner&) { return nullptr; }
StepPtr plan(const ops::Transpose&, Planner&) { return nullptr; }
StepPtr plan(const ops::Triangular&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
