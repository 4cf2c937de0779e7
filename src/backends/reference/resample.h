#pragma once

#include "backends/reference/frame.h"
#include "ops/resample.h"

namespace webnn::reference {

void run(const ops::Resample2d& op, Environment& frame);

}  // namespace webnn::reference
