// Parts of networks as exporters write them, which compilers recognize. Patterns are correct, or differ from correct ones in a
// way that compilers must notice.
#pragma once

#include "random/maker.h"

namespace webnn::random {

// Adds a random pattern to the maker's graph. Throws Error if its parts do not fit together.
void addPattern(Maker& maker);

}  // namespace webnn::random
