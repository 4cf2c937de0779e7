#include "base/terminal.h"

#include <fcntl.h>
#include <io.h>

#include "base/windows/system.h"

namespace webnn {

namespace {

HANDLE consoleOf(int descriptor) { return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)); }

}  // namespace

void prepareStandardFiles() {
  for (const int descriptor : {kStandardInput, kStandardOutput, kStandardError}) ::_setmode(descriptor, _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
  for (const int descriptor : {kStandardOutput, kStandardError}) {
    DWORD mode = 0;
    if (::GetConsoleMode(consoleOf(descriptor), &mode))
      ::SetConsoleMode(consoleOf(descriptor), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

// Does not use _isatty(), which is also true for other devices such as NUL.
bool isTerminal(int descriptor) {
  DWORD mode = 0;
  return ::GetConsoleMode(consoleOf(descriptor), &mode) != 0;
}

bool takesEscapeSequences(int descriptor) {
  DWORD mode = 0;
  return ::GetConsoleMode(consoleOf(descriptor), &mode) && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

std::optional<std::size_t> columnsOf(int descriptor) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (!::GetConsoleScreenBufferInfo(consoleOf(descriptor), &info)) return std::nullopt;
  return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

}  // namespace webnn
