// Prepares standard input, output and error, and reports whether they are terminals.
#pragma once

#include <cstddef>
#include <optional>

namespace webnn {

constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

// Makes standard input, output and error pass bytes unchanged, and the console show UTF-8 and escape sequences. Needed on Windows
// only. Must be called before the standard files are used.
void prepareStandardFiles();

bool isTerminal(int descriptor);

// Returns whether the descriptor is a terminal that supports escape sequences (ECMA-48).
bool takesEscapeSequences(int descriptor);

// Returns the number of columns of a terminal; nullopt for other files.
std::optional<std::size_t> columnsOf(int descriptor);

}  // namespace webnn
