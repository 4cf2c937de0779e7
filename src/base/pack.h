#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn {

// Returns the little-endian bytes of `value` cast to `type`. A 4-bit value is in the low nibble.
std::vector<std::byte> packScalar(DataType type, const Number& value);

// Packs elements. A single value is repeated for the whole tensor. Throws DataError if the number of values is neither 1 nor the
// number of elements.
std::vector<std::byte> packElements(const OperandDescriptor& descriptor, std::span<const Number> values);

}  // namespace webnn
