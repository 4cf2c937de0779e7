// Elements of packed tensors, one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "webnn/types.h"

namespace webnn::random {

using Bytes = std::vector<std::byte>;

// The bits of an element, in the lowest bits.
std::uint64_t bitsAt(DataType type, const Bytes& packed, std::size_t index);
void setBits(DataType type, Bytes& packed, std::size_t index, std::uint64_t bits);

// An element as a double; 64-bit integers are rounded.
double realAt(DataType type, const Bytes& packed, std::size_t index);
// Rounds to a float type; an integer type gets the low bits of the whole number.
void setReal(DataType type, Bytes& packed, std::size_t index, double value);

bool isSigned(DataType type);  // of an integer type
// 2^-bits of a float's significand: 2^-10 or 2^-23.
double epsilonOf(DataType type);

}  // namespace webnn::random
