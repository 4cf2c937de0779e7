// What standard output and standard error are shown on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace webnn::cli {

// The columns of standard output: those of its terminal, else 100.
std::size_t terminalColumns();

// Whether the file is a terminal that shows colours, and NO_COLOR does not say otherwise. https://no-color.org
bool hasColours(int descriptor);

enum class Emphasis { strong, good, bad, faint };

// The text for standard output, emphasized if it has colours.
std::string emphasized(Emphasis emphasis, std::string_view text);

// The words in lines of at most `columns`, all but the first indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace webnn::cli
