// For each operation, a function that makes it produce a wanted type and shape.
#pragma once

#include "random/maker.h"

namespace webnn::random {

// The result of a random operation that gives exactly that. Throws Error if the one that was drawn cannot.
Operand produce(Maker& maker, const OperandDescriptor& wanted);

}  // namespace webnn::random
