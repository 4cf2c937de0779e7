#include "cpu/elementwise_binary.h"

namespace webnn::cpu {

StepPtr plan(const ops::Binary&, Planner&) { return nullptr; }
StepPtr plan(const ops::Where&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
