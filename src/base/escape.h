// Escapes untrusted text for display.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace webnn {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;  // number of bytes; 0: invalid UTF-8
};
// Returns the first code point of a text, which must not be empty.
CodePoint decodeUtf8(std::string_view text);
// Returns whether the code point is neither a control character nor invisible (such as a bidirectional override).
bool isHarmless(std::uint32_t codePoint);

// Escapes like sanitized() in text.h, but with `limit` instead of 200 bytes.
std::string escaped(std::string_view text, std::size_t limit);

// Replaces the control and invisible characters of JSON text (UTF-8) except newlines by \uXXXX. The JSON value stays equal, and
// the text is safe to print on a terminal.
std::string escapedJson(std::string_view json);

}  // namespace webnn
