#include "cpu/conv.h"

namespace webnn::cpu {

StepPtr plan(const ops::Conv2d&, Planner&) { return nullptr; }
StepPtr plan(const ops::ConvTranspose2d&, Planner&) { return nullptr; }
StepPtr plan(const Convolution&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
