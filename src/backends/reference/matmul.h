#pragma once

#include "backends/reference/frame.h"
#include "ops/matmul.h"

namespace webnn::reference {

void run(const ops::Matmul& op, Environment& frame);
void run(const ops::Gemm& op, Environment& frame);

}  // namespace webnn::reference
