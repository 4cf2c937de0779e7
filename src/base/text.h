#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "webnn/error.h"

namespace webnn {

// Formats like fmt::format; the format is checked at compile time. Only format.cpp compiles fmt (header-only), so the library
// does not need fmt at run time, and other files compile quickly. The web package uses format_web.cpp instead.
std::string formatArguments(fmt::string_view format, fmt::format_args arguments);
template <typename... Args>
std::string formatText(fmt::format_string<Args...> format, Args&&... args) {
  return formatArguments(format, fmt::make_format_args(args...));
}

// Escapes control and invisible characters (such as bidirectional overrides) as \u{XXXX}, and invalid UTF-8 as \xXX. Once the
// result exceeds 200 bytes, "..." replaces the rest. Labels come from untrusted files:
// https://www.w3.org/TR/webnn/#api-mloperand ("Advisement")
std::string sanitized(std::string_view text);

// Returns sanitized(text) in quotation marks.
std::string quoted(std::string_view text);

namespace internal {
// Converts a size in a shape to text. Null unless this thread works on a graph with open dimensions, in which a size may be the
// handle of an expression (ops/sizes/open_sizes.h).
using PrintSize = std::string (*)(std::uint32_t size);
extern thread_local constinit PrintSize printSize;
}  // namespace internal

// Throws an Error with a formatted message.
template <typename... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, formatArguments(format, fmt::make_format_args(args...)));
}

}  // namespace webnn
