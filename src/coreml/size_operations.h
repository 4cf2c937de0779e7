#pragma once

#include <cstdint>
#include <vector>

#include "coreml/mil_builder.h"

namespace webnn::coreml {

// Adds operations that compute an open size of the current OpenScope from the shapes of the inputs. Returns an int32 value of
// shape [1]. Refuses the operation if the expression has a named dimension that is not by itself a dimension of an input of
// rank 5 or less, or if an intermediate result may exceed int32.
MilValue computeSize(std::uint32_t handle, const std::vector<Operand>& inputs, MilBuilder& out);

}  // namespace webnn::coreml
