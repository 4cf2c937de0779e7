#include "cpu/chain.h"

namespace webnn::cpu {

StepPtr plan(const Chain&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
