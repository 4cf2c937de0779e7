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

// Formats an element: a float32 number with the fewest digits that identify it ("0.1"), a float16 number with at most 5 digits.
// Special values become "NaN", "Infinity", "-Infinity" and "-0".
std::string elementText(DataType type, const Number& value);

}  // namespace webnn::cli
