#pragma once

#include "ops/conv.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Conv2d& op, Environment& frame);
void run(const ops::ConvTranspose2d& op, Environment& frame);

}  // namespace webnn::reference
