#pragma once

#include "backends/reference/frame.h"
#include "ops/normalization.h"

namespace webnn::reference {

void run(const ops::BatchNormalization& op, Environment& frame);
void run(const ops::InstanceNormalization& op, Environment& frame);
void run(const ops::LayerNormalization& op, Environment& frame);

}  // namespace webnn::reference
