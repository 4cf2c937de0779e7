// Texts from elsewhere, for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace webnn {

// What sanitized() (text.h) does, with another limit of bytes.
std::string escaped(std::string_view text, std::size_t limit);

// JSON text with what sanitized() would escape in it as \uXXXX: the same value, but no terminal obeys it. `json` is UTF-8.
std::string escapedJson(std::string_view json);

}  // namespace webnn
