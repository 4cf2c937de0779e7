// The terminals of standard output and standard error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace webnn::cli {

// Returns the columns of standard output's terminal, else 100.
std::size_t terminalColumns();

// Returns whether the file is a terminal with colours, and NO_COLOR is unset. https://no-color.org
bool hasColours(int descriptor);

enum class Emphasis { strong, good, bad, faint };

// The text for standard output, emphasized if it has colours.
std::string emphasized(Emphasis emphasis, std::string_view text);

// The words in lines of at most `columns`, all but the first indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace webnn::cli
