#pragma once

#include "ops/quantize.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::DequantizeLinear& op, Environment& frame);
void run(const ops::QuantizeLinear& op, Environment& frame);

}  // namespace webnn::reference
