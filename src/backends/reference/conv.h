#pragma once

#include "backends/reference/frame.h"
#include "ops/conv.h"

namespace webnn::reference {

void run(const ops::Conv2d& op, Environment& frame);
void run(const ops::ConvTranspose2d& op, Environment& frame);

}  // namespace webnn::reference
