// Spelling of numbers and data types in files.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "webnn/types.h"

namespace webnn::formats {

// Nesting of lists and objects above which a file is refused, so that no recursion can exhaust the stack.
inline constexpr std::size_t kMaxNesting = 64;

// Returns the length of the decimal number that `text` starts with: [-] digits [. digits] [e [+-] digits]; 0 if there is none.
std::size_t numberLength(std::string_view text);

// Parses a decimal number: to a 64-bit integer if it has neither fraction nor exponent and fits, else to the nearest double.
// nullopt if `text` is anything else, or beyond the range of a double.
std::optional<Number> parseNumber(std::string_view text);

// Convert between data types and their names in .webnn text: "f32", "i4", ...
std::string_view shortName(DataType type);
std::optional<DataType> dataTypeFromShortName(std::string_view name);

// Returns the position of the first zero byte, or the size. Checks the thread's budget, as does the next function.
std::size_t zeroByte(std::string_view text);
// Returns the number of bytes before the first byte that is not valid UTF-8.
std::size_t validUtf8Length(std::string_view text);

}  // namespace webnn::formats
