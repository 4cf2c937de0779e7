#pragma once

#include "backends/reference/frame.h"
#include "ops/pool.h"

namespace webnn::reference {

void run(const ops::Pool2d& op, Environment& frame);

}  // namespace webnn::reference
