// Operations that share constants but differ in options: if an engine caches something of a constant (packed weights, folded
// copies) under an incomplete key, it is used for the wrong operation.
#pragma once

#include "random/writer.h"

namespace webnn::random {

// Adds some.
void siblings(Writer& writer);

}  // namespace webnn::random
