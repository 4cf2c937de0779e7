#pragma once

#include "ops/quantize.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::DequantizeLinear& op, Frame& frame);
void run(const ops::QuantizeLinear& op, Frame& frame);

}  // namespace webnn::reference
