#include "cpu/quantized_product.h"
namespace webnn::cpu {
StepPtr planNibbleProduct(const QuantizedProduct&, Planner&) { return nullptr; }
}
