// Elements of packed tensors, one by one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "webnn/types.h"

namespace webnn::cli {

// An element of packed bytes: floats as double, integers exactly.
Number elementAt(DataType type, std::span<const std::byte> packed, std::size_t index);

// The element of the lowest bits; any others are ignored.
Number elementOfBits(DataType type, std::uint64_t bits);

// The element as a person writes it: "0.1" for the float32 nearest to it, "NaN", "-Infinity", "-0".
std::string elementText(DataType type, const Number& value);

}  // namespace webnn::cli
