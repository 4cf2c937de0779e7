#pragma once

#include "ops/matmul.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Matmul& op, Environment& frame);
void run(const ops::Gemm& op, Environment& frame);

}  // namespace webnn::reference
