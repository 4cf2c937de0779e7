// Makes operations whose results have a wanted type and shape.
#pragma once

#include "random/maker.h"

namespace webnn::random {

// Adds a random operation whose result has the wanted type and shape. Throws Error if the randomly chosen operation cannot have
// such a result.
Operand produce(Maker& maker, const OperandDescriptor& wanted);

}  // namespace webnn::random
