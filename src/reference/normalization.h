#pragma once

#include "ops/normalization.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::BatchNormalization& op, Frame& frame);
void run(const ops::InstanceNormalization& op, Frame& frame);
void run(const ops::LayerNormalization& op, Frame& frame);

}  // namespace webnn::reference
