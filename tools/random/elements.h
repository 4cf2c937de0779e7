// Reads and writes single elements of packed tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "webnn/types.h"

namespace webnn::random {

using Bytes = std::vector<std::byte>;

// Returns the element's bits in the lowest bits of the result.
std::uint64_t bitsAt(DataType type, const Bytes& packed, std::size_t index);
void setBits(DataType type, Bytes& packed, std::size_t index, std::uint64_t bits);

// Returns an element as a double. 64-bit integers are rounded.
double realAt(DataType type, const Bytes& packed, std::size_t index);
// Stores `value`: rounded for a float type; for an integer type, the low bits of the truncated value.
void setReal(DataType type, Bytes& packed, std::size_t index, double value);

bool isSigned(DataType type);  // requires an integer type
// Returns 2^-10 for float16 and 2^-23 for float32: the distance from 1 to the next larger number.
double epsilonOf(DataType type);

}  // namespace webnn::random
