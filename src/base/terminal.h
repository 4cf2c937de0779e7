// The files that a process is started with: standard input, standard output and standard error.
#pragma once

#include <cstddef>
#include <optional>

namespace webnn {

constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

// Before the first use of them: bytes are read and written as they are, and text is UTF-8.
void prepareStandardFiles();

bool isTerminal(int descriptor);

// Whether it is a terminal that takes the escape sequences of ECMA-48.
bool takesEscapeSequences(int descriptor);

// The columns of a terminal; nullopt of anything else.
std::optional<std::size_t> columnsOf(int descriptor);

}  // namespace webnn
