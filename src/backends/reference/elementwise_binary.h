#pragma once

#include "backends/reference/frame.h"
#include "ops/elementwise_binary.h"

namespace webnn::reference {

void run(const ops::Binary& op, Environment& frame);
void run(const ops::Where& op, Environment& frame);

}  // namespace webnn::reference
