// Queries about standard input, standard output and standard error.
#pragma once

#include <cstddef>
#include <optional>

namespace webnn {

constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

// Makes the standard files pass bytes unchanged, and text as UTF-8. Must be called before they are used.
void prepareStandardFiles();

bool isTerminal(int descriptor);

// Returns whether the descriptor is a terminal that supports escape sequences (ECMA-48).
bool takesEscapeSequences(int descriptor);

// Returns the number of columns of a terminal; nullopt for other files.
std::optional<std::size_t> columnsOf(int descriptor);

}  // namespace webnn
