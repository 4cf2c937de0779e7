// Reads single elements of packed tensors.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "webnn/types.h"

namespace webnn::cli {

// Returns element `index`: floats as double, integers exactly.
Number elementAt(DataType type, std::span<const std::byte> packed, std::size_t index);

// Interprets the lowest bits as an element. Higher bits are ignored.
Number elementOfBits(DataType type, std::uint64_t bits);

// Formats an element in the shortest way: "0.1" for the float32 nearest to 0.1, "NaN", "-Infinity", "-0".
std::string elementText(DataType type, const Number& value);

}  // namespace webnn::cli
