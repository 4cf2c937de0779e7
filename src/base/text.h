// Text that goes into messages.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "webnn/error.h"

namespace webnn {

// fmt::format, checked at compile time. Only format.cpp compiles fmt itself, header-only: the library gains no run-time
// dependency and every other file stays quick to compile. The web package is without it: format_web.cpp.
std::string formatArguments(fmt::string_view format, fmt::format_args arguments);
template <typename... Args>
std::string formatText(fmt::format_string<Args...> format, Args&&... args) {
  return formatArguments(format, fmt::make_format_args(args...));
}

// `text` with control characters, bidirectional overrides and broken UTF-8 escaped as \u{XXXX} or \xXX, cut after 200
// bytes: labels and names come from untrusted files.
// https://www.w3.org/TR/webnn/#api-mloperand ("Advisement")
std::string sanitized(std::string_view text);

// "\"" + sanitized(text) + "\"".
std::string quoted(std::string_view text);

// Throws Error with a message formatted by fmt.
template <typename... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, formatArguments(format, fmt::make_format_args(args...)));
}

}  // namespace webnn
