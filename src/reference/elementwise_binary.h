#pragma once

#include "ops/elementwise_binary.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Binary& op, Frame& frame);
void run(const ops::Where& op, Frame& frame);

}  // namespace webnn::reference
