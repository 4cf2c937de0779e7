#pragma once

#include "ops/reduce.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Reduce& op, Frame& frame);
void run(const ops::ArgMinMax& op, Frame& frame);
void run(const ops::CumulativeSum& op, Frame& frame);

}  // namespace webnn::reference
