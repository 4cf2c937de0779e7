// Texts from elsewhere, for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace webnn {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;  // in bytes; 0: not UTF-8
};
// The first code point of a text that is not empty.
CodePoint decodeUtf8(std::string_view text);
// Whether the code point is neither a control character nor one that is not seen, such as bidirectional overrides.
bool isHarmless(std::uint32_t codePoint);

// What sanitized() (text.h) does, with another limit of bytes.
std::string escaped(std::string_view text, std::size_t limit);

// JSON text with what sanitized() would escape in it as \uXXXX: the same value, but no terminal obeys it. `json` is UTF-8.
std::string escapedJson(std::string_view json);

}  // namespace webnn
