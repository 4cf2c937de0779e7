// Spelling of numbers and data types in files.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "webnn/types.h"

namespace webnn::formats {

// Nesting of lists and objects above which a file is refused, so that no recursion can exhaust the stack.
inline constexpr std::size_t kMaxNesting = 64;

// The length of the decimal number that `text` starts with: [-] digits [. digits] [e [+-] digits]; 0 if none.
std::size_t numberLength(std::string_view text);

// The value of such a number: an exact integer of 64 bits if it is one and fits, else the nearest double. nullopt if
// `text` is anything else, or beyond the range of a double.
std::optional<Number> parseNumber(std::string_view text);

// The names of types in .webnn text: "f32", "i4", ...
std::string_view shortName(DataType type);
std::optional<DataType> dataTypeFromShortName(std::string_view name);

// Returns the position of the first zero byte, or the size. Checks the thread's budget, as does the next function.
std::size_t zeroByte(std::string_view text);
// The bytes before the first that is not UTF-8.
std::size_t validUtf8Length(std::string_view text);

}  // namespace webnn::formats
