#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace webnn {

void prepareStandardFiles() {}

bool isTerminal(int descriptor) { return ::isatty(descriptor) != 0; }

bool takesEscapeSequences(int descriptor) {
  const char* const terminal = std::getenv("TERM");
  return terminal && *terminal && std::string_view(terminal) != "dumb" && isTerminal(descriptor);
}

std::optional<std::size_t> columnsOf(int descriptor) {
  winsize size{};
  if (!isTerminal(descriptor) || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace webnn
