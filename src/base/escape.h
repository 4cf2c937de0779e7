// Escapes untrusted text for display.
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
// Returns whether the code point is neither a control character nor an invisible one, such as a bidirectional override.
bool isHarmless(std::uint32_t codePoint);

// Escapes like sanitized() (text.h), with another limit of bytes.
std::string escaped(std::string_view text, std::size_t limit);

// Escapes in JSON text, as \uXXXX, what sanitized() would escape: the value stays equal, and terminals are safe. `json` is UTF-8.
std::string escapedJson(std::string_view json);

}  // namespace webnn
