#include "cpu/resample.h"

namespace webnn::cpu {

StepPtr plan(const ops::Resample2d&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
