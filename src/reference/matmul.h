#pragma once

#include "ops/matmul.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Matmul& op, Frame& frame);
void run(const ops::Gemm& op, Frame& frame);

}  // namespace webnn::reference
