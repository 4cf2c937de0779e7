// Contexts that load graphs without running them.
#pragma once

#include "webnn/context.h"

namespace webnn {

// Graphs are read and validated but not compiled; computing with them throws NotSupportedError.
Context makeReadingContext(const Limits& limits = {});

}  // namespace webnn
