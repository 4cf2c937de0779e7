#include "cpu/quantized_product.h"

namespace webnn::cpu {

StepPtr plan(const QuantizedProduct&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
