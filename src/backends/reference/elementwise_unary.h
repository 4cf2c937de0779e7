#pragma once

#include "backends/reference/frame.h"
#include "ops/elementwise_unary.h"

namespace webnn::reference {

void run(const ops::Unary& op, Environment& frame);
void run(const ops::LogicalUnary& op, Environment& frame);
void run(const ops::Cast& op, Environment& frame);
void run(const ops::Clamp& op, Environment& frame);

}  // namespace webnn::reference
