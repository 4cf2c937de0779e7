#pragma once

#include "ops/resample.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Resample2d& op, Environment& frame);

}  // namespace webnn::reference
