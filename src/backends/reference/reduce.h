#pragma once

#include "backends/reference/frame.h"
#include "ops/reduce.h"

namespace webnn::reference {

void run(const ops::Reduce& op, Environment& frame);
void run(const ops::ArgMinMax& op, Environment& frame);
void run(const ops::CumulativeSum& op, Environment& frame);

}  // namespace webnn::reference
