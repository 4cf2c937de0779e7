#pragma once

#include "ops/elementwise_unary.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Unary& op, Frame& frame);
void run(const ops::LogicalUnary& op, Frame& frame);
void run(const ops::Cast& op, Frame& frame);
void run(const ops::Clamp& op, Frame& frame);

}  // namespace webnn::reference
