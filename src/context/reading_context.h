// Contexts for loading graphs without running them.
#pragma once

#include "webnn/context.h"

namespace webnn {

// Creates a context that validates graphs but does not compile them. Running such a graph throws NotSupportedError.
Context makeReadingContext(const Limits& limits = {});

}  // namespace webnn
