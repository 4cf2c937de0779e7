// Packed bytes of scalars and tensors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn {

// The little-endian bytes of `value` cast to `type`; a 4-bit value is in the low nibble.
std::vector<std::byte> packScalar(DataType type, const Number& value);

// Packed bytes of the elements. One value fills the tensor; otherwise there must be one for each element,
// else a DataError.
std::vector<std::byte> packElements(const OperandDescriptor& descriptor, std::span<const Number> values);

}  // namespace webnn
