#include "cpu/activation.h"

namespace webnn::cpu {

StepPtr plan(const ops::Activation&, Planner&) { return nullptr; }
StepPtr plan(const ops::Elu&, Planner&) { return nullptr; }
StepPtr plan(const ops::LeakyRelu&, Planner&) { return nullptr; }
StepPtr plan(const ops::HardSigmoid&, Planner&) { return nullptr; }
StepPtr plan(const ops::Linear&, Planner&) { return nullptr; }
StepPtr plan(const ops::Prelu&, Planner&) { return nullptr; }
StepPtr plan(const ops::Softmax&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
