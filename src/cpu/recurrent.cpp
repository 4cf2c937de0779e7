#include "cpu/recurrent.h"

namespace webnn::cpu {

StepPtr plan(const ops::Gru&, Planner&) { return nullptr; }
StepPtr plan(const ops::GruCell&, Planner&) { return nullptr; }
StepPtr plan(const ops::Lstm&, Planner&) { return nullptr; }
StepPtr plan(const ops::LstmCell&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
