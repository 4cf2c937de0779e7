// Pieces of networks as exporters write them, which compilers recognise: intact, or with a mistake that they must notice.
#pragma once

#include "random/maker.h"

namespace webnn::random {

// Adds one of them to the maker's graph. Throws Error if its parts do not fit together.
void addPattern(Maker& maker);

}  // namespace webnn::random
