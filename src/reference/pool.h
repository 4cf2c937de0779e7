#pragma once

#include "ops/pool.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Pool2d& op, Environment& frame);

}  // namespace webnn::reference
