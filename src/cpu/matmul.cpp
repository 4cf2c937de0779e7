#include "cpu/matmul.h"

namespace webnn::cpu {

StepPtr plan(const ops::Matmul&, Planner&) { return nullptr; }
StepPtr plan(const ops::Gemm&, Planner&) { return nullptr; }
StepPtr plan(const Product&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
