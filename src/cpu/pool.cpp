#include "cpu/pool.h"

namespace webnn::cpu {

StepPtr plan(const ops::Pool2d&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
