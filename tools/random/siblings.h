// Operations that share constants but differ in options. They detect engines that cache data derived from a constant (packed
// weights, folded copies) under an incomplete key, and therefore use it for the wrong operation.
#pragma once

#include "random/writer.h"

namespace webnn::random {

void siblings(Writer& writer);

}  // namespace webnn::random
