// Operations that share constants, each with options of its own: so that whatever an engine keeps of a constant (packed
// weights, folded copies) under a key that forgets something of what it depends on is used for the wrong one.
#pragma once

#include "random/writer.h"

namespace webnn::random {

// Adds some.
void siblings(Writer& writer);

}  // namespace webnn::random
