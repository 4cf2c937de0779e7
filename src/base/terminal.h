// Standard input, standard output and standard error.
#pragma once

#include <cstddef>
#include <optional>

namespace webnn {

constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

// Call before their first use: bytes pass unchanged, and text is UTF-8.
void prepareStandardFiles();

bool isTerminal(int descriptor);

// Returns whether the descriptor is a terminal that supports the escape sequences of ECMA-48.
bool takesEscapeSequences(int descriptor);

// Returns a terminal's columns; nullopt for other files.
std::optional<std::size_t> columnsOf(int descriptor);

}  // namespace webnn
