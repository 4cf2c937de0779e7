#pragma once

#include "backends/reference/frame.h"
#include "ops/quantize.h"

namespace webnn::reference {

void run(const ops::DequantizeLinear& op, Environment& frame);
void run(const ops::QuantizeLinear& op, Environment& frame);

}  // namespace webnn::reference
