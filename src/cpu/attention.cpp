#include "cpu/attention.h"

namespace webnn::cpu {

StepPtr plan(const Attention&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
