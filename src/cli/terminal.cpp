#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace webnn::cli {

std::size_t terminalColumns() {
  constexpr std::size_t kElse = 100, kFewest = 40;
  winsize size{};
  if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kElse;
  return size.ws_col < kFewest ? kFewest : size.ws_col;
}

bool hasColours(int descriptor) {
  const char* const none = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return !(none && *none) && terminal && *terminal && std::string_view(terminal) != "dumb" && ::isatty(descriptor) != 0;
}

std::string emphasized(Emphasis emphasis, std::string_view text) {
  if (!hasColours(STDOUT_FILENO)) return std::string(text);
  static constexpr const char* kCodes[] = {"1", "32", "1;31", "2"};
  return "\033[" + std::string(kCodes[static_cast<std::size_t>(emphasis)]) + "m" + std::string(text) + "\033[0m";
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > columns) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace webnn::cli
