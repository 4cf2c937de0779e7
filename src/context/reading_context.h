// A context that loads graphs and runs none.
#pragma once

#include "webnn/context.h"

namespace webnn {

// Its graphs are read and validated, not compiled; to compute with them is a NotSupportedError.
Context makeReadingContext(const Limits& limits = {});

}  // namespace webnn
