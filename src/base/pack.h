// Packed bytes of scalars.
#pragma once

#include <cstddef>
#include <vector>

#include "webnn/types.h"

namespace webnn {

// The little-endian bytes of `value` cast to `type`; a 4-bit value is in the low nibble.
std::vector<std::byte> packScalar(DataType type, const Number& value);

}  // namespace webnn
