#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace webnn::cli {

// Returns the width of standard output's terminal (at least 40), or 100 if standard output is not a terminal.
std::size_t terminalColumns();

// Returns whether `descriptor` is a terminal that shows colours, and NO_COLOR is unset or empty (https://no-color.org).
bool hasColours(int descriptor);

enum class Emphasis { strong, good, bad, faint };

// Returns the text for standard output, with escape sequences if hasColours().
std::string emphasized(Emphasis emphasis, std::string_view text);

// Breaks the text into lines of at most `columns`. All lines but the first are indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace webnn::cli
